import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { mark, tag, type Wrapper } from "../sieve/notation.ts";
import { attribute } from "./attribute.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** Around all calls, and around each: full-width bars, but ASCII underscores. */
const CALLS: Wrapper = { open: mark("<｜tool_calls_begin｜>"), closes: [mark("<｜tool_calls_end｜>")], nests: true };
const CALL: Wrapper = { open: mark("<｜tool_call_begin｜>"), closes: [mark("<｜tool_call_end｜>")] };

/** The kind of the tool stands before its call. */
const KIND = "function<｜tool_sep｜>";

const bare = tag("<steptml:invoke");
const tags = parameterTags({
  call: { opens: [tag(`${KIND}${bare.spelling}`), bare], closes: [tag("</steptml:invoke")] },
  parameter: { opens: [tag("<steptml:parameter")], closes: [tag("</steptml:parameter")] },
  style: "verbatim",
  bodies: [objectBody],
});

/** Step 3: tags with a prefix, each call between special tokens. */
export const step3: Dialect = {
  id: "step3",
  aliases: [],
  models: "Step 3",
  source: "xml",
  openers: [{ ...bare, evidence: "wrapper-missing", read: tags.behind(bare, CALL) }],
  wrappers: [CALLS, CALL],
  bodies: [{ source: "xml", leads: tags.leads, in: tags.in }],
  suspendsReasoning: "always",
  closers: ["</steptml:invoke", "</steptml:parameter"].map(tag),
  results: [],
  channels: { strips: ["<｜end▁of▁sentence｜>"] },
  write: pairWriter({
    block: (calls) => `${CALLS.open.spelling}${calls}<｜tool_calls_end｜>`,
    call: (name, parameters) =>
      `<｜tool_call_begin｜>${KIND}<steptml:invoke name="${attribute(name)}">${parameters}</steptml:invoke><｜tool_call_end｜>`,
    pair: (key, value) => `<steptml:parameter name="${attribute(key)}">${value}</steptml:parameter>`,
    separator: "\n",
    marks: /^[ \t\r\n]*<!\[CDATA\[|<\/?steptml:|<｜tool_/i,
  }),
  reserved: ["<steptml:parameter", "<｜tool_sep｜>"],
};
