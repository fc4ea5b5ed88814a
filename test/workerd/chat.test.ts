import type { ChatCompletion, ChatCompletionCreateParams } from "openai/resources/chat/completions";
import { describe, expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { TOOLS } from "../chat-tools.ts";
import { chunk, DONE, type Script, says } from "../scripted-upstream/script.ts";
import { client, scriptedModel } from "./gateway.ts";

const messages: ChatCompletionCreateParams["messages"] = [{ role: "user", content: "Go on." }];
const PARIS = { name: "get_weather", input: { city: "Paris" } };
const OSLO = { name: "get_weather", input: { city: "Oslo", days: 3 } };
const block = canonical.write.calls([PARIS]);
const fence = `\`\`\`xml\n${block}\n\`\`\``;

interface Expected {
  content: string | null;
  /** Name and arguments as JSON. */
  calls?: [string, string][];
  finish: string;
}

const replies: { of: string; model: Script; expected: Expected }[] = [
  {
    of: "text",
    model: says("Plain <b>text</b>.", { size: 1 }),
    expected: { content: "Plain <b>text</b>.", finish: "stop" },
  },
  { of: "nothing", model: says(""), expected: { content: "", finish: "stop" } },
  {
    of: "a call",
    model: says(block, { size: 3 }),
    expected: { content: null, calls: [["get_weather", '{"city":"Paris"}']], finish: "tool_calls" },
  },
  {
    of: "a call without arguments",
    model: says(canonical.write.calls([{ name: "ping", input: {} }]), { size: 5 }),
    expected: { content: null, calls: [["ping", "{}"]], finish: "tool_calls" },
  },
  {
    of: "two parallel calls",
    model: says(canonical.write.calls([PARIS, OSLO]), { size: 4 }),
    expected: {
      content: null,
      calls: [
        ["get_weather", '{"city":"Paris"}'],
        ["get_weather", '{"city":"Oslo","days":3}'],
      ],
      finish: "tool_calls",
    },
  },
  {
    of: "text before and behind a call",
    model: says(`Let me look.\n\n${block}\nThat is it.`, { size: 7 }),
    expected: {
      content: "Let me look.\n\n\nThat is it.",
      calls: [["get_weather", '{"city":"Paris"}']],
      finish: "tool_calls",
    },
  },
  {
    of: "a fenced example",
    model: says(`Write it so:\n${fence}\nThat is all.`, { size: 2 }),
    expected: { content: `Write it so:\n${fence}\nThat is all.`, finish: "stop" },
  },
  {
    of: "a fenced example and then a call",
    model: says(`Like this:\n${fence}\nNow in earnest.\n${canonical.write.calls([OSLO])}`, { size: 6 }),
    expected: {
      content: `Like this:\n${fence}\nNow in earnest.`,
      calls: [["get_weather", '{"city":"Oslo","days":3}']],
      finish: "tool_calls",
    },
  },
  {
    of: "text that was cut",
    model: says("Once upon", { finish: "length" }),
    expected: { content: "Once upon", finish: "length" },
  },
  {
    of: "a call and a cut behind it",
    model: says(`${block}\n\n`, { finish: "length" }),
    expected: { content: null, calls: [["get_weather", '{"city":"Paris"}']], finish: "tool_calls" },
  },
  {
    of: "text that was filtered",
    model: says("I must", { finish: "content_filter" }),
    expected: { content: "I must", finish: "content_filter" },
  },
  {
    of: "the upstream's native calls",
    model: {
      steps: [
        { send: chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "ping", arguments: "{}" } }] }) },
        { send: chunk({}, "tool_calls") + DONE },
      ],
    },
    expected: { content: null, calls: [["ping", "{}"]], finish: "tool_calls" },
  },
];

function judge({ choices }: ChatCompletion, { content, calls, finish }: Expected) {
  const [choice] = choices;
  const given = choice?.message.tool_calls?.map((call) =>
    call.type === "function" ? [call.function.name, call.function.arguments] : [call.type],
  );
  expect([given, choice?.finish_reason]).toEqual([calls, finish]);
  // The SDK's helper has no content where no delta had any; it joins what the opening delta brings.
  expect(choice?.message.content || null).toBe(content || null);
}

