import type { Json, JsonObject } from "../conversation.ts";
import { isDefined, list, own } from "./node.ts";

export type JsonType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** Which values may stand somewhere, as far as types and closed lists tell. */
export interface Extent {
  readonly types?: ReadonlySet<JsonType> | undefined;
  readonly literals?: ReadonlySet<Json> | undefined;
}

export function extentOf(parts: readonly JsonObject[], unions: readonly (readonly Extent[])[]): Extent {
  const literals = parts.map(literalsOf).find(isDefined) ?? unions.map(uniteLiterals).find(isDefined);
  const declared =
    [...parts.map(typesOf), ...unions.map(uniteTypes)].filter(isDefined).reduce<Types>(intersect, undefined) ??
    parts.map(impliedType).find(isDefined);
  const types = narrow(declared, literals);
  if (types === undefined || types.size === 0) return {};
  if (!parts.some((node) => own(node, "nullable") === true)) return { types, literals };
  return { types: new Set<JsonType>([...types, "null"]), literals: literals && new Set([...literals, null]) };
}

type Types = ReadonlySet<JsonType> | undefined;

const JSON_TYPES: ReadonlySet<string> = new Set<JsonType>([
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
]);

function typesOf(node: JsonObject): Types {
  const names = [own(node, "type")].flat().flatMap((name) => (typeof name === "string" ? [name.toLowerCase()] : []));
  const types = names.filter((name): name is JsonType => JSON_TYPES.has(name));
  return types.length > 0 ? new Set(types) : undefined;
}

/** A schema that lists properties or items means an object or an array, though to the letter anything else fits too. */
function impliedType(node: JsonObject): Types {
  if (["properties", "additionalProperties", "patternProperties", "required"].some((name) => Object.hasOwn(node, name)))
    return new Set<JsonType>(["object"]);
  if (["items", "prefixItems"].some((name) => Object.hasOwn(node, name))) return new Set<JsonType>(["array"]);
  return undefined;
}

function literalsOf(node: JsonObject): ReadonlySet<Json> | undefined {
  if (Object.hasOwn(node, "const")) return new Set([node.const ?? null]);
  const values = list(node, "enum");
  if (values.length > 0) return new Set(values);
  const types = typesOf(node);
  return types?.size === 1 && types.has("null") ? new Set([null]) : undefined;
}

function uniteTypes(members: readonly Extent[]): Types {
  const types = members.map((member) => member.types);
  return types.every(isDefined) ? new Set(types.flatMap((each) => [...each])) : undefined;
}

function uniteLiterals(members: readonly Extent[]): ReadonlySet<Json> | undefined {
  const literals = members.map((member) => member.literals);
  return literals.every(isDefined) ? new Set(literals.flatMap((each) => [...each])) : undefined;
}

/** Every integer is a number. */
function intersect(a: Types, b: Types): Types {
  if (!a || !b) return a ?? b;
  const common = [...a, ...b].filter(
    (type) => (a.has(type) || isNumberIn(type, a)) && (b.has(type) || isNumberIn(type, b)),
  );
  return new Set(common);
}

function isNumberIn(type: JsonType, types: ReadonlySet<JsonType>): boolean {
  return type === "integer" && types.has("number");
}

/** A closed list of values knows better than a type that contradicts it. */
function narrow(declared: Types, literals: ReadonlySet<Json> | undefined): Types {
  if (!literals) return declared;
  const listed = new Set([...literals].map(typeOfLiteral));
  const types = intersect(declared, listed);
  return types?.size === 0 ? listed : types;
}

function typeOfLiteral(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}
