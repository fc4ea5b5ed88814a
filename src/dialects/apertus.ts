import type { Block } from "../sieve/block.ts";
import type { ObjectReader } from "../sieve/grammars/call-list.ts";
import { jsonCalls } from "../sieve/grammars/json-calls.ts";
import {
  argumentMembers,
  type JsonKey,
  jsonMembers,
  type MemberEnd,
  type ObjectEnd,
} from "../sieve/grammars/json-members.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { type Body, mark } from "../sieve/notation.ts";
import type { Part } from "../sieve/scan.ts";
import type { TentativeCall } from "../sieve/tentative-call.ts";
import type { TaughtDialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** Objects with the names of tools as keys. */
class NamedMembers implements ObjectReader {
  named = false;
  readonly #block: Block;
  #call: TentativeCall | undefined;

  constructor(block: Block) {
    this.#block = block;
  }

  read(): Part<ObjectEnd> {
    return jsonMembers(this.#block, (key) => this.#member(key));
  }

  end(): "closed" {
    if (this.#call) this.#block.end(this.#call);
    this.#call = undefined;
    return "closed";
  }

  *#member({ name, value }: JsonKey): Part<MemberEnd> {
    if (value.text !== "{") return "bad";
    this.named = true;
    this.#call = this.#block.begin(name);
    if (!this.#call) return "bad";
    const end = yield* argumentMembers(this.#block, this.#call);
    if (end !== "closed") return end;
    this.end();
    return undefined;
  }
}

const body: Body = {
  source: "json",
  leads: [mark("["), mark("{")],
  in: (wrapper) => wrappedCalls(wrapper, jsonCalls(wrapper, { object: (block) => new NamedMembers(block) })),
};

/** A list of objects, each with the name of a tool as its key. */
export const apertus: TaughtDialect = {
  id: "apertus",
  models: "Apertus 8B and 70B",
  source: "json",
  wrappers: [{ open: mark("<|tools_prefix|>"), closes: [mark("<|tools_suffix|>")] }],
  bodies: [body],
  channels: { reasoning: [{ open: "<|inner_prefix|>", close: "<|inner_suffix|>" }] },
  results: [RESULTS],
  ...taught(
    {
      calls: (calls) =>
        `<|tools_prefix|>${spacedJson(calls.map(({ name, input }) => ({ [name]: input })))}<|tools_suffix|>`,
    },
    resultFrame,
    { values: JSON_CALLS, several: IN_LIST },
  ),
};
