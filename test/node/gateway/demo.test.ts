import { describe, expect, test } from "vitest";
import readme from "../../../README.md?raw";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER, TOOLS } from "../../chat-tools.ts";
import { readChatBody, readChatStream } from "../../wires/chat.ts";
import { gateway } from "./harness.ts";

/** As it comes out of the box: no variable is set. */
const fetchOpen = gateway({});
const fetchLocked = gateway({ GATEWAY_API_KEYS: "one,two" });

const QUESTION = { role: "user", content: "What is the weather in Paris?" };

async function ask(body: object, fetch = fetchOpen) {
  const send = (stream: boolean) =>
    fetch("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "demo", tools: TOOLS, ...body, stream }),
    });
  const [answer, streamed] = await Promise.all([send(false), send(true)]);
  const whole = readChatBody(await answer.text());
  const stream = readChatStream(await streamed.text());
  const { text, finish } = whole;
  expect([stream.text, stream.finish]).toEqual([text, finish]);
  expect(stream.calls.map(withoutId)).toEqual(whole.calls.map(withoutId));
  return { text, finish, calls: whole.calls };
}

const withoutId = ({ name, arguments: json }: { name: string; arguments: string }) => ({ name, arguments: json });

describe("requests of the README", () => {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = ""]) => code);
  const requests = blocks.flatMap((code) => {
    const variables = [...code.matchAll(/--var (\w+):(\S+)/g)].map(([, name = "", value = ""]) => [name, value]);
    const bodies = [...code.matchAll(/^curl \S+\/v1\/chat\/completions .* -d '([^']+)'$/gm)];
    return bodies.map(([, body = ""]) => ({ body, fetch: gateway(Object.fromEntries(variables)) }));
  });

  test("there are some", () => expect(requests.length).toBeGreaterThan(2));

  test.each(requests)("$body is answered with a call, as a stream too", async ({ body, fetch }) => {
    const { calls, finish } = await ask(JSON.parse(body), fetch);
    expect([calls.length, finish]).toEqual([1, "tool_calls"]);
  });
});

describe("the demo model, asked by nobody with a key", () => {
  test("calls the tool that fits", async () => {
    const { text, calls, finish } = await ask({ messages: [QUESTION], tools: [GET_WEATHER] });
    expect(text).not.toBe("");
    expect(calls.map(withoutId)).toEqual([{ name: "get_weather", arguments: '{"city":"Paris"}' }]);
    expect(finish).toBe("tool_calls");
  });

  test("tells the result in a sentence", async () => {
    const { calls } = await ask({ messages: [QUESTION] });
    const history = calls.map(({ id, name, arguments: json }) => ({
      id,
      type: "function",
      function: { name, arguments: json },
    }));
    const result = { role: "tool", tool_call_id: calls[0]?.id, content: "18 °C and sunny" };
    const messages = [QUESTION, { role: "assistant", content: null, tool_calls: history }, result];
    expect(await ask({ messages })).toMatchObject({
      text: expect.stringContaining("18 °C and sunny"),
      calls: [],
      finish: "stop",
    });
  });

  test("says something without tools", async () => {
    const reply = await ask({ messages: [QUESTION], tools: [] });
    expect(reply).toMatchObject({ text: expect.stringMatching(/\w/), calls: [], finish: "stop" });
  });
});

describe("the model echo", () => {
  const echo = (content: string, more: object = {}) =>
    ask({ model: "echo", messages: [{ role: "user", content }], ...more });
  const block = canonical.write.calls([{ name: "read_file", input: { path: "a ]]> b", lines: 3 } }]);

  test("says markup again, and the sieve acts on it", async () => {
    const { text, calls, finish } = await echo(`Look:\n${block}`);
    expect([text, finish]).toEqual(["Look:", "tool_calls"]);
    expect(calls.map(withoutId)).toEqual([{ name: "read_file", arguments: '{"path":"a ]]> b","lines":3}' }]);
  });

  test.each([
    ["in a fence", `\`\`\`xml\n${block}\n\`\`\``, {}],
    ["where no tools are declared", block, { tools: [] }],
    ["where calls are forbidden", block, { tool_choice: "none" }],
    ["that is no call", "<tool_calls>and so on", {}],
  ])("says markup again %s, and it stays text", async (_where, said, more) => {
    expect(await echo(said, more)).toMatchObject({ text: said, calls: [], finish: "stop" });
  });

  test("stops where a model would have to", async () => {
    expect(await echo("one two three four", { max_tokens: 2 })).toMatchObject({
      text: "one two ",
      finish: "length",
    });
    expect(await echo("one two three four", { stop: "three" })).toMatchObject({ text: "one two ", finish: "stop" });
  });
});

test("models are listed", async () => {
  const { data } = (await (await fetchOpen("/v1/models")).json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(["demo", "echo"]);
});

test("with keys set, the demo asks for one too", async () => {
  const ask = (headers: Record<string, string>) => fetchLocked("/v1/models", { headers });
  expect((await ask({})).status).toBe(401);
  expect((await ask({ authorization: "Bearer three" })).status).toBe(401);
  expect((await ask({ authorization: "Bearer two" })).status).toBe(200);
});
