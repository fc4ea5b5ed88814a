import { sentinelCalls } from "../sieve/grammars/sentinel-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { elementWriter } from "./element-writer.ts";

const SENTINEL = "]<]minimax[>[";

const { wrapper, body, bare } = sentinelCalls({
  sentinel: SENTINEL,
  wrapper: { open: "<tool_call", close: "</tool_call" },
  call: { open: "<invoke", close: "</invoke" },
});

const writer = elementWriter({
  element: (name, content) => `${SENTINEL}<${name}>${content}${SENTINEL}</${name}>`,
  text: (text) => text,
  carries: (text, nested) => !text.includes(SENTINEL) && !(nested && /^\r?\n/.test(text)),
});

/** MiniMax M3: a special token before each tag, parameters as elements of their own names, objects and lists nested. */
export const minimaxM3: Dialect = {
  id: "minimax_m3",
  models: "MiniMax M3",
  source: "xml",
  openers: [bare],
  wrappers: [wrapper],
  bodies: [body],
  suspendsReasoning: "always",
  closers: [tag(`${SENTINEL}</invoke`)],
  write: {
    calls: (calls) => `${SENTINEL}<tool_call>${calls.map(written).join("\n")}${SENTINEL}</tool_call>`,
    carries: ({ input }) => writer.carries(input),
  },
};

function written({ name, input }: WrittenCall): string {
  return `${SENTINEL}<invoke name="${name}">${writer.members(input).join("")}${SENTINEL}</invoke>`;
}
