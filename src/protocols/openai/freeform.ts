import type { Json, JsonObject, Tool } from "../../conversation.ts";
import { isObject, parseJson } from "../../json.ts";
import { SIEVE_LIMITS } from "../../limits.ts";
import { soleArgument } from "../arguments.ts";

/**
 * Freeform tools (`type: "custom"` on both OpenAI wires) take plain text instead of an object of arguments. To the model
 * and to the sieve such a tool is a function with this one string parameter, in the history as in the reply.
 */
const [PARAMETER = ""] = Object.keys(soleArgument(null));

/** @param grammar what the client says about the form of the text; told to the model as the parameter's description */
export function freeformTool(name: string, description: string | undefined, grammar: string | undefined): Tool {
  const input: JsonObject = grammar === undefined ? { type: "string" } : { type: "string", description: grammar };
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: { type: "object", properties: { [PARAMETER]: input }, required: [PARAMETER] },
    freeform: true,
  };
}

export function freeformNames(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.filter((tool) => tool.freeform).map((tool) => tool.name));
}

/** What goes out of a call's arguments. */
export interface ArgumentsReader {
  /** The text that one more fragment of the arguments' JSON brings; often empty. */
  push(json: string): string;
  /** The text that only the end of the arguments tells. */
  end(): string;
}

/** Of a call of any other tool: the JSON as it comes. */
export const AS_JSON: ArgumentsReader = { push: (json) => json, end: () => "" };

/** How the JSON of the one parameter begins, as it is written where it streams. */
const HEAD = `{"${PARAMETER}":"`;

/**
 * Gives back the plain text while the JSON of `{"input":"…"}` still arrives. Whatever begins otherwise is collected: a
 * model may write another member first, or name the one parameter differently, and only the end tells which it was.
 */
export function createFreeformReader(): ArgumentsReader {
  let state: "head" | "text" | "collected" | "json" | "over" = "head";
  /** Characters of the head that have come. */
  let matched = 0;
  /** An escape sequence cut by the end of a fragment, such as `\u00e`: at most five characters. */
  let cut = "";
  let pieces: string[] = [];
  let length = 0;

  function readHead(json: string): string {
    const expected = HEAD.slice(matched, matched + json.length);
    if (!json.startsWith(expected)) {
      state = "collected";
      return collect(HEAD.slice(0, matched) + json);
    }
    matched += expected.length;
    if (matched === HEAD.length) state = "text";
    return readText(json.slice(expected.length));
  }

  function readText(fragment: string): string {
    const json = cut + fragment;
    cut = "";
    let at = 0;
    while (at < json.length && json[at] !== '"') {
      const end = at + lengthAt(json, at);
      if (end > json.length) break;
      at = end;
    }
    if (json[at] === '"') state = "over";
    else cut = json.slice(at);
    return JSON.parse(`"${json.slice(0, at)}"`);
  }

  /** Beyond the cap it goes out as the JSON that it is. */
  function collect(json: string): string {
    pieces.push(json);
    length += json.length;
    if (length <= SIEVE_LIMITS.value) return "";
    state = "json";
    const all = pieces.join("");
    pieces = [];
    return all;
  }

  return {
    push(json) {
      switch (state) {
        case "head":
          return readHead(json);
        case "text":
          return readText(json);
        case "collected":
          return collect(json);
        case "json":
          return json;
        case "over":
          return "";
        default:
          return state satisfies never;
      }
    },
    end: () => (state === "collected" ? textIn(pieces.join("")) : ""),
  };
}

/** The parameter, else the only string among the members; where there is no telling, the JSON itself. */
function textIn(json: string): string {
  const value = parseJson(json);
  if (!isObject(value)) return json;
  if (Object.hasOwn(value, PARAMETER)) return written(value[PARAMETER] ?? null);
  const members = Object.values(value);
  const [text, ...others] = members.filter((member) => typeof member === "string");
  if (text !== undefined && others.length === 0) return text;
  return members.length === 0 ? "" : json;
}

function written(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Of the character or the escape sequence that begins there, whether all of it has come or not. */
function lengthAt(json: string, at: number): number {
  if (json[at] !== "\\") return 1;
  return json[at + 1] === "u" ? 6 : 2;
}
