import type { Json, JsonObject, JsonSchema } from "../../conversation.ts";
import type { JsonType } from "../../schema/extent.ts";
import { readToolSchema, type Shape } from "../../schema.ts";
import { splitWords, type Words } from "./words.ts";

/** How deep a value is built; a recursive schema has no end of its own. */
const MAX_DEPTH = 4;
/** Properties that one call looks at, and characters that count as one more; a schema can branch at every level. */
const MAX_PROPERTIES = 1_000;
const PROPERTY_CHARACTERS = 64;
/** Of a closed list, how many values are compared with the user's words, and how long they may be. */
const COMPARED = 200;
const COMPARED_CHARACTERS = 64;

/** Parameters that hold a place in a file system or the web, and those that hold whole sentences. */
const PLACES = /^(?:path|file|filename|dir|directory|folder|root|cwd|url|uri|link)$/;
const SENTENCES = /^(?:command|cmd|code|content|text|body|message|prompt|description|query|question|input|title)$/;

/** What the values of one call are made from. */
interface Material {
  words: Words;
  /** Properties that may still be looked at. */
  budget: number;
}

/**
 * Arguments in the shape that the tool's schema asks for, out of the user's words as far as they go. Of a schema that
 * asks for too much, deeply or widely, the rest is left out.
 */
export function makeArguments(parameters: JsonSchema, words: Words): JsonObject {
  return makeObject(readToolSchema(parameters), { words, budget: MAX_PROPERTIES }, 0);
}

function makeObject(shape: Shape, material: Material, depth: number): JsonObject {
  const required = shape.required();
  const members: [string, Json][] = [];
  for (const key of shape.keys()) {
    if (material.budget <= 0) break;
    material.budget -= 1 + key.length / PROPERTY_CHARACTERS;
    const property = shape.property(key);
    // What is optional is given where the user names one of its values.
    const wanted = required.has(key) || required.size === 0;
    const value = property && (wanted ? make(key, property, material, depth) : namedLiteral(property, material.words));
    if (value !== undefined) members.push([key, value]);
  }
  return Object.fromEntries(members);
}

function make(key: string, shape: Shape, material: Material, depth: number): Json {
  const given = namedLiteral(shape, material.words) ?? shape.keyword("default") ?? firstLiteral(shape);
  if (given !== undefined) {
    material.budget -= JSON.stringify(given).length / PROPERTY_CHARACTERS;
    return given;
  }
  const [member] = shape.members();
  if (member && depth < MAX_DEPTH) return make(key, member, material, depth + 1);
  // `["null", "string"]` is a string; where nothing is said, too.
  const types = [...(shape.types() ?? ["string" as const])];
  return makeOfType(types.find((type) => type !== "null") ?? "null", key, shape, material, depth);
}

function makeOfType(type: JsonType, key: string, shape: Shape, material: Material, depth: number): Json {
  switch (type) {
    case "string":
      return makeString(splitWords(key), material.words);
    case "number":
    case "integer":
      return makeNumber(shape, material.words, type === "integer");
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const items = depth < MAX_DEPTH ? shape.items() : undefined;
      return items ? [make(key, items, material, depth + 1)] : [];
    }
    case "object":
      return depth < MAX_DEPTH ? makeObject(shape, material, depth + 1) : {};
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
  let compared = 0;
  for (const literal of shape.literals() ?? []) {
    compared += 1;
    if (compared > COMPARED) return undefined;
    const text = String(literal);
    const parts = text.length > COMPARED_CHARACTERS ? [] : splitWords(text);
    if (parts.length > 0 && parts.every((part) => words.all.has(part))) return literal;
  }
  return undefined;
}

function firstLiteral(shape: Shape): Json | undefined {
  for (const literal of shape.literals() ?? []) return literal;
  return undefined;
}
