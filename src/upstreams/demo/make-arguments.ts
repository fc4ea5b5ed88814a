import type { Json, JsonObject, JsonSchema } from "../../conversation.ts";
import type { JsonType } from "../../schema/extent.ts";
import { readToolSchema, type Shape } from "../../schema.ts";
import { splitWords, type WordKind, type Words } from "./words.ts";

/** How deep a value is built; a recursive schema has no end of its own. */
const MAX_DEPTH = 4;

/** Which finds suit a string, by a word of its parameter's name; in order of preference. */
const SUITABLE: readonly [RegExp, readonly WordKind[]][] = [
  [/^(?:path|file|filename|dir|directory|folder|root|cwd)$/, ["path", "quoted"]],
  [/^(?:url|uri|link|href)$/, ["url", "quoted"]],
  [/^(?:city|town|place|location|country|region)$/, ["name", "object", "quoted"]],
  [/^(?:command|cmd|code|content|text|body|message|prompt|description|query|question|input|reason)$/, ["quoted"]],
];

/** Arguments in the shape that the tool's schema asks for, out of the user's words as far as they go. */
export function makeArguments(parameters: JsonSchema, words: Words): JsonObject {
  return makeObject(readToolSchema(parameters), words, 0);
}

function makeObject(shape: Shape, words: Words, depth: number): JsonObject {
  // Without a prototype no parameter's name means anything special.
  const object: JsonObject = Object.create(null);
  if (depth > MAX_DEPTH) return object;
  const required = shape.required();
  for (const key of shape.keys()) {
    const property = shape.property(key);
    if (!property) continue;
    // What is optional is given where the user names one of its values.
    const wanted = required.has(key) || required.size === 0;
    const value = wanted ? make(key, property, words, depth) : namedLiteral(property, words);
    if (value !== undefined) object[key] = value;
  }
  return object;
}

function make(key: string, shape: Shape, words: Words, depth: number): Json {
  const given = namedLiteral(shape, words) ?? shape.keyword("default") ?? [...(shape.literals() ?? [])][0];
  if (given !== undefined) return given;
  const [member] = shape.members();
  if (member && depth < MAX_DEPTH) return make(key, member, words, depth + 1);
  return makeOfType(firstType(shape), key, shape, words, depth);
}

function makeOfType(type: JsonType, key: string, shape: Shape, words: Words, depth: number): Json {
  switch (type) {
    case "string":
      return makeString(key, words);
    case "number":
    case "integer":
      return makeNumber(type, shape, words);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const items = shape.items();
      return items && depth < MAX_DEPTH ? [make(key, items, words, depth + 1)] : [];
    }
    case "object":
      return makeObject(shape, words, depth + 1);
    default:
      return type satisfies never;
  }
}

/** `["string", "null"]` is a string; where nothing is said, too. */
function firstType(shape: Shape): JsonType {
  const types = [...(shape.types() ?? [])];
  return types.find((type) => type !== "null") ?? types[0] ?? "string";
}

function makeString(key: string, words: Words): string {
  const parts = splitWords(key);
  const suited = SUITABLE.find(([pattern]) => parts.some((part) => pattern.test(part)));
  const kinds: readonly WordKind[] = suited?.[1] ?? ["quoted", "name", "path", "url", "object"];
  for (const kind of kinds) {
    const word = words.take(kind);
    if (word !== undefined) return word;
  }
  if (suited?.[1].length === 1) return words.text;
  return words.take("last") ?? words.text;
}

function makeNumber(type: "number" | "integer", shape: Shape, words: Words): number {
  const least = numeric(shape.keyword("minimum"));
  const most = numeric(shape.keyword("maximum"));
  const said = Number(words.take("number") ?? least ?? 1);
  const bounded = Math.min(Math.max(said, least ?? said), most ?? Number.POSITIVE_INFINITY);
  return type === "integer" ? Math.trunc(bounded) : bounded;
}

function numeric(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The one of a closed list's values that the user mentions. */
function namedLiteral(shape: Shape, words: Words): Json | undefined {
  return [...(shape.literals() ?? [])].find((literal) => {
    const parts = splitWords(String(literal));
    return parts.length > 0 && parts.every((part) => words.all.has(part));
  });
}
