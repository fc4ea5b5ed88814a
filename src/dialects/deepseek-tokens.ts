import type { NamedJson } from "../sieve/grammars/named-json.ts";
import { type Channels, mark, markOf, type Wrapper } from "../sieve/notation.ts";
import { spellingsOfToken } from "./special-tokens.ts";

/** What DeepSeek's notations share: special tokens around calls, and behind a name. */

export const CALLS_BEGIN = "<｜tool▁calls▁begin｜>";
export const CALLS_END = "<｜tool▁calls▁end｜>";
export const CALL_BEGIN = "<｜tool▁call▁begin｜>";
export const CALL_END = "<｜tool▁call▁end｜>";
export const SEPARATOR = "<｜tool▁sep｜>";

const token = (usual: string) => markOf(spellingsOfToken(usual));

/** The fence belongs to V3, and is a slip elsewhere. */
export const FORM: NamedJson = { separators: [token(SEPARATOR)], fenced: true };

export const SECTION: Wrapper = { open: token(CALLS_BEGIN), closes: [token(CALLS_END)], nests: true };

/** In plain letters that is Kimi's opener, too, whose own reading knows this notation's separator. */
const KIMIS = "<|tool_call_begin|>";

/** Around one call. */
export const CALL: Wrapper = {
  open: markOf(spellingsOfToken(CALL_BEGIN).filter((spelling) => spelling !== KIMIS)),
  closes: [token(CALL_END)],
};

export const KIMI_CALL: Wrapper = { ...CALL, open: mark(KIMIS) };

export const RESULTS = ["<｜tool▁output▁begin｜>", "<｜tool▁outputs▁begin｜>"].flatMap(spellingsOfToken);

export const CHANNELS: Channels = { strips: spellingsOfToken("<｜end▁of▁sentence｜>") };
