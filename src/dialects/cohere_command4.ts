import type { Json } from "../conversation.ts";
import { isObject } from "../json.ts";
import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import type { ValueType } from "../sieve/grammars/tag-set.ts";
import { tag, type Wrapper } from "../sieve/notation.ts";
import type { TagRest } from "../sieve/tag-rest.ts";
import { attribute } from "./attribute.ts";
import type { CallWriter, Dialect, WrittenCall } from "./dialect.ts";

// ── read ──

const TYPES: ReadonlyMap<string, ValueType> = new Map([
  ["raw", "string"],
  ["json", "literal"],
  ["dict", "object"],
  ["list", "array"],
]);

/** An earlier version says only whether a value is a string. */
function typeOf(head: TagRest): ValueType | undefined {
  const isString = head.attribute("string")?.toLowerCase();
  if (isString !== undefined) return isString === "true" ? "string" : "literal";
  return TYPES.get(head.attribute("type")?.toLowerCase() ?? "");
}

const wrapper: Wrapper = { open: tag("<cofl:tool_calls"), closes: [tag("</cofl:tool_calls")] };
const call = tag("<cofl:tool_call");
const parameter = ["value", "tool_param"];
const tags = parameterTags({
  call: { opens: [call], closes: [tag("</cofl:tool_call")] },
  parameter: {
    opens: parameter.map((name) => tag(`<cofl:${name}`)),
    closes: parameter.map((name) => tag(`</cofl:${name}`)),
  },
  style: "verbatim",
  typeOf,
  bodies: [objectBody],
});

// ── write ──

const write: CallWriter = {
  calls: (calls) => `<cofl:tool_calls>${calls.map(writtenCall).join("")}</cofl:tool_calls>`,
  carries: ({ input }) => carriesAll(input),
};

function writtenCall({ name, input }: WrittenCall, index: number): string {
  const values = Object.entries(input).map(([key, value]) => written(value, ` name="${attribute(key)}"`));
  return `<cofl:tool_call id="${index}" name="${attribute(name)}">${values.join("")}</cofl:tool_call>`;
}

/** Lists and objects are nested values, without names in a list. */
function written(value: Json, name = ""): string {
  const inTag = (type: string, content: string) => `<cofl:value${name} type="${type}">${content}</cofl:value>`;
  if (typeof value === "string") return inTag("raw", value);
  if (Array.isArray(value)) return inTag("list", value.map((item) => written(item)).join(""));
  if (!isObject(value)) return inTag("json", JSON.stringify(value));
  const members = Object.entries(value).map(([key, member]) => written(member, ` name="${attribute(key)}"`));
  return inTag("dict", members.join(""));
}

/** What would be read as the end of a text, or as CDATA. */
const MARKS = /^[ \t\r\n]*<!\[CDATA\[|<\/?cofl:/i;

function carriesAll(value: Json): boolean {
  if (typeof value === "string") return !MARKS.test(value);
  if (Array.isArray(value)) return value.every(carriesAll);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, member]) => key !== "" && carriesAll(member));
}

/** Cohere's tags: each value tells its type, lists and objects are values in values. */
export const cohereCommand4: Dialect = {
  id: "cohere_command4",
  models: "Cohere's models of 2026",
  source: "xml",
  openers: [{ ...call, evidence: "wrapper-missing", read: tags.behind(call, wrapper) }],
  wrappers: [wrapper],
  bodies: [{ source: "xml", leads: tags.leads, in: tags.in }],
  suspendsReasoning: "always",
  closers: ["tool_call", ...parameter].map((name) => tag(`</cofl:${name}`)),
  channels: {
    reasoning: [{ open: "<|START_THINKING|>", close: "<|END_THINKING|>" }],
    visible: ["<|START_RESPONSE|>", "<|START_TEXT|>"],
    strips: ["<|END_RESPONSE|>", "<|END_TEXT|>", "<|END_OF_TURN_TOKEN|>"],
  },
  write,
  reserved: parameter.map((name) => `<cofl:${name}`),
};
