import type { Json, JsonObject, Tool } from "../conversation.ts";
import type { JsonType } from "../schema/extent.ts";
import { readToolSchema, type Shape } from "../schema.ts";
import { firstSentence, wholeSentences } from "./sentences.ts";

/** A list of tools, read once, to be written in more or less detail. In the client's order, of tools and of properties. Not quoted. */
export interface Signatures {
  /**
   * Shorter than their JSON Schema (what is left is mostly descriptions) and nearer to what models have seen of code:
   *
   *     // Search file contents.
   *     Grep(
   *       pattern: string // Regular expression
   *       limit?: int = 50 // >=1
   *     )
   *
   * @param cap the longest that a description may be: of a longer one the whole sentences within it are left, but never
   *   less than the first sentence of a tool's own
   */
  full(cap?: number): string;
  /**
   * One line a tool: its types and the first sentence of its description, no word about parameters.
   *
   *     Grep(pattern: string, limit?: int = 50) // Search file contents.
   */
  brief(): string;
}

export function readSignatures(tools: readonly Tool[]): Signatures {
  const read = tools.map(({ name, description = "", parameters }) => {
    return { name, description, shape: readToolSchema(parameters) };
  });
  const noteOf = createNoteReader();
  return {
    full(cap = Number.POSITIVE_INFINITY) {
      const notes = (shape: Shape | undefined) => noteOf(shape, cap);
      const types = createTypeWriter(notes);
      return read.map((tool) => fullSignature(tool, cap, types, notes)).join("\n\n");
    },
    brief() {
      const types = createTypeWriter(() => "");
      return read.map((tool) => briefSignature(tool, types)).join("\n");
    },
  };
}

interface ReadTool {
  name: string;
  description: string;
  shape: Shape;
}

function fullSignature({ name, description, shape }: ReadTool, cap: number, types: TypeWriter, notes: Notes): string {
  const lines = shape.keys().flatMap((key) => {
    const [first = "", ...rest] = linesOf(notes(shape.property(key)));
    const comment = first === "" ? "" : ` // ${first}`;
    return [`${types.member(shape, key)}${comment}`, ...rest.map((line) => `// ${line}`.trimEnd())];
  });
  const list = lines.length === 0 ? "()" : `(\n${lines.map((line) => `  ${line}\n`).join("")})`;
  const about = wholeSentences(description, cap) || firstSentence(description);
  return [...linesOf(about).map((line) => `// ${line}`.trimEnd()), `${name}${list}`].join("\n");
}

function briefSignature({ name, description, shape }: ReadTool, types: TypeWriter): string {
  const members = shape.keys().map((key) => types.member(shape, key));
  const about = oneLine(firstSentence(description));
  return `${name}(${members.join(", ")})${about === "" ? "" : ` // ${about}`}`;
}

/** Characters of all types of a list together: references that fan out grow without end. */
const MAX_CHARACTERS = 1_000_000;
/** Types in types. */
const MAX_DEPTH = 32;

interface TypeWriter {
  /** `key?: type = default`. */
  member(object: Shape, key: string): string;
}

/** What is said of a place beside its type; empty where nothing is. */
type Notes = (shape: Shape | undefined) => string;

/** A type that comes round again within itself is `any` there, and so is what is beyond the caps. */
function createTypeWriter(notesOf: Notes): TypeWriter {
  const within = new Set<JsonObject>();
  let left = MAX_CHARACTERS;

  function union(shape: Shape | undefined): string[] {
    const identity = shape?.identity();
    if (!shape || !identity || left <= 0 || within.size >= MAX_DEPTH || within.has(identity)) return ["any"];
    within.add(identity);
    const types = [...new Set(alternatives(shape))];
    within.delete(identity);
    for (const type of types) left -= type.length;
    return types;
  }

  function alternatives(shape: Shape): string[] {
    const literals = shape.literals();
    if (literals) return [...literals].map((value) => JSON.stringify(value));
    const types = shape.types();
    const members = shape.members().flatMap((member) => (notesOf(member) === "" ? union(member) : [annotated(member)]));
    if (members.length > 0) return types?.has("null") ? [...members, "null"] : members;
    if (!types) return ["any"];
    return [...types].filter((type) => type !== "integer" || !types.has("number")).map((type) => single(type, shape));
  }

  function single(type: JsonType, shape: Shape): string {
    switch (type) {
      case "string":
      case "number":
      case "null":
        return type;
      case "integer":
        return "int";
      case "boolean":
        return "bool";
      case "array":
        return array(shape.items());
      case "object":
        return object(shape);
      default:
        return type satisfies never;
    }
  }

  function array(items: Shape | undefined): string {
    const type = union(items);
    const notes = comment(items);
    return type.length > 1 || notes !== "" ? `(${type.join("|")}${notes})[]` : `${type.join("|")}[]`;
  }

  function object(shape: Shape): string {
    const members = shape.keys().map((key) => `${member(shape, key)}${comment(shape.property(key))}`);
    const additional = shape.additional();
    if (additional) members.push(`[key]: ${annotated(additional)}`);
    if (members.length === 0 && shape.keyword("additionalProperties") !== false) members.push("[key]: any");
    return `{${members.join(", ")}}`;
  }

  function annotated(shape: Shape): string {
    return `${union(shape).join("|")}${comment(shape)}`;
  }

  function member(shape: Shape, key: string): string {
    const value = shape.property(key);
    const preset = value?.keyword("default");
    const name = IDENTIFIER.test(key) ? key : JSON.stringify(key);
    const type = `${name}${shape.required().has(key) ? "" : "?"}: ${union(value).join("|")}`;
    return preset === undefined ? type : `${type} = ${JSON.stringify(preset)}`;
  }

  /** Within a type a note has one line, and cannot end its comment. */
  function comment(shape: Shape | undefined): string {
    const note = oneLine(notesOf(shape)).replaceAll("*/", "* /");
    return note === "" ? "" : ` /* ${note} */`;
  }

  return { member };
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

const BOUNDS = [
  ["minimum", ">="],
  ["exclusiveMinimum", ">"],
  ["maximum", "<="],
  ["exclusiveMaximum", "<"],
  ["multipleOf", "multiple of "],
  ["minLength", "len>="],
  ["maxLength", "len<="],
  ["minItems", "items>="],
  ["maxItems", "items<="],
] as const;

/** What the type does not tell: format, pattern, bounds and the description, which alone is cut. Read once. */
function createNoteReader() {
  const known = new Map<Shape, { facts: string[]; description: string }>();
  return (shape: Shape | undefined, cap: number): string => {
    if (!shape) return "";
    const { facts, description } = known.get(shape) ?? {
      facts: factsOf(shape),
      description: text(shape.keyword("description")),
    };
    known.set(shape, { facts, description });
    return [...facts, wholeSentences(description, cap)].filter((note) => note !== "").join("; ");
  };
}

function factsOf(shape: Shape): string[] {
  const pattern = text(shape.keyword("pattern"));
  const bounds = BOUNDS.flatMap(([name, sign]) => {
    const bound = shape.keyword(name);
    return typeof bound === "number" ? [`${sign}${bound}`] : [];
  });
  return [text(shape.keyword("format")), pattern && `/${pattern}/`, ...bounds];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

function oneLine(untrusted: string): string {
  return linesOf(untrusted).filter(Boolean).join(" ");
}

/** Untrusted text line by line, without control characters. No lines where nothing is left. */
function linesOf(untrusted: string): string[] {
  const visible = untrusted
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  return visible === "" ? [] : visible.split("\n").map((line) => line.trimEnd());
}
