import { expect } from "vitest";
import { parseToolCalls } from "../../src/sieve/index.ts";
import type { RequestTool } from "./requests.ts";

/** What the history in the prompt that went upstream has to be like. */
export interface PromptChecks {
  contains?: string[];
  not_contains?: string[];
  /** Texts, one behind the other. */
  order?: string[];
  /** A call by a value of its arguments, and the text of its result. */
  pairs?: [string, string][];
}

export function judgePrompt(
  messages: readonly { role: string; content: string }[],
  tools: readonly RequestTool[],
  { contains = [], not_contains = [], order = [], pairs = [] }: PromptChecks,
) {
  const history = messages.filter(({ role }) => role !== "system");
  const prompt = history.map(({ content }) => content).join("\n");
  for (const text of contains) expect(prompt).toContain(text);
  for (const text of not_contains) expect(prompt).not.toContain(text);

  const places = order.map((text) => prompt.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));

  const calls = parseToolCalls(ownWords(messages), { tools: [...tools] });
  // Results stand in the order of their calls, numbered.
  const results = [...prompt.matchAll(/<result n="(\d+)"[^>]*>\n(.*?)\n<\/result>/gs)];
  const paired = results.map(([, number, text]) => [Object.values(calls[Number(number) - 1]?.input ?? {})[0], text]);
  for (const pair of pairs) expect(paired).toContainEqual(pair);
}

/** What the model is shown as written by itself. */
export function ownWords(messages: readonly { role: string; content: string }[]): string {
  const own = messages.filter(({ role }) => role === "assistant");
  return own.map(({ content }) => content).join("\n");
}
