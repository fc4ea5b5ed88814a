import { expect } from "vitest";
import type { Cursor } from "./events.ts";
import type { WirePart } from "./wire-reply.ts";

/** What the content of a message consists of. */
export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: object };

/** A block as the stream gave it, its deltas joined. */
export interface StreamedBlock {
  start: Block;
  /** The text, the thinking, or the JSON of a call's input. */
  text: string;
  ended: boolean;
}

/** How each type begins, and the one type of delta that it may have. */
const FORMS = {
  text: { begins: { type: "text", text: "" }, delta: "text_delta", key: "text" },
  thinking: { begins: { type: "thinking", thinking: "", signature: "" }, delta: "thinking_delta", key: "thinking" },
  tool_use: {
    // A whole input at the start is lost on several clients.
    begins: { type: "tool_use", id: expect.stringMatching(/^toolu_\w{24,}$/), name: expect.any(String), input: {} },
    delta: "input_json_delta",
    key: "partial_json",
  },
} as const;

/** Reads one block: start, deltas, stop. Only an error may stand where a block is not stopped. */
export function readBlock(cursor: Cursor, index: number): StreamedBlock {
  const begun = cursor.take<{ index: number; content_block: Block }>("content_block_start");
  expect(begun.index, "blocks are numbered").toBe(index);
  const start = begun.content_block;
  const form = FORMS[start.type];
  expect(start, "a block begins empty").toEqual(form.begins);

  const deltas = cursor.all<{ index: number; delta: { [key: string]: string } }>("content_block_delta");
  const stopped = cursor.next() === "content_block_stop";
  expect(new Set([index, ...deltas.map((delta) => delta.index)]), "one block is open at a time").toEqual(
    new Set([index]),
  );
  const signature = start.type === "thinking" && stopped ? deltas.pop()?.delta : undefined;
  if (signature) expect(signature).toEqual({ type: "signature_delta", signature: expect.stringMatching(/^.+$/) });
  const fragment = { type: form.delta, [form.key]: expect.stringMatching(/[\s\S]/) };
  expect(
    deltas.map(({ delta }) => delta),
    "the deltas of such a block",
  ).toEqual(deltas.map(() => fragment));
  if (stopped) expect(cursor.take<{ index: number }>("content_block_stop").index).toBe(index);
  return { start, text: deltas.map(({ delta }) => delta[form.key] ?? "").join(""), ended: stopped };
}

/** @throws where a block that ended is none that the API itself would take back */
export function partOf({ start, text }: StreamedBlock): WirePart {
  switch (start.type) {
    case "text":
      // Clients store and replay it, and the vendor's API then refuses the session.
      expect(text, "no text block without visible text").toMatch(/\S/);
      return { type: "text", text };
    case "thinking":
      expect(text, "no empty thinking").not.toBe("");
      return { type: "reasoning", text };
    case "tool_use":
      return { type: "call", call: { id: start.id, name: start.name, arguments: text === "" ? "{}" : text } };
    default:
      return start satisfies never;
  }
}

/** A block of a body that is whole. */
export function wholeBlock(block: Block): StreamedBlock {
  switch (block.type) {
    case "text":
      return { start: block, text: block.text, ended: true };
    case "thinking":
      expect(block.signature).toEqual(expect.any(String));
      return { start: block, text: block.thinking, ended: true };
    case "tool_use":
      expect(block).toEqual({ ...FORMS.tool_use.begins, input: expect.any(Object) });
      return { start: block, text: JSON.stringify(block.input), ended: true };
    default:
      return block satisfies never;
  }
}