describe.each(replies)("a reply of $of", ({ model: script, expected }) => {
  const request = async () => ({ model: (await scriptedModel(script)).name, messages, tools: TOOLS });

  test("as one body", async () => {
    const completion = await client().chat.completions.create(await request());
    judge(completion, expected);
    expect(completion.choices[0]?.message.content).toBe(expected.content);
  });

  test("as a stream, put together by the SDK's helper", async () => {
    const stream = client().chat.completions.stream(await request());
    judge(await stream.finalChatCompletion(), expected);
  });
});

describe("the SDK's stream helper", () => {
  const script = says(`Let me look.\n${canonical.write.calls([PARIS, OSLO])}`, { size: 3 });

  test("tells of text and calls as they come", async () => {
    const model = await scriptedModel(script);
    const told: string[] = [];
    const stream = client().chat.completions.stream({ model: model.name, messages, tools: TOOLS });
    stream.on("content.done", ({ content }) => told.push(`text ${content}`));
    stream.on("tool_calls.function.arguments.delta", ({ index, arguments: json }) => told.push(`${index} ${json}`));
    stream.on("tool_calls.function.arguments.done", ({ name, arguments: json }) => told.push(`${name} ${json}`));
    await stream.done();
    const whole = told.filter((line, at) => line.slice(0, 2) !== told[at + 1]?.slice(0, 2));
    expect(whole).toEqual([
      "text Let me look.",
      '0 {"city":"Paris"}',
      'get_weather {"city":"Paris"}',
      '1 {"city":"Oslo","days":3}',
      'get_weather {"city":"Oslo","days":3}',
    ]);
    expect(told.length).toBeGreaterThan(whole.length);
  });

  test("yields chunks of one completion", async () => {
    const model = await scriptedModel(script);
    const stream = await client().chat.completions.create({ model: model.name, messages, tools: TOOLS, stream: true });
    const ids = new Set<string>();
    let text = "";
    for await (const { id, choices } of stream) {
      ids.add(id);
      text += choices[0]?.delta.content ?? "";
    }
    expect([ids.size, text]).toEqual([1, "Let me look."]);
  });
});

describe("usage", () => {
  const script = says("Hi.", { usage: [5, 2] });
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

  async function chunks(options: Pick<ChatCompletionCreateParams, "stream_options">) {
    const model = await scriptedModel(script);
    const stream = await client().chat.completions.create({ model: model.name, messages, stream: true, ...options });
    const all = [];
    for await (const each of stream) all.push(each);
    return all;
  }

  test("comes in the last chunk of a stream when it is asked for", async () => {
    const all = await chunks({ stream_options: { include_usage: true } });
    expect(all.filter((each) => each.usage)).toEqual([all.at(-1)]);
    expect(all.at(-1)).toMatchObject({ choices: [], usage });
  });

  test("does not come when it is not", async () => {
    for (const options of [{}, { stream_options: { include_usage: false } }]) {
      for (const each of await chunks(options)) expect(each.usage ?? undefined).toBeUndefined();
    }
  });

  test("always comes in a body, estimated where the upstream does not count", async () => {
    for (const [said, expected] of [
      [script, usage],
      [says("Two words."), { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 }],
    ] as const) {
      const model = await scriptedModel(said);
      const completion = await client().chat.completions.create({ model: model.name, messages });
      expect(completion.usage).toEqual(expected);
    }
  });
});

describe("a call that is cut in the middle", () => {
  const script = says('Wait.\n<tool_calls>\n<invoke name="get_weather">\n<parameter name="city"><![CDATA[Par', {
    size: 4,
    finish: "length",
    usage: [5, 2],
  });

  test("stays open in a stream, which says length", async () => {
    const model = await scriptedModel(script);
    const stream = client().chat.completions.stream({ model: model.name, messages, tools: TOOLS });
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect([choice?.finish_reason, choice?.message.content]).toEqual(["length", "Wait."]);
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({ function: { name: "get_weather", arguments: '{"city":"Par' } });
  });

  test("is left out of a body, which says length", async () => {
    const model = await scriptedModel(script);
    const { choices } = await client().chat.completions.create({ model: model.name, messages, tools: TOOLS });
    expect(choices[0]).toMatchObject({ finish_reason: "length", message: { content: "Wait." } });
    expect(choices[0]?.message).not.toHaveProperty("tool_calls");
  });
});
