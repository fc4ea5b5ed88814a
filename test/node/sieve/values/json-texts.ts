import fc from "fast-check";
import type { Json } from "../../../../src/conversation.ts";
import type { JsonRepair } from "../../../../src/sieve/values/mend-json.ts";
import { isReadRight } from "../../../json-keys.ts";
import { damaged, soupOf } from "./damage.ts";
import { type Pick, picking } from "./picking.ts";

/** A JSON value in tokens, between which blanks may stand; a string is one. */
function jsonTokens(value: Json, damages: ReadonlySet<JsonRepair>, pick: Pick): string[] {
  const separator = damages.has("missing-comma") ? " " : ",";
  const tokensOf = (each: Json): string[] => {
    if (typeof each === "string") return [stringToken(each, damages, pick)];
    if (typeof each !== "object" || each === null) return [scalarToken(each, damages)];
    if (Array.isArray(each)) return ["[", ...joined(each.map(tokensOf)), "]"];
    const members = Object.entries(each).map(([key, member]) => [
      keyToken(key, damages, pick),
      ":",
      ...tokensOf(member),
    ]);
    return ["{", ...joined(members), "}"];
  };
  const joined = (members: readonly string[][]): string[] => {
    const tokens = members.flatMap((member, i) => (i === 0 ? member : [separator, ...member]));
    return members.length > 0 && damages.has("trailing-comma") ? [...tokens, ","] : tokens;
  };
  return tokensOf(value);
}

function scalarToken(value: number | boolean | null | object, damages: ReadonlySet<JsonRepair>): string {
  const json = JSON.stringify(value);
  const python = { true: "True", false: "False", null: "None" }[json];
  return damages.has("python-literal") ? (python ?? json) : json;
}

function keyToken(key: string, damages: ReadonlySet<JsonRepair>, pick: Pick): string {
  return damages.has("unquoted-key") && /^[\w$.+-]+$/.test(key) ? key : stringToken(key, damages, pick);
}

/** A backslash, and behind it what makes no escape of the two. */
const LONE_BACKSLASH = /\\[A-Z\dad:.,]|./gs;

/** A string of JSON, each character in one of the ways to write it. */
export function stringToken(text: string, damages: ReadonlySet<JsonRepair>, pick: Pick): string {
  const quote = damages.has("single-quotes") ? "'" : '"';
  const parts = damages.has("lone-backslash") ? (text.match(LONE_BACKSLASH) ?? []) : text.split("");
  const written = parts.map((part) => {
    const code = part.charCodeAt(0);
    if (part.length === 2 || (code < 0x20 && damages.has("control-character"))) return part;
    const escaped = `\\u${code.toString(16).padStart(4, "0")}`;
    if (part === "'") return pick(quote === "'" ? "\\'" : part, escaped);
    const short = JSON.stringify(part).slice(1, -1);
    if (part === '"') return pick(short, quote === "'" ? part : short, escaped);
    return pick(short, part === "/" ? "\\/" : short, escaped);
  });
  return quote + written.join("") + quote;
}

const texts = fc.oneof(
  soupOf([..."'\"\\/,:[]{} 1nu\n\t\u0000é😀\ud83d", "True", "\\d"], 6),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", "1", "None"),
);

const keys = fc
  .oneof(fc.constantFrom("a", "max_n", "$ref", "x-y", "0", "__proto__"), fc.string({ maxLength: 3 }), texts)
  .filter(isReadRight);

/** Small values of every kind, whose texts hold what could open, close or disguise another one. */
export const jsonValues: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    texts,
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((number) => number + 0),
    fc.constantFrom(true, false, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(keys, tie("value")), { maxLength: 3, selector: ([key]) => key }).map(Object.fromEntries),
  ),
})).value;

/** A value in any of the ways to write it, with blanks or none between the tokens, with the given damages. */
export function textOf(value: Json, damages: ReadonlySet<JsonRepair>, gen: fc.GeneratorValue): string {
  const pick = picking(gen);
  const tokens = jsonTokens(value, damages, pick);
  return tokens.map((token, i) => (i === 0 ? token : pick("", "", " ", "\r\n\t") + token)).join("");
}

export const jsonTexts: fc.Arbitrary<{ value: Json; text: string }> = fc
  .tuple(jsonValues, fc.gen())
  .map(([value, gen]) => ({ value, text: textOf(value, new Set(), gen) }));

const PIECES = [
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  "'",
  '"',
  "\\",
  "1",
  "-",
  "None",
  "true",
  "x",
  "x:",
  " ",
  "\n",
  "'a'",
  '"b"',
];

/** JSON, some of it good or to be mended, most of it with a fault that has no repair. */
export const nearlyJson: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "[", "{", '{"a":', '["'), soupOf(PIECES, 7), fc.constantFrom("", "]", "}"))
    .map((parts) => parts.join("")),
  damaged(
    jsonTexts.map(({ text }) => text),
    PIECES,
  ),
);
