import type { Json, JsonObject, JsonSchema } from "../../conversation.ts";
import type { JsonType } from "../../schema/extent.ts";
import { readToolSchema, type Shape } from "../../schema.ts";
import { splitWords, type Words } from "./words.ts";

/** How deep a value is built; a recursive schema has no end of its own. */
const MAX_DEPTH = 4;

/** Parameters that hold a place in a file system or the web, and those that hold whole sentences. */
const PLACES = /^(?:path|file|filename|dir|directory|folder|root|cwd|url|uri|link)$/;
const SENTENCES = /^(?:command|cmd|code|content|text|body|message|prompt|description|query|question|input|title)$/;

/** Arguments in the shape that the tool's schema asks for, out of the user's words as far as they go. */
export function makeArguments(parameters: JsonSchema, words: Words): JsonObject {
  return makeObject(readToolSchema(parameters), words, 0);
}

function makeObject(shape: Shape, words: Words, depth: number): JsonObject {
  const required = shape.required();
  const members = shape.keys().map((key) => {
    // What is optional is given where the user names one of its values.
    const wanted = required.has(key) || required.size === 0;
    const property = shape.property(key);
    return [key, property && (wanted ? make(key, property, words, depth) : namedLiteral(property, words))] as const;
  });
  return Object.fromEntries(members.filter((member): member is [string, Json] => member[1] !== undefined));
}

function make(key: string, shape: Shape, words: Words, depth: number): Json {
  const given = namedLiteral(shape, words) ?? shape.keyword("default") ?? [...(shape.literals() ?? [])][0];
  if (given !== undefined) return given;
  const [member] = shape.members();
  if (member && depth < MAX_DEPTH) return make(key, member, words, depth + 1);
  // `["null", "string"]` is a string; where nothing is said, too.
  const types = [...(shape.types() ?? ["string" as const])];
  return makeOfType(types.find((type) => type !== "null") ?? "null", key, shape, words, depth);
}

function makeOfType(type: JsonType, key: string, shape: Shape, words: Words, depth: number): Json {
  switch (type) {
    case "string":
      return makeString(splitWords(key), words);
    case "number":
    case "integer":
      return makeNumber(shape, words, type === "integer");
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const items = depth < MAX_DEPTH ? shape.items() : undefined;
      return items ? [make(key, items, words, depth + 1)] : [];
    }
    case "object":
      return depth < MAX_DEPTH ? makeObject(shape, words, depth + 1) : {};
    default:
      return type satisfies never;
  }
}

function makeString(key: readonly string[], words: Words): string {
  const is = (kind: RegExp) => key.some((word) => kind.test(word));
  if (is(SENTENCES)) return words.take("quoted") ?? words.text;
  return words.take(...(is(PLACES) ? PLACE_KINDS : OTHER_KINDS)) ?? words.text;
}

const PLACE_KINDS = ["path", "quoted", "last"] as const;
const OTHER_KINDS = ["name", "quoted", "object", "path", "last"] as const;

function makeNumber(shape: Shape, words: Words, whole: boolean): number {
  const bound = (name: string, absent: number) => {
    const value = shape.keyword(name);
    return typeof value === "number" ? value : absent;
  };
  const said = Number(words.take("number") ?? bound("minimum", 1));
  const number = Math.min(Math.max(said, bound("minimum", said)), bound("maximum", Number.POSITIVE_INFINITY));
  return whole ? Math.trunc(number) : number;
}

/** The one of a closed list's values that the user mentions. */
function namedLiteral(shape: Shape, words: Words): Json | undefined {
  return [...(shape.literals() ?? [])].find((literal) => {
    const parts = splitWords(String(literal));
    return parts.length > 0 && parts.every((part) => words.all.has(part));
  });
}
