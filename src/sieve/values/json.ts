import { measureStructure } from "../../json-structure.ts";
import { VALUE_DEPTH } from "../../limits.ts";
import type { JsonType } from "../../schema/extent.ts";
import { isJsonNumber } from "./number.ts";
import { trimBlanks } from "./value.ts";

/** All but quotes, backslashes, control characters and surrogates. */
const NOT_PLAIN = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * A piece of text as it stands inside a JSON string, quotes not included. A lone half of a surrogate pair becomes an
 * escape; a pair that is split over two pieces must be joined before.
 */
export function escapeJson(piece: string): string {
  // The hot path of every streamed argument: one test, no copy. Surrogates take the other way, since it tells pairs.
  return NOT_PLAIN.test(piece) ? JSON.stringify(piece).slice(1, -1) : piece;
}

/**
 * The type of the one JSON value that the whole text is, blanks around it allowed; undefined when it is none, or one
 * nested beyond `VALUE_DEPTH`.
 */
export function jsonTypeOf(text: string): JsonType | undefined {
  const json = trimBlanks(text);
  // Text that is no JSON, the usual case, is told by its looks: an exception costs as much as parsing a page.
  switch (json[0]) {
    case "[":
      return json.endsWith("]") && parses(json) ? "array" : undefined;
    case "{":
      return json.endsWith("}") && parses(json) ? "object" : undefined;
    case '"':
      return json.endsWith('"') && parses(json) ? "string" : undefined;
    case "t":
    case "f":
      return json === "true" || json === "false" ? "boolean" : undefined;
    case "n":
      return json === "null" ? "null" : undefined;
    default:
      return isJsonNumber(json) ? "number" : undefined;
  }
}

function parses(json: string): boolean {
  if ("exceeded" in measureStructure(json, { depth: VALUE_DEPTH, structure: Infinity })) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** JSON as it was written, so that numbers keep their digits and keys their order (sieve.md V6, V9). */
export function jsonSource(json: string): string {
  // Only a string of the JSON can hold half a pair; UTF-8 cannot.
  return json.isWellFormed() ? json : json.replace(/\p{Surrogate}+/gu, escapeJson);
}
