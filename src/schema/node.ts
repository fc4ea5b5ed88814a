import type { Json, JsonObject } from "../conversation.ts";
import { isObject } from "../json.ts";

export function propertiesOf(node: JsonObject): JsonObject {
  const properties = own(node, "properties");
  return isObject(properties) ? properties : {};
}

/** A tuple's items are not told apart: an item may be what any of them may be. */
export function itemsOf(node: JsonObject): unknown {
  const schemas = ["prefixItems", "items", "additionalItems"].flatMap((name) => own(node, name));
  return join("anyOf", schemas.filter(isObject));
}

/** A tuple's items by their place, in the words of drafts before 2020-12, too; undefined where it is none. */
export function placesOf(node: JsonObject): { places: readonly Json[]; rest: Json | undefined } | undefined {
  const prefix = list(node, "prefixItems");
  if (prefix.length > 0) return { places: prefix, rest: own(node, "items") };
  const places = list(node, "items");
  return places.length > 0 ? { places, rest: own(node, "additionalItems") } : undefined;
}

export function additionalOf(node: JsonObject): unknown {
  const patterns = own(node, "patternProperties");
  const schemas = [own(node, "additionalProperties"), ...(isObject(patterns) ? Object.values(patterns) : [])];
  return join("anyOf", schemas.filter(isObject));
}

/** Several schemas for one place as one. */
export function join(how: "allOf" | "anyOf", schemas: readonly unknown[]): unknown {
  const distinct = [...new Set(schemas)].filter(isDefined);
  return distinct.length > 1 ? { [how]: distinct } : distinct[0];
}

/** A local JSON pointer (`#/$defs/Name`). Nothing is ever fetched: any other reference leads nowhere. */
export function follow(root: unknown, ref: unknown): unknown {
  if (typeof ref !== "string" || !/^#(?:\/|$)/.test(ref)) return undefined;
  let place = root;
  for (const token of ref.split("/").slice(1)) {
    place = typeof place === "object" && place !== null ? own(place, pointerToken(token)) : undefined;
  }
  return place;
}

function pointerToken(token: string): string {
  return percentDecoded(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `__proto__` and `constructor` are keys like any others, but only where the client wrote them. */
export function own(from: object, key: string): Json | undefined {
  return Object.hasOwn(from, key) ? (from as JsonObject)[key] : undefined;
}

export function list(node: JsonObject, name: string): readonly Json[] {
  const value = own(node, name);
  return Array.isArray(value) ? value : [];
}

export function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
