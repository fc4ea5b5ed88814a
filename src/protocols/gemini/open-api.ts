import type { Json, JsonObject, JsonSchema } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { camelCase } from "./proto-fields.ts";

/** Undefined leaves the keyword out. */
type Convert = (value: Json) => Json | undefined;

const toType: Convert = (type) => {
  if (Array.isArray(type)) return type.flatMap((name) => toType(name) ?? []);
  if (typeof type !== "string") return type;
  return type === "TYPE_UNSPECIFIED" ? undefined : type.toLowerCase();
};

/** The JSON of a protobuf message has an int64 as a string. */
const toNumber: Convert = (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value);

const toSchema = (value: Json): Json => (isObject(value) ? toJsonSchema(value) : value);

const toSchemas: Convert = (value) => (Array.isArray(value) ? value.map(toSchema) : toSchema(value));

/** `fromEntries` defines what it is given, `__proto__` too. */
const toSchemasByName: Convert = (value) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, toSchema(schema)])) : value;

const keep: Convert = (value) => value;

/** Keywords that differ from JSON Schema's, or hold schemas that do. Any other stays as it is. */
const KEYWORDS = new Map<string, Convert>([
  ["type", toType],
  ["format", (format) => (format === "enum" ? undefined : format)],
  ["propertyOrdering", keep],
  ["properties", toSchemasByName],
  ["$defs", toSchemasByName],
  ["definitions", toSchemasByName],
  ["items", toSchemas],
  ["prefixItems", toSchemas],
  ["anyOf", toSchemas],
  ["oneOf", toSchemas],
  ["allOf", toSchemas],
  ["additionalProperties", toSchemas],
  ["minItems", toNumber],
  ["maxItems", toNumber],
  ["minLength", toNumber],
  ["maxLength", toNumber],
  ["minProperties", toNumber],
  ["maxProperties", toNumber],
]);

/**
 * Gemini's `Schema`, a subset of OpenAPI's, as JSON Schema. The gateway's own reader bears much of it as it is, but the
 * schema of a response goes on to an upstream that knows JSON Schema alone. JSON Schema itself comes through unchanged:
 * clients send that, too. No deeper than a body may be nested.
 */
export function toJsonSchema(given: JsonSchema): JsonSchema {
  if (!isObject(given)) return given;
  const { nullable, propertyOrdering, example, ...schema } = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const keyword = KEYWORDS.has(camelCase(key)) ? camelCase(key) : key;
      const converted = (KEYWORDS.get(keyword) ?? keep)(value);
      return converted === undefined ? [] : [[keyword, converted]];
    }),
  );
  return {
    ...schema,
    ...(isObject(schema.properties) && { properties: inOrder(schema.properties, propertyOrdering) }),
    ...(nullable === true && withNull(schema)),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Properties that the order does not name come last. */
function inOrder(properties: JsonObject, order: Json | undefined): JsonObject {
  const named = Array.isArray(order) ? order.filter((key) => typeof key === "string") : [];
  const keys = [...named.filter((key) => Object.hasOwn(properties, key)), ...Object.keys(properties)];
  return Object.fromEntries(keys.map((key) => [key, properties[key] ?? null]));
}

/** What would keep null out lets it in. */
function withNull({ type, enum: literals, anyOf }: JsonObject): JsonObject {
  return {
    ...(type !== undefined && { type: [type, "null"].flat() }),
    ...(Array.isArray(literals) && { enum: [...literals, null] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, { type: "null" }] }),
  };
}
