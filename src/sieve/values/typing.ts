import type { JsonType } from "../../schema/extent.ts";
import { type Shape, wantsArray } from "../../schema.ts";
import { readElements } from "./elements.ts";
import { escapeJson, jsonSource, jsonTypeOf } from "./json.ts";
import { integerDigits, isJsonNumber } from "./number.ts";
import { pythonToJson } from "./python.ts";
import { type Element, type Origin, trimBlanks, type Value } from "./value.ts";

export interface TypedValue {
  /** JSON text; numbers have the digits they were written with. */
  json: string;
  /** False when the value, or one inside it, could not be read as its schema asks for and stayed text. */
  fits: boolean;
}

/**
 * Gives a complete value its type (sieve.md V6; V7 where the schema says nothing) and never fails: what cannot be read
 * as any of the types asked for is its own text as a string.
 *
 * @param marked the text with the CDATA sections inside it still marked, where they were unwrapped in `text`: elements
 *   need them, since a section in an element is verbatim
 */
export function typedJson(text: string, origin: Origin, shape: Shape | undefined, marked = text): TypedValue {
  const value: Value = {
    text,
    origin,
    get elements() {
      return readElements(marked);
    },
  };
  return typed(value, shape);
}

type Types = ReadonlySet<JsonType>;

/** What has a type already keeps it (sieve.md V9), but that an integer is written as one: `5.0` is `5` (V6). */
function jsonOf(json: string, shape: Shape | undefined): string {
  const types = shape?.types();
  const whole = types?.has("integer") && !types.has("number") ? integerDigits(json) : undefined;
  return whole ?? jsonSource(json);
}

function typed(value: Value, shape: Shape | undefined): TypedValue {
  if (value.origin === "json") return { json: jsonOf(value.text, shape), fits: true };
  const types = shape?.types();
  if (!types) return untyped(value, shape);
  if (types.has("string")) return fitting(besidesString(value, types, shape) ?? stringJson(value.text));
  const text = trimBlanks(value.text);
  const json = scalarJson(text, types) ?? containerJson(text, types) ?? literalJson(text, types);
  if (json !== undefined) return fitting(json);
  return elementsJson(value, types, shape) ?? { json: stringJson(value.text), fits: false };
}

/**
 * Another member of a union with string. The text has to be all of that type as JSON writes it: a Python literal or
 * elements are ways to mean an array where nothing else could be meant, but here a string may be.
 */
function besidesString({ text, origin }: Value, types: Types, shape: Shape | undefined): string | undefined {
  if (types.size === 1 || origin === "string" || isListedString(text, shape)) return undefined;
  const trimmed = trimBlanks(text);
  return scalarJson(trimmed, types) ?? containerJson(trimmed, types);
}

/**
 * The text is a string that the schema lists, and not at once the JSON of another listed value: where both `"4"` and `4`
 * are, a bare `4` is the number, as our own writer has it (sieve.md P3), which puts strings in CDATA.
 */
function isListedString(text: string, shape: Shape | undefined): boolean {
  const literals = shape?.literals();
  if (!literals?.has(text)) return false;
  return ![...literals].some((literal) => typeof literal !== "string" && JSON.stringify(literal) === text);
}

/** V7: nothing is known of the value but how it is written. */
function untyped(value: Value, shape: Shape | undefined): TypedValue {
  if (value.origin === "string") return fitting(stringJson(value.text));
  const text = trimBlanks(value.text);
  if (jsonTypeOf(text)) return fitting(jsonSource(text));
  return elementsJson(value, undefined, shape) ?? fitting(stringJson(value.text));
}

function scalarJson(text: string, types: Types): string | undefined {
  if (text === "null" && types.has("null")) return text;
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase();
  if (types.has("number") && isJsonNumber(text)) return text;
  return types.has("integer") ? integerDigits(text) : undefined;
}

function containerJson(text: string, types: Types): string | undefined {
  if (!allowsContainer(types) || !/^[[{]/.test(text)) return undefined;
  const type = jsonTypeOf(text);
  return type && types.has(type) ? jsonSource(text) : undefined;
}

function literalJson(text: string, types: Types): string | undefined {
  if (!allowsContainer(types)) return undefined;
  const json = pythonToJson(text);
  return json !== undefined && types.has(json.startsWith("[") ? "array" : "object") ? json : undefined;
}

function elementsJson(value: Value, types: Types | undefined, shape: Shape | undefined): TypedValue | undefined {
  if (types && !allowsContainer(types)) return undefined;
  const { elements } = value;
  if (!elements) return undefined;
  if (elements.every(({ name }) => name === "item") && (!types || types.has("array"))) {
    return arrayJson(elements, shape?.items());
  }
  return !types || types.has("object") ? objectJson(elements, shape) : undefined;
}

function arrayJson(elements: readonly Element[], items: Shape | undefined): TypedValue {
  const members = elements.map(({ value }) => typed(value, items));
  return { json: `[${members.map(({ json }) => json).join(",")}]`, fits: allFit(members) };
}

/** An element given repeatedly is an array's items; undefined where the schema knows of no array, for one is lost then. */
function objectJson(elements: readonly Element[], shape: Shape | undefined): TypedValue | undefined {
  const members: TypedValue[] = [];
  for (const [name, given] of Map.groupBy(elements, (element) => element.name)) {
    const property = shape?.property(name);
    const [first, ...others] = given;
    if (others.length > 0 && property?.types() && !wantsArray(property)) return undefined;
    const member = others.length > 0 || !first ? arrayJson(given, property?.items()) : typed(first.value, property);
    members.push({ ...member, json: `${stringJson(name)}:${member.json}` });
  }
  return { json: `{${members.map(({ json }) => json).join(",")}}`, fits: allFit(members) };
}

function allFit(values: readonly TypedValue[]): boolean {
  return values.every(({ fits }) => fits);
}

function allowsContainer(types: Types): boolean {
  return types.has("array") || types.has("object");
}

function fitting(json: string): TypedValue {
  return { json, fits: true };
}

function stringJson(text: string): string {
  return `"${escapeJson(text)}"`;
}
