import { expect } from "vitest";
import type { Cursor } from "./events.ts";
import type { WirePart } from "./wire-reply.ts";

/** What the output of a response consists of. */
export type Item = MessageItem | ReasoningItem | CallItem | FreeformItem;
type Status = "in_progress" | "completed" | "incomplete";

interface MessageItem {
  type: "message";
  id: string;
  role: string;
  status: Status;
  content: TextPart[];
}

interface ReasoningItem {
  type: "reasoning";
  id: string;
  status?: Status;
  summary: TextPart[];
  content?: TextPart[];
}

interface CallItem {
  type: "function_call";
  id: string;
  call_id: string;
  name: string;
  arguments: string;
  status: Status;
}

interface FreeformItem {
  type: "custom_tool_call";
  id: string;
  call_id: string;
  name: string;
  input: string;
  status: Status;
}

interface TextPart {
  type: string;
  text: string;
}

/** An item as the stream gave it: as far as it came where nothing ended it. */
export interface StreamedItem {
  item: Item;
  ended: boolean;
}

/** Reads one item: added, what it consists of, done. The end of a response may stand where an item is not done. */
export function readItem(cursor: Cursor, index: number): StreamedItem {
  const added = cursor.take<{ output_index: number; item: Item }>("output_item.added");
  expect(added.output_index, "items are numbered").toBe(index);
  const { item } = added;
  const place = { item_id: item.id, output_index: index };
  const asFarAsItCame = "call_id" in item ? readCall(cursor, item, place) : readText(cursor, item, place);
  if (cursor.next() !== "output_item.done") return { item: asFarAsItCame, ended: false };
  const done = cursor.take<{ output_index: number; item: Item }>("output_item.done");
  expect(done.output_index).toBe(index);
  expect({ ...done.item, status: undefined }, "done as it was streamed").toEqual({
    ...asFarAsItCame,
    status: undefined,
  });
  return { item: done.item, ended: true };
}

interface Place {
  item_id: string;
  output_index: number;
}

/** The events that bring a text; the names are all that differs. */
interface TextForm {
  part: string;
  text: string;
  /** Of the part within its item. */
  index: string;
  /** What the part is when it begins. */
  begins: object;
}

const FORMS: { readonly [first: string]: TextForm } = {
  message: {
    part: "content_part",
    text: "output_text",
    index: "content_index",
    begins: { type: "output_text", text: "", annotations: [] },
  },
  summary: {
    part: "reasoning_summary_part",
    text: "reasoning_summary_text",
    index: "summary_index",
    begins: { type: "summary_text", text: "" },
  },
  raw: {
    part: "content_part",
    text: "reasoning_text",
    index: "content_index",
    begins: { type: "reasoning_text", text: "" },
  },
};

/** One part: added, deltas, the text done, the part done. */
function readText(cursor: Cursor, item: MessageItem | ReasoningItem, place: Place): Item {
  const summarized = cursor.next() === "reasoning_summary_part.added";
  const form = FORMS[item.type === "message" ? "message" : summarized ? "summary" : "raw"] as TextForm;
  expect(item, "an item begins empty").toMatchObject(
    item.type === "message" ? { role: "assistant", status: "in_progress", content: [] } : { summary: [] },
  );
  const at = { ...place, [form.index]: 0 };
  const { part: begun } = cursor.take<{ part: TextPart }>(`${form.part}.added`);
  expect(begun).toMatchObject(form.begins);
  const text = readDeltas(cursor, `${form.text}.delta`, at);
  const part = { ...begun, text };
  if (cursor.next() === `${form.text}.done`) {
    expect(cursor.take(`${form.text}.done`)).toMatchObject({ ...at, text });
    expect(cursor.take(`${form.part}.done`)).toMatchObject({ ...at, part });
  }
  return { ...item, [form === FORMS.summary ? "summary" : "content"]: [part] };
}

/** `arguments`, or for a freeform tool the plain text as `input`. */
function readCall(cursor: Cursor, item: CallItem | FreeformItem, place: Place): Item {
  const freeform = item.type === "custom_tool_call";
  const [family, key] = freeform ? ["custom_tool_call_input", "input"] : ["function_call_arguments", "arguments"];
  expect(item, "a call begins empty").toMatchObject({ [key]: "", status: "in_progress" });
  const given = readDeltas(cursor, `${family}.delta`, place);
  if (cursor.next() === `${family}.done`) {
    const done = { ...place, ...(!freeform && { name: item.name }), [key]: given };
    expect(cursor.take(`${family}.done`)).toMatchObject(done);
  }
  return { ...item, [key]: given };
}

function readDeltas(cursor: Cursor, type: string, place: object): string {
  const deltas = cursor.all<{ delta: string }>(type);
  expect(deltas, "where a delta belongs").toMatchObject(deltas.map(() => place));
  const pieces = deltas.map(({ delta }) => delta);
  expect(pieces, "an empty delta").not.toContain("");
  return pieces.join("");
}

const PREFIXES = { message: "msg_", reasoning: "rs_", function_call: "fc_", custom_tool_call: "ctc_" };

/** Demands what holds of each item of a response that is over. */
export function expectItem(item: Item, output: readonly Item[]) {
  expect(item.id).toMatch(new RegExp(`^${PREFIXES[item.type]}\\w{24,}$`));
  if ("call_id" in item) expect(item.call_id).toMatch(/^call_\w{24,}$/);
  if (item.type !== "message") return;
  expect(item).toMatchObject({ role: "assistant", content: [{ type: "output_text", annotations: [] }] });
  expect(item.content).toHaveLength(1);
  if (item.content[0]?.text !== "") return;
  expect(
    output.filter(({ type }) => type !== "reasoning"),
    "only an empty answer has an empty text",
  ).toHaveLength(1);
}

/** The arguments of a call, or the plain text of a freeform one. */
export const givenTo = (item: CallItem | FreeformItem) => (item.type === "function_call" ? item.arguments : item.input);

export function partOf(item: Item): WirePart {
  switch (item.type) {
    case "message":
      return { type: "text", text: textOf(item.content) };
    case "reasoning":
      return { type: "reasoning", text: textOf([...item.summary, ...(item.content ?? [])]) };
    case "function_call":
      return { type: "call", call: { id: item.call_id, name: item.name, arguments: item.arguments } };
    case "custom_tool_call": {
      const json = JSON.stringify({ input: item.input });
      return { type: "call", call: { id: item.call_id, name: item.name, arguments: json } };
    }
    default:
      return item satisfies never;
  }
}

const textOf = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join("");
