import { describe, expect, test } from "vitest";
import { captureLog, scriptedModel } from "../workerd/gateway.ts";
import { CLIENTS } from "./clients.ts";
import type { Answer, Client, Way } from "./question.ts";
import { type Expected, SCENARIOS, type Scenario } from "./scenarios.ts";
import { TOOLS } from "./tools.ts";

captureLog();

const PROMPT = "Go on.";

describe.each(CLIENTS)("$name", (client) => {
  const askable = SCENARIOS.filter(({ needs = [] }) => !needs.some((ability) => client.lacks.includes(ability)));

  test.each(askable)("$of", async (scenario) => {
    const { expected } = scenario;
    const answers: Answer[] = [];
    for (const way of client.ways) {
      const model = await scriptedModel(scenario.script);
      const answer = await way.ask({ model: model.name, prompt: PROMPT, tools: TOOLS, ...scenario.asks });
      judge(withoutCutCall(answer, way, expected), client, way, expected);
      judgePrompt(await model.requests(), scenario);
      answers.push(withoutCutCall(answer, way, expected));
    }
    const [first, ...others] = answers.map(comparable);
    for (const other of others) expect(other, "streaming or not, the answer is the same").toEqual(first);
  });
});

function judge(answer: Answer, client: Client, { name }: Way, expected: Expected) {
  const can = (ability: Client["lacks"][number]) => !client.lacks.includes(ability);
  const called = answer.calls.map((call) => [call.name, call.input]);
  expect(called, name).toEqual(expected.calls ?? []);
  const ids = answer.calls.map(({ id }) => id);
  expect(new Set(ids).size, "ids of their own").toBe(ids.length);
  expect(ids).not.toContain("");

  expect(answer.text, name).toBe(expected.text ?? "");
  expect(answer.finish, name).toBe(client.finishes[expected.finish]);
  if (can("reasoning")) expect(answer.reasoning, name).toBe(expected.reasoning ?? "");
  if (can("order")) expect(answer.order, name).toBe(expected.order);
  if (can("stop-sequence")) expect(answer.stopSequence ?? undefined, name).toBe(expected.stopSequence);
  const { reasoning, ...counted } = expected.usage ?? {};
  const wanted = can("reasoning-tokens") && reasoning !== undefined ? { ...counted, reasoning } : counted;
  expect(answer.usage, name).toMatchObject(wanted);
}

/** A way that shows a call that was cut shows it last; what came of its arguments is the SDK's affair. */
function withoutCutCall(answer: Answer, { showsCutCall }: Way, { cutCall }: Expected): Answer {
  if (cutCall === undefined || !showsCutCall) return answer;
  expect(answer.calls.at(-1)?.name).toBe(cutCall);
  return { ...answer, calls: answer.calls.slice(0, -1), order: answer.order.replace(/ ?call$/, "") };
}

/** Without ids, which are never the same twice. */
function comparable({ calls, ...rest }: Answer) {
  return { ...rest, calls: calls.map(({ name, input }) => ({ name, input })) };
}

/** A model that writes text is asked for text: what is to be called stands in the prompt, and nowhere else. */
function judgePrompt(requests: { body: Record<string, unknown> }[], { asks, line }: Scenario) {
  expect(requests).toHaveLength(1);
  const { messages, stop, tools, tool_choice, parallel_tool_calls } = requests[0]?.body ?? {};
  expect([tools, tool_choice, parallel_tool_calls]).toEqual([undefined, undefined, undefined]);
  // The gateway's own stands behind the client's, where calls may come.
  const stops = [
    ...(asks?.stop === undefined ? [] : [asks.stop]),
    ...(asks?.choice === "none" ? [] : ["<tool_results>"]),
  ];
  expect(stop ?? []).toEqual(stops);
  const taught = { role: "system", content: expect.stringContaining("# Tools") };
  const question = { role: "user", content: line === undefined ? PROMPT : `${PROMPT}\n\n${line}` };
  expect(messages).toEqual(asks?.choice === "none" ? [question] : [taught, question]);
}
