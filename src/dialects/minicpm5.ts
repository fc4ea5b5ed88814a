import { attribute } from "./attribute.ts";
import type { Dialect } from "./dialect.ts";
import { FUNCTION, FUNCTION_CLOSERS, FUNCTION_NAMED } from "./function-tags.ts";
import { pairWriter } from "./pair-writer.ts";

/** MiniCPM: calls without anything around them. So do pages of XML have them: only a declared name makes one. */
export const minicpm5: Dialect = {
  id: "minicpm5",
  models: "MiniCPM 4 and 5",
  source: "xml",
  openers: [
    {
      ...FUNCTION_NAMED,
      evidence: "weak",
      read: FUNCTION.behind(FUNCTION_NAMED),
    },
  ],
  closers: FUNCTION_CLOSERS,
  channels: { strips: ["<|im_end|>"] },
  write: pairWriter({
    call: (name, parameters) => `<function name="${attribute(name)}">${parameters}</function>`,
    pair: (key, value, type) =>
      `<param name="${attribute(key)}">${type === "string" ? `<![CDATA[${value}]]>` : value}</param>`,
    separator: "\n",
    marks: /<!\[CDATA\[|\]\]>|<\/?(?:function|param)/i,
  }),
  reserved: ["<param"],
};
