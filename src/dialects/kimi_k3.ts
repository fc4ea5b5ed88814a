import { jsonArguments } from "../sieve/grammars/json-members.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import type { CallBody } from "../sieve/grammars/tag-set.ts";
import { readHead, readOneOf } from "../sieve/grammars/tags.ts";
import { type Head, mark, tag, type Wrapper } from "../sieve/notation.ts";
import { compileHeads } from "../sieve/one-of.ts";
import type { TagRest } from "../sieve/tag-rest.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

const open = (name: string) => mark(`<|open|>${name}<|sep|>`);
const close = (name: string) => mark(`<|close|>${name}<|sep|>`);

/** A tag with attributes; one of them may name what it opens. */
const attributed = (tagName: string, name?: string): Head => ({
  ...tag(`<|open|>${tagName}`),
  syntax: { end: "<|sep|>", ...(name !== undefined && { name }) },
});

// ── read ──

const JSON_OPEN = attributed("json");
const jsonHeads = { open: compileHeads([JSON_OPEN]), close: compileHeads([close("json")]) };

/** All arguments in one: what is written where the schema is enforced. */
const jsonBlock: CallBody = {
  leads: [JSON_OPEN],
  *read(block, call) {
    yield* readOneOf(jsonHeads.open);
    if (!(yield* readHead(JSON_OPEN.syntax)).ok) return "bad";
    const end = yield* jsonArguments(block, call);
    const closed = (yield* readOneOf(jsonHeads.close)).found !== undefined;
    if (!closed || (end !== "closed" && end !== "open")) return "bad";
    if (end === "open") block.repaired("missing-brace");
    return "whole";
  },
};

const TOOLS: Wrapper = { open: open("tools"), closes: [close("tools")] };
const call = attributed("call", "tool");
const tags = parameterTags({
  call: { opens: [call], closes: [close("call")] },
  parameter: { opens: [attributed("argument", "key")], closes: [close("argument")] },
  style: "verbatim",
  typeOf,
  bodies: [jsonBlock],
});

function typeOf(head: TagRest): "string" | "literal" | undefined {
  const type = head.attribute("type")?.toLowerCase();
  if (type === undefined) return undefined;
  return type === "string" ? "string" : "literal";
}

// ── write ──

/** Attributes escape no more than this. */
const attribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Kimi K3: everything stands in tags made of special tokens, what is said and what is thought, too. */
export const kimiK3: Dialect = {
  id: "kimi_k3",
  models: "Kimi K3",
  source: "xml",
  openers: [{ ...call, evidence: "wrapper-missing", read: tags.behind(call, TOOLS) }],
  wrappers: [TOOLS],
  bodies: [{ source: "xml", leads: tags.leads, in: tags.in }],
  suspendsReasoning: "always",
  closers: ["call", "argument"].map(close),
  channels: {
    reasoning: [{ open: open("think").spelling, close: close("think").spelling }],
    visible: [open("response").spelling],
    strips: ["response", "message"].map((name) => close(name).spelling),
  },
  write: pairWriter({
    block: (calls) => `${open("tools").spelling}${calls}${close("tools").spelling}`,
    call: (name, parameters, ordinal) =>
      `<|open|>call tool="${attribute(name)}" index="${ordinal}"<|sep|>${parameters}${close("call").spelling}`,
    pair: (key, value, type) =>
      `<|open|>argument key="${attribute(key)}" type="${type}"<|sep|>${value}${close("argument").spelling}`,
    separator: "",
    marks: /^[ \t\r\n]*<!\[CDATA\[|<\|(?:open|close|sep)\|>/i,
  }),
  reserved: ["<|open|>", "<|close|>", "<|sep|>"],
};
