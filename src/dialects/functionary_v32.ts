import { unclosedCall, unmarkedCalls } from "../sieve/grammars/named-json.ts";
import { mark, type Read } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** The opener says it all: what follows is said. */
const said: Read = function* () {
  yield* [];
  return "visible";
};

/** Functionary 3.2: every part of a reply says for whom it is; the mark before the first may be in the prompt. */
export const functionaryV32: Dialect = {
  id: "functionary_v32",
  models: "Functionary v3.2",
  source: "json",
  openers: [
    { ...mark(">>>"), pinned: true, evidence: "weak", leads: ["name"], read: unclosedCall({}) },
    { ...mark("all\n"), pinned: true, at: "start", evidence: "weak", read: said },
  ],
  unmarked: unmarkedCalls({}),
  channels: { visible: [">>>all\n"], strips: ["<|eot_id|>"] },
  write: { calls: (calls) => calls.map(({ name, input }) => `>>>${name}\n${spacedJson(input)}`).join("") },
};
