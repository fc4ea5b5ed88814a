/** Caps on the shape of a JSON text. */
export interface StructureCaps {
  /** Nesting of arrays and objects. */
  depth: number;
  /** Brackets, braces, colons and commas outside strings. */
  structure: number;
}

/** `count` is how many structural characters there are; an excess names the top-level member it was found in. */
export type Structure = { count: number } | { exceeded: "depth" | "structure"; member: string | undefined };

/**
 * One linear look at a JSON text before `JSON.parse`, which makes up to fourteen bytes of heap out of one byte of
 * `[[],[],…` and nests as deep as the stack of whoever walks its result can bear. Does not validate.
 */
export function measureStructure(json: string, caps: StructureCaps): Structure {
  let count = 0;
  let depth = 0;
  let string = { from: 0, to: 0 };
  let member: string | undefined;

  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1) string = { from: at, to: end };
      at = end - 1;
      continue;
    }
    if (!isStructural(code)) continue;
    count += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    else if (code === COLON && depth === 1)
      member = json.slice(string.from + 1, Math.min(string.to - 1, string.from + 64));
    if (depth > caps.depth) return { exceeded: "depth", member };
    if (count > caps.structure) return { exceeded: "structure", member };
  }
  return { count };
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

function isStructural(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET
  );
}

/** The index behind the closing quote; the end of the text when there is none. */
function endOfString(json: string, open: number): number {
  let from = open + 1;
  for (;;) {
    const quote = json.indexOf('"', from);
    if (quote < 0) return json.length;
    let backslashes = 0;
    // Never looks behind `from`: a run of backslashes is counted once, however many quotes follow.
    while (quote - 1 - backslashes >= from && json.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}
