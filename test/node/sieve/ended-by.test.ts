import { expect, test } from "vitest";
import { createSieve, type SieveOptions, type SieveReport } from "../../../src/sieve/index.ts";

const tools = [{ name: "ping", parameters: { type: "object", properties: {} } }];
const CALL = '<tool_calls><invoke name="ping"></invoke></tool_calls>';

test.each<[what: string, text: string, options: Partial<SieveOptions>, told: Partial<SieveReport>]>([
  ["the model", `${CALL}Done.`, {}, { ended: false, fromReasoning: 0 }],
  ["results that it made up (W2)", `${CALL}\n<tool_results>`, {}, { ended: true, endedBy: "invented-results" }],
  ["the turn that it stands in", `${CALL}<|im_start|>user\nx`, {}, { ended: true, endedBy: "invented-results" }],
  ["text behind a call (W3)", `${CALL}x`, { afterCalls: "end" }, { ended: true, endedBy: "after-calls" }],
  ["the last allowed call", CALL + CALL, { maxCalls: 1 }, { ended: true, endedBy: "max-calls" }],
  ["the model, calls in its reasoning alone (A4)", `<think>${CALL}${CALL}`, {}, { ended: false, fromReasoning: 2 }],
  ["the model, a call that it thought of", `<think>${CALL}</think>x`, {}, { ended: false, fromReasoning: 0 }],
])("a reply ended by %s", (_what, text, options, told) => {
  const sieve = createSieve({ tools, ...options });
  sieve.push(text);
  sieve.end();
  expect(sieve.report()).toMatchObject(told);
  expect("endedBy" in sieve.report()).toBe("endedBy" in told);
});
