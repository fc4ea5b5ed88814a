import { pairs } from "../sieve/grammars/pairs.ts";
import { readHead, readName, readOneOf } from "../sieve/grammars/tags.ts";
import { type CallForm, wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { mark, type Read, tag } from "../sieve/notation.ts";
import { compileHeads } from "../sieve/one-of.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

// ── read ──

/** Reads a block, or a call whose block was not opened, in which every tag ends in the suffix. */
interface Suffixed {
  readonly suffix: string;
  readonly block: Read;
  readonly call: Read;
}

const TAG_END = compileHeads([mark(">")]);

/** A checkpoint has one suffix, and few checkpoints are in use: the last one is kept. */
let known: Suffixed | undefined;

function suffixed(which: "block" | "call"): Read {
  return function* (block) {
    const { name } = yield* readName();
    const end = yield* readOneOf(TAG_END);
    if (name === "" || end.found === undefined) return "misfit";
    const suffix = name.toLowerCase();
    if (known?.suffix !== suffix) known = compile(suffix);
    return yield* known[which](block, undefined);
  };
}

function compile(suffix: string): Suffixed {
  const pair = (name: string) => ({ open: `<${name}:${suffix}`, close: `</${name}:${suffix}` });
  const [calls, call] = [pair("tool_calls"), pair("tool_call")];
  const form = pairs({ call, key: pair("arg_key"), value: pair("arg_value"), wrapperClose: calls.close });
  const wrapper = ({ open, close }: typeof call) => ({ open: tag(open), closes: [tag(close)] });
  return {
    suffix,
    block: wrappedCalls(wrapper(calls), inTags(call.open, form)),
    call: wrappedCalls(wrapper(call), form),
  };
}

/** A call with its opener. */
function inTags(open: string, form: CallForm): CallForm {
  const heads = compileHeads([tag(open)]);
  return {
    leads: [tag(open)],
    *read(block) {
      const next = yield* readOneOf(heads);
      if (next.found === undefined || !(yield* readHead()).ok) return next.ended && block.maybeCut ? "cut" : "none";
      const end = yield* form.read(block);
      return end === "closed" ? "ended" : end;
    },
  };
}

// ── write ──

/** Of the checkpoint that is published. */
const SUFFIX = ":6124c78e";

/** Hunyuan 4: GLM's pairs in tags that carry the suffix of their checkpoint. */
export const hyV4: Dialect = {
  id: "hy_v4",
  models: "Hunyuan 4",
  source: "xml",
  openers: [
    { ...mark("<tool_calls:"), evidence: "complete", read: suffixed("block") },
    { ...mark("<tool_call:"), evidence: "complete", read: suffixed("call") },
  ],
  suspendsReasoning: "always",
  closers: [`</tool_calls${SUFFIX}`, `</tool_call${SUFFIX}`].map(tag),
  channels: { reasoning: [{ open: `<think${SUFFIX}>`, close: `</think${SUFFIX}>` }] },
  write: pairWriter({
    block: (calls) => `<tool_calls${SUFFIX}>${calls}</tool_calls${SUFFIX}>`,
    call: (name, pairs) => `<tool_call${SUFFIX}>${name}${pairs}</tool_call${SUFFIX}>`,
    pair: (key, value) =>
      `<arg_key${SUFFIX}>${key}</arg_key${SUFFIX}><arg_value${SUFFIX}>${value}</arg_value${SUFFIX}>`,
    separator: "",
    marks: /<\/?(?:arg_key|arg_value|tool_calls?):/i,
  }),
  reserved: ["<arg_key:", "<arg_value:"],
};
