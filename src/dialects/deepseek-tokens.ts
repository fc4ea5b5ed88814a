import { type NamedJson, namedCall } from "../sieve/grammars/named-json.ts";
import { type Body, type Channels, markOf, type Wrapper } from "../sieve/notation.ts";
import { spellingsOfToken } from "./special-tokens.ts";

/** What DeepSeek's notations share: special tokens around calls, and behind a name. */

export const CALLS_BEGIN = "<｜tool▁calls▁begin｜>";
export const CALLS_END = "<｜tool▁calls▁end｜>";
export const CALL_BEGIN = "<｜tool▁call▁begin｜>";
export const CALL_END = "<｜tool▁call▁end｜>";
export const SEPARATOR = "<｜tool▁sep｜>";

/** Kimi's own opener; its reading knows the separator that would stand behind the name. */
const KIMIS = "<|tool_call_begin|>";

const token = (usual: string) => markOf(spellingsOfToken(usual));

/** The fence belongs to V3, and is a slip elsewhere. */
export const FORM: NamedJson = { separators: [token(SEPARATOR)], fenced: true };

export const BODY: Body = { source: "json", leads: ["name"], in: namedCall(FORM) };

export const SECTION: Wrapper = { open: token(CALLS_BEGIN), closes: [token(CALLS_END)], nests: true };

/** Around one call; `word` stands behind its opener. */
export function callWrapper(word: string): Wrapper {
  const spellings = spellingsOfToken(CALL_BEGIN + word).filter((spelling) => spelling !== KIMIS);
  return { open: markOf(spellings), closes: [token(CALL_END)] };
}

export const RESULTS = ["<｜tool▁outputs▁begin｜>", "<｜tool▁output▁begin｜>"].flatMap(spellingsOfToken);

export const CHANNELS: Channels = { strips: spellingsOfToken("<｜end▁of▁sentence｜>") };
