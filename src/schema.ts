import type { Json, JsonObject, JsonSchema } from "./conversation.ts";
import { isObject } from "./json.ts";
import { once } from "./once.ts";
import { type Extent, extentOf, type JsonType } from "./schema/extent.ts";
import { additionalOf, follow, isDefined, itemsOf, join, list, own, placesOf, propertiesOf } from "./schema/node.ts";

/**
 * What a schema says about one place, seen through `$ref`, `allOf`, `anyOf` and `oneOf`. Read when asked, then kept.
 *
 * A shape describes and never judges: a schema that contradicts itself, points nowhere or to itself, or is no schema at
 * all says nothing. Recursive schemas have no end of shapes; `identity` tells when one comes round again.
 */
export interface Shape {
  /** Never empty; undefined when nothing is known, so that anything may stand here. */
  types(): ReadonlySet<JsonType> | undefined;
  /** The values of `enum` or `const` in the schema's order, when no others are allowed. Types follow them. */
  literals(): ReadonlySet<Json> | undefined;
  /** The alternatives of `anyOf` and `oneOf`; none where they only refine properties of the shape's own. */
  members(): readonly Shape[];
  /** Declared properties in the schema's order, those of the alternatives included. */
  keys(): readonly string[];
  declares(key: string): boolean;
  /** Of a declared key; of any other `additional()`. */
  property(key: string): Shape | undefined;
  /**
   * For keys that are not declared. A key counts as a match of every pattern of `patternProperties`: to run a client's
   * regular expressions on a model's text would let the two of them stop the isolate.
   */
  additional(): Shape | undefined;
  items(): Shape | undefined;
  /** Where the place of an item tells what it is: one for each place; `rest` is for those behind. */
  tuple(): readonly Shape[];
  rest(): Shape | undefined;
  required(): ReadonlySet<string>;
  /** A keyword as it is written (`description`, `default`, `minimum` …); the outermost node that has it wins. */
  keyword(name: string): Json | undefined;
  /** The schema's node in the client's document, behind its `$ref`: the same for shapes of the same origin. */
  identity(): JsonObject;
}

/** The one reader of JSON Schema: any draft, OpenAPI's `nullable`, Gemini's upper-case types. Never throws. */
export function readToolSchema(parameters: JsonSchema | undefined): Shape {
  return createDocument(parameters).shape(parameters);
}

/** Only a string fits. */
export function onlyString(shape: Shape | undefined): boolean {
  const types = shape?.types();
  return types?.size === 1 && types.has("string");
}

/** A string fits, or nothing is known. */
export function mayBeString(shape: Shape | undefined): boolean {
  return shape?.types()?.has("string") ?? true;
}

export function onlyStringOrNull(shape: Shape | undefined): boolean {
  const types = shape?.types();
  return types?.size === 2 && types.has("string") && types.has("null");
}

/** An array fits and a string does not: what is given repeatedly may be its items (sieve.md V8). */
export function wantsArray(shape: Shape | undefined): boolean {
  const types = shape?.types();
  return types?.has("array") === true && !types.has("string");
}

/** The one key that text without any key can be meant for: the only one that has to be given, else the only string. */
export function soleString(shape: Shape | undefined): string | undefined {
  if (!shape) return undefined;
  const isText = (key: string) => onlyString(shape.property(key));
  const required = [...shape.required()];
  const [key, ...others] = required.length > 0 ? required : shape.keys().filter(isText);
  return key !== undefined && others.length === 0 && isText(key) ? key : undefined;
}

/** Nodes that are read as speaking about one place, and unions in unions that are looked through; others say nothing. */
const MAX_NODES = 128;
const MAX_LEVELS = 32;

/** A client's schema as a whole: what `$ref` points into. */
interface SchemaDocument {
  /** Unions that are being looked through right now. */
  level: number;
  /** One shape per node: recursion comes back to what is read already. */
  shape(schema: unknown): NodeShape;
  target(ref: unknown): unknown;
}

function createDocument(root: unknown): SchemaDocument {
  const anything: JsonObject = {};
  const shapes = new Map<JsonObject, NodeShape>();
  const document: SchemaDocument = {
    level: 0,
    shape(schema) {
      const node = isObject(schema) ? schema : anything;
      const shape = shapes.get(node) ?? new NodeShape(node, document);
      shapes.set(node, shape);
      return shape;
    },
    target: (ref) => follow(root, ref),
  };
  return document;
}

class NodeShape implements Shape {
  readonly #node: JsonObject;
  readonly #document: SchemaDocument;
  readonly #properties = new Map<string, Shape>();
  #extentRead: Extent | undefined;

  constructor(node: JsonObject, document: SchemaDocument) {
    this.#node = node;
    this.#document = document;
  }

