import { createSieve } from "../src/sieve/index.ts";
import { TOOLS } from "./corpora.ts";

/** How many characters late things come out, when they go in one by one. */
export interface Lag {
  /** The announcement, behind the last character of the name. */
  name: number;
  /** The announcement, behind the `>` of the first parameter: the earliest moment that the rules allow. */
  announcement: number;
  firstCharacter: number;
  argument: { median: number; max: number };
  /** The end of the call, behind the last character of the argument. */
  end: number;
}

/** Feeds one call of `write_file` whose last argument, `content`, is written as `written` and means `meant`. */
export function lag(written: string, meant: string): Lag {
  const before =
    '<tool_calls>\n<invoke name="write_file">\n<parameter name="path">a.ts</parameter>\n<parameter name="content">';
  const text = `${before}${written}</parameter>\n</invoke>\n</tool_calls>`;
  const machine = createSieve({ tools: TOOLS, mode: "canonical" });
  let json = "";
  let announced = 0;
  let ended = 0;
  const out: number[] = [];
  for (let fed = 1; fed <= text.length; fed++) {
    for (const event of machine.push(text.charAt(fed - 1))) {
      if (event.type === "call-start") announced = fed;
      if (event.type === "call-arguments") json += event.json;
      if (event.type === "call-end") ended = fed;
    }
    for (const length = contentLength(json); out.length < length; ) out.push(fed);
  }
  const start = before.length + written.indexOf(meant);
  const late = out.map((fed, index) => fed - (start + index + 1));
  const sorted = late.toSorted((one, other) => one - other);
  return {
    name: announced - text.indexOf('">\n<parameter'),
    announcement: announced - (text.indexOf('"path">') + '"path">'.length),
    firstCharacter: late[0] ?? Number.NaN,
    argument: { median: sorted[sorted.length >> 1] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN },
    end: ended - (start + meant.length),
  };
}

/** Characters of `content` that are out; the arguments end in its value as long as it streams. */
function contentLength(json: string): number {
  const at = json.indexOf(CONTENT);
  if (at === -1) return 0;
  const value = json.slice(at + CONTENT.length);
  return (JSON.parse(value.endsWith('"}') ? `"${value.slice(0, -1)}` : `"${value}"`) as string).length;
}

const CONTENT = '"content":"';
