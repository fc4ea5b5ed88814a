import type { JsonObject, Tool } from "../conversation.ts";

/**
 * Freeform tools (`type: "custom"` on both OpenAI wires) take plain text instead of an object of arguments. To the model
 * and to the sieve such a tool is a function with this one string parameter.
 */
const PARAMETER = "input";

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

/** The arguments of an earlier call of a freeform tool. */
export function freeformInput(text: string): JsonObject {
  return { [PARAMETER]: text };
}

export interface FreeformReader {
  /** The text that one more fragment of the arguments' JSON brings; often empty. */
  push(json: string): string;
}

type HeadState = "object" | "key" | "escape" | "value";

/**
 * Gives back the plain text while the JSON of `{"input": "…"}` still arrives. The key is not compared: a model that
 * names the one parameter differently still means it. A value that is no string is passed on as its JSON.
 */
export function createFreeformReader(): FreeformReader {
  let state: HeadState | "text" | "json" | "end" = "object";
  /** An escape sequence cut by the end of a fragment, such as `\u00e`: at most five characters. */
  let cut = "";
  /** A brace at the end of a fragment: the object's own when nothing follows. */
  let brace = "";

  /** Reads up to the value; returns where its text or its JSON begins. */
  function readHead(json: string): number {
    for (let at = 0; at < json.length; at += 1) {
      if (state === "text" || state === "json" || state === "end") return at;
      const next = stepHead(state, json.charAt(at));
      state = next;
      if (next === "json") return at;
    }
    return json.length;
  }

  function readText(json: string): string {
    const pieces: string[] = [];
    let at = 0;
    while (at < json.length) {
      const plain = endOfPlain(json, at);
      pieces.push(json.slice(at, plain));
      if (plain === json.length) break;
      if (json[plain] === '"') {
        state = "end";
        break;
      }
      const length = json[plain + 1] === "u" ? 6 : 2;
      if (plain + length > json.length) {
        cut = json.slice(plain);
        break;
      }
      pieces.push(decodeEscape(json.slice(plain, plain + length)));
      at = plain + length;
    }
    return pieces.join("");
  }

  function readJson(json: string): string {
    const text = brace + json;
    brace = text.endsWith("}") ? "}" : "";
    return brace === "" ? text : text.slice(0, -1);
  }

  return {
    push(fragment) {
      const json = cut + fragment;
      cut = "";
      const rest = json.slice(readHead(json));
      if (state === "text") return readText(rest);
      return state === "json" ? readJson(rest) : "";
    },
  };
}

function stepHead(state: HeadState, char: string): HeadState | "text" | "json" {
  switch (state) {
    case "object":
      return char === '"' ? "key" : "object";
    case "key":
      if (char === "\\") return "escape";
      return char === '"' ? "value" : "key";
    case "escape":
      return "key";
    case "value":
      if (char === '"') return "text";
      return ": \t\r\n".includes(char) ? "value" : "json";
    default:
      return state satisfies never;
  }
}

/** The index of the next quote or backslash, or the end. */
function endOfPlain(json: string, from: number): number {
  for (let at = from; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x22 || code === 0x5c) return at;
  }
  return json.length;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
]);

/** @param sequence a whole one; half a surrogate pair stays half, its other half follows */
function decodeEscape(sequence: string): string {
  const char = sequence.charAt(1);
  if (char === "u") return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
  return ESCAPES.get(char) ?? char;
}
