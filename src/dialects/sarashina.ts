import type { Json } from "../conversation.ts";
import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";

/** A list of Python dictionaries behind a special token. */
export const sarashina: Dialect = {
  id: "sarashina",
  aliases: [],
  models: "Sarashina",
  source: "json",
  openers: [],
  wrappers: [{ open: mark("<|tool_calls|>"), closes: [] }],
  bodies: [jsonBody],
  closers: [],
  results: [],
  write: { calls: (calls) => `<|tool_calls|>${python(calls.map(({ name, input }) => ({ name, arguments: input })))}` },
  reserved: [],
};

function python(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "string") return quoted(value);
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${quoted(key)}: ${python(member)}`)
      .join(", ")}}`;
  }
  return { true: "True", false: "False", null: "None" }[String(value)] ?? JSON.stringify(value);
}

/** Escapes are those that JSON and Python share. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
