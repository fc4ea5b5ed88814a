import type { Json, JsonObject, Tool } from "../conversation.ts";
import { PROMPT_LIMITS } from "../limits.ts";
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
  const lines = types.members(shape).flatMap(({ written, value }) => {
    const [first = "", ...rest] = linesOf(notes(value));
    const comment = first === "" ? "" : ` // ${first}`;
    return [`${written}${comment}`, ...rest.map((line) => `// ${line}`.trimEnd())];
  });
  const list = lines.length === 0 ? "()" : `(\n${lines.map((line) => `  ${line}\n`).join("")})`;
  const about = wholeSentences(description, cap) || firstSentence(description);
  return [...linesOf(about).map((line) => `// ${line}`.trimEnd()), `${name}${list}`].join("\n");
}

function briefSignature({ name, description, shape }: ReadTool, types: TypeWriter): string {
  const members = types.members(shape).map(({ written }) => written);
  const about = oneLine(firstSentence(description));
  return `${name}(${members.join(", ")})${about === "" ? "" : ` // ${about}`}`;
}

/** What a type takes at least: most of those that fan out come to nothing. */
const LEAST_CHARACTERS = 8;
/** Types in types. */
const MAX_DEPTH = 32;

interface TypeWriter {
  members(object: Shape): Member[];
}

interface Member {
  /** `key?: type = default`, or `[key]: type` for all further keys. */
  written: string;
  value: Shape | undefined;
}

/** What is said of a place beside its type; empty where nothing is. */
type Notes = (shape: Shape | undefined) => string;

/** A type that comes round again within itself is `any` there, and so is what is beyond the caps. */
function createTypeWriter(notesOf: Notes): TypeWriter {
  const within = new Set<JsonObject>();
  let left = PROMPT_LIMITS.tools;

  function union(shape: Shape | undefined): string[] {
    left -= LEAST_CHARACTERS;
    const identity = shape?.identity();
    if (!shape || !identity || left <= 0 || within.size >= MAX_DEPTH || within.has(identity)) return ["any"];
    within.add(identity);
    const types = [...new Set(alternatives(shape))];
    within.delete(identity);
    for (const type of types) left -= type.length;
    return types;
  }

  function alternatives(shape: Shape): string[] {
    const unions = shape.members();
    const listed = shape.keyword("enum") !== undefined || unions.every((member) => notesOf(member) === "");
    const literals = listed ? shape.literals() : undefined;
    if (literals) return [...literals].map((value) => JSON.stringify(value));
    const types = shape.types();
    const members = unions.flatMap((member) => {
      // What it does not say of its type, the shape around it does.
      const either = member.types() ? union(member) : ownTypes(shape);
      return notesOf(member) === "" ? either : [`${either.join("|")}${comment(member)}`];
    });
    if (members.length === 0) return ownTypes(shape);
    return types?.has("null") ? [...members, "null"] : members;
  }

  function ownTypes(shape: Shape): string[] {
    const types = shape.types();
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
        return shape.tuple().length > 0 ? tuple(shape) : array(shape.items());
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

  function tuple(shape: Shape): string {
    const rest = shape.rest();
    return `[${[...shape.tuple().map(annotated), ...(rest ? [`...${array(rest)}`] : [])].join(", ")}]`;
  }

  function object(shape: Shape): string {
    const written = members(shape).map(({ written, value }) => `${written}${comment(value)}`);
    if (written.length === 0 && shape.keyword("additionalProperties") !== false) written.push("[key]: any");
    return `{${written.join(", ")}}`;
  }

  function annotated(shape: Shape): string {
    return `${union(shape).join("|")}${comment(shape)}`;
  }

  /** A key may have to be given without being declared. */
  function members(shape: Shape): Member[] {
    const keys = [...new Set([...shape.keys(), ...shape.required()])];
    const known = keys.map((key) => ({ written: member(shape, key), value: shape.property(key) }));
    const additional = shape.additional();
    return additional ? [...known, { written: `[key]: ${union(additional).join("|")}`, value: additional }] : known;
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

  return { members };
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Up to draft 4 the last one is a flag. */
const BOUNDS: readonly (readonly [name: string, sign: string, exclusive?: string])[] = [
  ["minimum", ">=", "exclusiveMinimum"],
  ["exclusiveMinimum", ">"],
  ["maximum", "<=", "exclusiveMaximum"],
  ["exclusiveMaximum", "<"],
  ["multipleOf", "multiple of "],
  ["minLength", "len>="],
  ["maxLength", "len<="],
  ["minItems", "items>="],
  ["maxItems", "items<="],
];

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
  const bounds = BOUNDS.flatMap(([name, sign, exclusive = ""]) => {
    const bound = shape.keyword(name);
    const strict = shape.keyword(exclusive) === true;
    return typeof bound === "number" ? [`${strict ? sign.charAt(0) : sign}${bound}`] : [];
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
