import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { mark, tag, type Wrapper } from "../sieve/notation.ts";
import { attribute } from "./attribute.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** Full-width bars, but ASCII underscores. */
const [CALLS_BEGIN, CALLS_END] = ["<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"];
const [CALL_BEGIN, CALL_END] = ["<｜tool_call_begin｜>", "<｜tool_call_end｜>"];

/** The kind of the tool; there is but one, and it may be left out. */
const KIND = "function<｜tool_sep｜>";

const section: Wrapper = { open: mark(CALLS_BEGIN), closes: [mark(CALLS_END)], nests: true };
const aroundCall = [CALL_BEGIN + KIND, CALL_BEGIN].map((open) => ({ open: mark(open), closes: [mark(CALL_END)] }));

const call = tag("<steptml:invoke");
const tags = parameterTags({
  call: { opens: [call], closes: [tag("</steptml:invoke")] },
  parameter: { opens: [tag("<steptml:parameter")], closes: [tag("</steptml:parameter")] },
  style: "verbatim",
  bodies: [objectBody],
});

/** Step 3: tags with a prefix, each call between special tokens. */
export const step3: Dialect = {
  id: "step3",
  models: "Step 3",
  source: "xml",
  openers: [{ ...call, evidence: "wrapper-missing", read: tags.behind(call, section) }],
  wrappers: [section, ...aroundCall],
  bodies: [{ source: "xml", leads: tags.leads, in: tags.in }],
  suspendsReasoning: "always",
  closers: ["</steptml:invoke", "</steptml:parameter"].map(tag),
  channels: { strips: ["<｜end▁of▁sentence｜>"] },
  write: pairWriter({
    block: (calls) => `${CALLS_BEGIN}${calls}${CALLS_END}`,
    call: (name, parameters) =>
      `${CALL_BEGIN}${KIND}<steptml:invoke name="${attribute(name)}">${parameters}</steptml:invoke>${CALL_END}`,
    pair: (key, value) => `<steptml:parameter name="${attribute(key)}">${value}</steptml:parameter>`,
    separator: "\n",
    marks: /^[ \t\r\n]*<!\[CDATA\[|<\/?steptml:|<｜tool_/i,
  }),
  reserved: ["<steptml:parameter", "<｜tool_sep｜>"],
};
