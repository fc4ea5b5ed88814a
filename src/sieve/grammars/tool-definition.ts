import { isObject, parseJson } from "../../json.ts";
import { mark } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { mendJson } from "../values/mend-json.ts";
import { readOneOf } from "./tags.ts";

/**
 * Models repeat the definition of a tool where they might have called it. It looks like a call, but what stands under
 * `parameters` is a JSON Schema (sieve.md M5).
 */

/** What such a schema may begin with. */
const KEYWORDS = [
  ..."$schema $defs definitions additionalProperties description properties required strict title type".split(" "),
];
const FIRST_KEYS = compileHeads([], { peeks: KEYWORDS.flatMap((key) => [`"${key}"`, `'${key}'`]).map(mark) });

/** Looks at the first key of an object, from behind its `{` on: a parameter of the tool may have the name of a keyword. */
export function* mayBeginDefinition(call: TentativeCall): Part<boolean> {
  const { found } = yield* readOneOf(FIRST_KEYS);
  return found !== undefined && !call.arguments.expects(found.slice(1, -1));
}

/** The arguments, read whole, are a schema. */
export function isDefinition(json: string, call: TentativeCall): boolean {
  const value = parseJson(mendJson(json)?.json ?? "");
  if (!isObject(value)) return false;
  const { type, properties } = value;
  const isType = typeof type === "string" && type.toLowerCase() === "object" && !call.arguments.expects("type");
  return isType || (isObject(properties) && !call.arguments.expects("properties"));
}
