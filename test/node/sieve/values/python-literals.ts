import fc from "fast-check";
import type { Json } from "../../../../src/conversation.ts";
import { isReadRight } from "../../../json-keys.ts";
import { damaged, soupOf } from "./damage.ts";
import { type Pick, picking } from "./picking.ts";

/** A JSON value as one of the ways to write it in Python. Blanks may stand between the tokens; a string is one token. */
export function pythonTokens(value: Json, pick: Pick): string[] {
  const tokens = tokensOf(value, pick);
  return pick(false, false, false, true) ? ["(", ...tokens, ")"] : tokens;
}

function tokensOf(value: Json, pick: Pick): string[] {
  if (value === null) return [pick("None", "null")];
  if (typeof value === "boolean") return [pick(value ? "True" : "False", String(value))];
  if (typeof value === "number") return [pick(String(value), String(value).toUpperCase())];
  if (typeof value === "string") return [stringToken(value, pick)];
  if (Array.isArray(value)) {
    const members = value.map((member) => pythonTokens(member, pick));
    return pick(true, false) ? ["[", ...separated(members, pick), "]"] : tupleTokens(members, pick);
  }
  const members = Object.entries(value).map(([key, member]) => [
    keyToken(key, pick),
    ":",
    ...pythonTokens(member, pick),
  ]);
  return ["{", ...separated(members, pick), "}"];
}

function tupleTokens(members: readonly string[][], pick: Pick): string[] {
  if (members.length === 1) return ["(", ...members.flat(), ",", ")"];
  return ["(", ...separated(members, pick), ")"];
}

function separated(members: readonly string[][], pick: Pick): string[] {
  const tokens = members.flatMap((member, i) => (i === 0 ? member : [",", ...member]));
  return members.length > 0 && pick(false, true) ? [...tokens, ","] : tokens;
}

function keyToken(key: string, pick: Pick): string {
  return /^(?:0|[1-9]\d*)$/.test(key) && pick(false, true) ? key : stringToken(key, pick);
}

function stringToken(text: string, pick: Pick): string {
  const half = Math.floor(text.length / 2);
  if (!pick(false, false, false, true)) return oneString(text, pick);
  return oneString(text.slice(0, half), pick) + pick(" ", "\n") + oneString(text.slice(half), pick);
}

function oneString(text: string, pick: Pick): string {
  const quote = pick("'", '"', "'''", '"""');
  if (!/['"\\]/.test(text) && pick(false, true)) return pick("r", "R") + quote + text + quote;
  const written = pick(plainCharacter, byNumber, shortest);
  const body = Array.from(text, (character) => written(character, quote)).join("");
  return pick("", "u", "U") + quote + body + quote;
}

function plainCharacter(character: string, quote: string): string {
  return character === "\\" || character === quote[0] ? `\\${character}` : character;
}

function byNumber(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\U${hex.padStart(8, "0")}`;
  return code > 0xff ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`;
}

function shortest(character: string, quote: string): string {
  const letter = { "\n": "n", "\t": "t", "\r": "r", "\x07": "a", "\b": "b", "\f": "f", "\v": "v" }[character];
  if (letter !== undefined) return `\\${letter}`;
  if (character < " ") return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return plainCharacter(character, quote);
}

/** Small values whose texts hold what could open, close or disguise another one. */
const pythonContainers: fc.Arbitrary<Json> = fc.letrec<{ value: Json; container: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.array(fc.constantFrom(..."'\"\\,:[]{}()1r-\n\t\x07 é😀\ud83d"), { maxLength: 6 }).map((text) => text.join("")),
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom("1", "None", "true", "", "r"),
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((number) => number + 0),
    fc.constantFrom(true, false, null),
    tie("container"),
  ),
  container: fc.oneof(
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string({ maxLength: 3 }).filter(isReadRight), fc.constantFrom("0", "17", "'")),
      tie("value"),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ),
})).container;

/** Texts with all that could end a string early. */
const stringTexts = fc
  .array(fc.constantFrom(...`'"\\,=()[]rx1 \n\té😀\ud83d`, "', b=", "')]", '")', "'''", '"""', "\\\n"), {
    maxLength: 8,
  })
  .map((pieces) => pieces.join(""));

/** Every way of writing a string as one token. */
export const pythonStrings: fc.Arbitrary<{ value: string; text: string }> = fc
  .tuple(stringTexts, fc.gen())
  .map(([value, gen]) => ({ value, text: oneString(value, picking(gen)) }));

/** Every way of writing a value, and every way of setting its tokens apart. */
export const pythonTexts: fc.Arbitrary<{ value: Json; text: string }> = fc
  .tuple(pythonContainers, fc.gen())
  .map(([value, gen]) => {
    const pick = picking(gen);
    const tokens = pythonTokens(value, pick).flatMap((token) => [token, pick("", "", " ", "\r\n\t")]);
    return { value, text: tokens.join("") };
  });

const PIECES = [
  ...["[", "]", "{", "}", "(", ")", ",", ":", "'", '"', "'''", '"""', "\\"],
  ...["1", "-", ".5", "0", "e3", "r", "u", "b", "None", "True", "null", "x", " ", "\n", "'a'", '"b"', "'a':", "[1,"],
];

const soup = soupOf(PIECES, 7);

/** Literals, some of them good, most of them with a fault. */
export const nearlyPython: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.constantFrom("", "[", "{", "("), soup).map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom("[", "{", "(", "['", "{'a':"), soup, fc.constantFrom("]", "}", ")"))
    .map((parts) => parts.join("")),
  damaged(
    pythonTexts.map(({ text }) => text),
    PIECES,
  ),
);
