import { escapeJson } from "../values/json.ts";
import { isJsonNumber } from "../values/number.ts";
import type { Origin } from "../values/value.ts";

/** A value: a scalar as its text, anything else as JSON. */
export interface YamlValue {
  readonly text: string;
  /** `bare`: a plain scalar, whose type is for a schema to tell. */
  readonly origin: Origin;
}

export const json = (text: string): YamlValue => ({ text, origin: "json" });

/** The value where no schema tells its type. */
export function jsonOf({ text, origin }: YamlValue): string {
  if (origin === "json") return text;
  return origin === "bare" ? plainJson(text) : stringJson(text);
}

export function stringJson(text: string): string {
  return `"${escapeJson(text)}"`;
}

/** Of a plain scalar, by YAML's core schema. */
export function plainJson(text: string): string {
  if (/^(?:null|Null|NULL|~|)$/.test(text)) return "null";
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return text.toLowerCase();
  return isJsonNumber(text) ? text : stringJson(text);
}
