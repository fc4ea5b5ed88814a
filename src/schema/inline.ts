import type { Json, JsonObject, JsonSchema } from "../conversation.ts";
import { isObject } from "../json.ts";
import { follow, own } from "./node.ts";

/** Keywords whose members have names of the client's, and are schemas. */
const NAMED: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);
/** Keywords that hold values, which no keyword counts in. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "example", "examples"]);
/** Say nothing about a value: they serve generators, and references that are followed here. */
const SILENT: ReadonlySet<string> = new Set(["$ref", "$defs", "definitions", "$schema", "$id", "$comment", "title"]);

/** Schemas in schemas. */
const MAX_DEPTH = 32;

/** What one of them takes at least: most of those that fan out come to nothing. */
const LEAST_CHARACTERS = 8;

/**
 * Makes schemas stand for themselves: what a `$ref` points to takes its place, and keywords beside it win, as in
 * `Shape.keyword`. A schema that comes round again within itself says nothing there, and so does what is beyond the caps.
 *
 * @param maxCharacters of all schemas together, roughly: references that fan out grow without end
 */
export function createInliner(maxCharacters: number): (root: JsonSchema | undefined) => JsonObject {
  let left = maxCharacters;

  return (root) => {
    const within = new Set<JsonObject>();

    function schema(value: Json): Json {
      return isObject(value) ? inlined(value) : leaf(value);
    }

    function inlined(node: JsonObject): JsonObject {
      left -= LEAST_CHARACTERS;
      const nodes = referred(root, node).filter((each) => !within.has(each));
      if (left <= 0 || within.size >= MAX_DEPTH) return {};
      for (const each of nodes) within.add(each);
      const members = nodes.flatMap((each, index) =>
        Object.entries(each).filter(
          ([key]) => !SILENT.has(key) && !nodes.slice(0, index).some((outer) => Object.hasOwn(outer, key)),
        ),
      );
      const made = members.map(([key, value]) => [named(key), keyword(key, value)] as const);
      for (const each of nodes) within.delete(each);
      return Object.fromEntries(made);
    }

    function keyword(key: string, value: Json): Json {
      if (VALUES.has(key)) return leaf(value);
      if (Array.isArray(value)) return value.map(schema);
      if (!NAMED.has(key) || !isObject(value)) return schema(value);
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [named(name), schema(member)]));
    }

    const made = schema((root ?? {}) as Json);
    return isObject(made) ? made : {};
  };

  function leaf(value: Json): Json {
    left -= JSON.stringify(value).length;
    return value;
  }

  function named(key: string): string {
    // Its quotes, a colon, a comma and the brackets of what it names.
    left -= key.length + 6;
    return key;
  }
}

/** The node and what its `$ref` leads to, each once. */
function referred(root: unknown, node: JsonObject): JsonObject[] {
  const nodes = new Set<JsonObject>();
  for (let next: unknown = node; isObject(next) && !nodes.has(next); next = follow(root, own(next, "$ref"))) {
    nodes.add(next);
  }
  return [...nodes];
}
