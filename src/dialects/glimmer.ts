import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { readName, readOneOf } from "../sieve/grammars/tags.ts";
import { mark, type Read, tag, type Wrapper } from "../sieve/notation.ts";
import { compileHeads } from "../sieve/one-of.ts";
import { attribute } from "./attribute.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

// ── read ──

const wrapper: Wrapper = { open: tag("<atem:function_calls"), closes: [tag("</atem:function_calls")] };
const call = tag("<atem:invoke");
const tags = parameterTags({
  call: { opens: [call], closes: [tag("</atem:invoke")] },
  parameter: { opens: [tag("<atem:parameter")], closes: [tag("</atem:parameter")] },
  style: "verbatim",
  bodies: [objectBody],
});

const ASSISTANT = mark("<|start|>assistant");
const TO = mark("to=");
const heads = {
  to: compileHeads([TO]),
  message: compileHeads([mark("<|message|>")]),
  calls: compileHeads([], { peeks: [wrapper.open] }),
};

/** The head of a message to a tool. Its calls follow; where none do it may be no more than a mention. */
const header: Read = function* (block) {
  yield* readOneOf(heads.to);
  const { name } = yield* readName();
  const message = yield* readOneOf(heads.message);
  if (name === "" || message.found === undefined || block.place.inSpan) return "misfit";
  const calls = yield* readOneOf(heads.calls);
  return calls.found !== undefined || block.place.beginsChannel ? "visible" : "misfit";
};

// ── write ──

const messageTo = (recipient: string) => `${ASSISTANT.spelling} to=${recipient}<|message|>`;

/** Glimmer: tags with a prefix, each call in a message to its tool. */
export const glimmer: Dialect = {
  id: "glimmer",
  aliases: ["muse"],
  models: "Glimmer, Muse",
  source: "xml",
  openers: [
    { ...ASSISTANT, evidence: "complete", leads: [TO], read: header },
    { ...call, evidence: "wrapper-missing", read: tags.behind(call, wrapper) },
  ],
  wrappers: [wrapper],
  bodies: [{ source: "xml", leads: tags.leads, in: tags.in }],
  suspendsReasoning: "always",
  closers: ["</atem:invoke", "</atem:parameter"].map(tag),
  channels: {
    reasoning: [{ open: messageTo("self"), close: "<|eom|>" }],
    visible: ["<|message|>", messageTo("user"), "<|start|>assistant<|message|>"],
    strips: ["<|eom|>", "<|eot|>"],
  },
  write: pairWriter({
    call: (name, parameters) =>
      `${messageTo(name)}<atem:function_calls>\n<atem:invoke name="${attribute(name)}">\n${parameters}</atem:invoke>\n</atem:function_calls><|eom|>`,
    pair: (key, value) => `<atem:parameter name="${attribute(key)}">${value}</atem:parameter>\n`,
    separator: "",
    marks: /^[ \t\r\n]*<!\[CDATA\[|<\/?atem:/i,
  }),
  reserved: ["<atem:parameter"],
};
