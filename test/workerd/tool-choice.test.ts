import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { describe, expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { TOOLS } from "../chat-tools.ts";
import { type Script, says } from "../scripted-upstream/script.ts";
import { client, scriptedModel } from "./gateway.ts";

const block = canonical.write.calls([{ name: "read_file", input: { path: "a" } }]);
const two = canonical.write.calls([
  { name: "read_file", input: { path: "a" } },
  { name: "ping", input: {} },
]);
const call = (name: string) => ({ type: "function" as const, function: { name } });

type Options = Pick<ChatCompletionCreateParamsNonStreaming, "tool_choice" | "parallel_tool_calls">;

/** The reply in short, and how often and with which last words the upstream was asked. */
async function ask(options: Options, stream: boolean, ...scripts: Script[]) {
  const model = await scriptedModel(...scripts);
  const messages = [{ role: "user" as const, content: "Go." }];
  const request = { model: model.name, messages, tools: TOOLS, ...options };
  const completions = client().chat.completions;
  const { choices } = await (stream ? completions.stream(request).finalChatCompletion() : completions.create(request));
  const { message, finish_reason: finish } = choices[0] ?? expect.unreachable();
  const calls = message.tool_calls?.map((each) => (each.type === "function" ? each.function.name : each.type)) ?? [];
  const requests = await model.requests();
  const asked = requests.map(({ body }) => body.messages.at(-1)?.content.split("\n").at(-1));
  return { content: message.content || "", calls, finish, asked };
}

describe("a required call", () => {
  const line = "(This turn needs at least one tool call.)";

  test.each<[string, boolean, Script[], object]>([
    ["comes", false, [says(block)], { calls: ["read_file"], finish: "tool_calls", asked: [line] }],
    [
      "comes when it is asked for again",
      false,
      [says("No."), says(block)],
      { content: "", calls: ["read_file"], asked: [line, line] },
    ],
    [
      "does not come: what was said stays",
      false,
      [says("No."), says("Never.")],
      { content: "Never.", finish: "stop", asked: [line, line] },
    ],
    [
      "comes again in a stream that had said nothing",
      true,
      [says(""), says(block)],
      { calls: ["read_file"], asked: [line, line] },
    ],
    [
      "is not asked for again in a stream that has said something",
      true,
      [says("No."), says(block)],
      { content: "No.", finish: "stop", asked: [line] },
    ],
  ])("%s; streaming: %j", async (_what, stream, scripts, expected) => {
    expect(await ask({ tool_choice: "required" }, stream, ...scripts)).toMatchObject(expected);
  });
});

test.each([false, true])("a call of another tool than the one asked for passes; streaming: %j", async (stream) => {
  expect(await ask({ tool_choice: call("ping") }, stream, says(block))).toEqual({
    content: "",
    calls: ["read_file"],
    finish: "tool_calls",
    asked: ["(This turn needs a call of `ping`.)"],
  });
});

test("a reply that the gateway ends lets go of the upstream, and has its usage", async () => {
  const model = await scriptedModel({ steps: [...(says(two).steps?.slice(0, 1) ?? []), "hang"] });
  const { choices, usage } = await client().chat.completions.create({
    model: model.name,
    messages: [{ role: "user", content: "Go." }],
    tools: TOOLS,
    parallel_tool_calls: false,
  });
  expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { tool_calls: [{}] } });
  expect(usage?.completion_tokens).toBeGreaterThan(0);
  expect(await model.ending()).toBe("abandoned");
});

test("so does one that is streamed", async () => {
  const model = await scriptedModel({ steps: [...(says(two).steps?.slice(0, 1) ?? []), "hang"] });
  const stream = await client().chat.completions.create({
    model: model.name,
    messages: [{ role: "user", content: "Go." }],
    tools: TOOLS,
    parallel_tool_calls: false,
    stream: true,
  });
  const finishes: unknown[] = [];
  for await (const { choices } of stream) finishes.push(choices[0]?.finish_reason);
  expect(finishes.at(-1)).toBe("tool_calls");
  expect(await model.ending()).toBe("abandoned");
});
