import type { Json } from "../conversation.ts";
import type { CallWriter, WrittenCall } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** How a notation writes its literals: as Python shows them, as Python with the quotes of JSON, or as JSON. */
export type Literals = "python" | "python-double" | "json";

/** A list of calls: `[f(a='x'), g()]`. */
export function pythonListWriter(literals: Literals, around: (list: string) => string = (list) => list): CallWriter {
  return { calls: (calls) => around(`[${calls.map((call) => pythonCall(call, literals)).join(", ")}]`), carries };
}

/** One call a line. */
export function pythonLinesWriter(
  literals: Literals,
  around: (lines: string) => string = (lines) => lines,
): CallWriter {
  return { calls: (calls) => around(calls.map((call) => pythonCall(call, literals)).join("\n")), carries };
}

export function pythonCall({ name, input }: WrittenCall, literals: Literals): string {
  const keywords = Object.entries(input).map(([key, value]) => `${key}=${literal(value, literals)}`);
  return `${name}(${keywords.join(", ")})`;
}

export function literal(value: Json, literals: Literals): string {
  if (literals === "json") return spacedJson(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, literals)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${literal(key, literals)}: ${literal(item, literals)}`);
    return `{${members.join(", ")}}`;
  }
  if (typeof value === "string") return literals === "python" ? singleQuoted(value) : JSON.stringify(value);
  return value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);
}

/** JSON's escapes are Python's, too. */
function singleQuoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1);
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A keyword has no quotes around it. */
export function carries({ input }: WrittenCall): boolean {
  return Object.keys(input).every((key) => /^[\p{L}\p{M}\p{N}._$-]+$/u.test(key));
}