  /** All of them hold at once. */
  readonly #parts = once(() =>
    collectNodes([this.#node], (node) => [this.#document.target(own(node, "$ref")), ...list(node, "allOf")]),
  );

  readonly #unions = once(() =>
    this.#parts()
      .flatMap((node) => [list(node, "anyOf"), list(node, "oneOf")])
      .map((members) => members.filter((member) => member !== false))
      .filter((members) => members.length > 0),
  );

  /** One or another of them holds. Flat: where a key is looked up, it does not matter which union it came from. */
  readonly #alternatives = once(() =>
    collectNodes(this.#unions().flat(), (node) => [
      this.#document.target(own(node, "$ref")),
      ...["allOf", "anyOf", "oneOf"].flatMap((name) => list(node, name)),
    ]),
  );

  readonly items: () => Shape | undefined = once(() => this.#place(itemsOf));
  readonly additional: () => Shape | undefined = once(() => this.#place(additionalOf));
  readonly tuple = once(() => this.#places()?.places.map((schema) => this.#document.shape(schema)) ?? []);
  readonly rest: () => Shape | undefined = once(() => {
    const rest = this.#places()?.rest;
    return isObject(rest) ? this.#document.shape(rest) : undefined;
  });
  readonly required = once(
    () => new Set(this.#parts().flatMap((node) => list(node, "required").filter((key) => typeof key === "string"))),
  );

  types() {
    return this.#extent().types;
  }

  literals() {
    return this.#extent().literals;
  }

  members(): readonly Shape[] {
    if (["properties", "additionalProperties", "patternProperties"].some((name) => isObject(this.keyword(name))))
      return [];
    return this.#unions().flatMap((members) => members.map((member) => this.#document.shape(member)));
  }

  /** What the nodes say of each property: those that all hold, and those of which one or another does. */
  readonly #declared = once(() => {
    const declared = new Map<string, { all: Json[]; either: Json[] }>();
    const add = (how: "all" | "either", nodes: readonly JsonObject[]) => {
      for (const [key, schema] of nodes.flatMap((node) => Object.entries(propertiesOf(node)))) {
        const said = declared.get(key) ?? { all: [], either: [] };
        declared.set(key, said);
        said[how].push(schema);
      }
    };
    add("all", this.#parts());
    add("either", this.#alternatives());
    return declared;
  });

  keys() {
    return [...this.#declared().keys()];
  }

  declares(key: string) {
    return this.#declared().has(key);
  }

  property(key: string): Shape | undefined {
    const known = this.#properties.get(key);
    if (known) return known;
    const said = this.#declared().get(key);
    if (!said) return this.additional();
    const shape = this.#shapeOf(said.all, said.either);
    if (shape) this.#properties.set(key, shape);
    return shape;
  }

  keyword(name: string): Json | undefined {
    return this.#parts().find((node) => Object.hasOwn(node, name))?.[name];
  }

  identity(): JsonObject {
    const seen = new Set<JsonObject>();
    let node = this.#node;
    while (!seen.has(node)) {
      seen.add(node);
      const target = this.#document.target(own(node, "$ref"));
      if (isObject(target)) node = target;
    }
    return node;
  }

  #places() {
    return this.#parts().map(placesOf).find(isDefined);
  }

  /** The shape of a place within this one, where several nodes may speak about it. */
  #place(read: (node: JsonObject) => unknown): Shape | undefined {
    return this.#shapeOf(this.#parts().map(read), this.#alternatives().map(read));
  }

  #shapeOf(all: readonly unknown[], either: readonly unknown[]): Shape | undefined {
    const schema = join("allOf", [...all, join("anyOf", either)]);
    return schema === undefined ? undefined : this.#document.shape(schema);
  }

  #extent(): Extent {
    if (this.#extentRead) return this.#extentRead;
    if (this.#document.level === MAX_LEVELS) return {};
    // What a union that leads back here learns.
    this.#extentRead = {};
    this.#document.level += 1;
    const unions = this.#unions().map((members) => members.map((member) => this.#document.shape(member).#extent()));
    this.#document.level -= 1;
    this.#extentRead = extentOf(this.#parts(), unions);
    return this.#extentRead;
  }
}

/** Depth first, so that the outer node comes before what it refers to; each once, so that cycles end. */
function collectNodes(from: readonly unknown[], next: (node: JsonObject) => readonly unknown[]): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting = from.toReversed();
  while (waiting.length > 0 && found.size < MAX_NODES) {
    const node = waiting.pop();
    if (!isObject(node) || found.has(node)) continue;
    found.add(node);
    for (const schema of next(node).toReversed()) waiting.push(schema);
  }
  return [...found];
}
