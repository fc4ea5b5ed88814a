import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";
import type { Renderer } from "../../../../src/protocols/protocol.ts";
import { createFold, type FinishReason, type ReplyEvent } from "../../../../src/reply.ts";

function createRenderer(fields: object = {}): Renderer {
  const tools = [{ type: "custom", custom: { name: "patch" } }];
  const body = { model: 'my "model"', messages: [{ role: "user", content: "hi" }], tools, ...fields };
  const context = {
    requestId: "req_1",
    created: 1_764_480_000,
    randomId: () => "ABCDEFGHIJKLMNOPQRSTUVWX",
    promptTokens: () => 7,
  };
  return openAiChat.readRequest(body).createRenderer(context);
}

/** Every piece that a stream is made of, one for each event. */
function pieces(events: readonly ReplyEvent[], fields?: object): string[] {
  const renderer = createRenderer(fields);
  return [renderer.start(), ...events.map((event) => renderer.event(event))];
}

function body(events: readonly ReplyEvent[], fields?: object): unknown {
  const fold = createFold();
  for (const event of events) fold.push(event);
  return createRenderer(fields).body(fold.reply());
}

const HEAD =
  'data: {"id":"chatcmpl-ABCDEFGHIJKLMNOPQRSTUVWX","object":"chat.completion.chunk","created":1764480000,' +
  '"model":"my \\"model\\"","choices":[';
const chunk = (delta: string, finish = "null") =>
  `${HEAD}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`;

const ROLE = chunk('{"role":"assistant","content":""}');
const DONE = "data: [DONE]\n\n";
const USAGE = { input: 12, output: 9 };

const finish = (reason: FinishReason): ReplyEvent => ({ type: "finish", reason });
const usage: ReplyEvent = { type: "usage", usage: USAGE };
const twoCalls: ReplyEvent[] = [
  { type: "text", text: 'Check "it"\n' },
  { type: "call-start", index: 0, id: "call_1", name: "weather" },
  { type: "call-arguments", index: 0, json: '{"city":' },
  { type: "call-arguments", index: 0, json: '"Paris"}' },
  { type: "call-end", index: 0 },
  { type: "call-start", index: 1, id: "call_2", name: "now" },
  { type: "call-arguments", index: 1, json: "{}" },
  { type: "call-end", index: 1 },
  usage,
  finish("tool"),
];

describe("a stream", () => {
  test("of text and two calls", () => {
    expect(pieces(twoCalls)).toEqual([
      ROLE,
      chunk('{"content":"Check \\"it\\"\\n"}'),
      chunk(
        '{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"weather","arguments":""}}]}',
      ),
      chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":"}}]}'),
      chunk('{"tool_calls":[{"index":0,"function":{"arguments":"\\"Paris\\"}"}}]}'),
      "",
      chunk('{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"now","arguments":""}}]}'),
      chunk('{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
      "",
      "",
      chunk("{}", '"tool_calls"') + DONE,
    ]);
  });

  test("ends with a usage chunk only when it was asked for", () => {
    const fields = { stream: true, stream_options: { include_usage: true } };
    const counts = '"usage":{"prompt_tokens":12,"completion_tokens":9,"total_tokens":21}';
    expect(pieces([usage, finish("stop")], fields)).toEqual([
      ROLE,
      "",
      `${chunk("{}", '"stop"')}${HEAD}],${counts}}\n\n${DONE}`,
    ]);
  });

  test("takes the last usage for the true one", () => {
    const fields = { stream_options: { include_usage: true } };
    const details = { input: 1, cached: 2, output: 3, reasoning: 4 };
    expect(pieces([usage, { type: "usage", usage: details }, finish("stop")], fields).at(-1)).toContain(
      '"usage":{"prompt_tokens":1,"completion_tokens":3,"total_tokens":4,' +
        '"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":4}}',
    );
  });

  test("says nothing more of a call that is open at the end (T3)", () => {
    expect(pieces([...twoCalls.slice(0, 3), finish("length")]).slice(-2)).toEqual([
      chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":"}}]}'),
      chunk("{}", '"length"') + DONE,
    ]);
  });

  test("ends in an error with the error alone: no finish, no [DONE]", () => {
    expect(pieces([{ type: "error", error: { kind: "upstream-failed", detail: "secret" } }]).at(-1)).toBe(
      'data: {"error":{"message":"The model server could not be reached or gave an answer that cannot be read. Please try again later.",' +
        '"type":"server_error","param":null,"code":"upstream_error"}}\n\n',
    );
  });

  test.each<[FinishReason, string]>([
    ["stop", "stop"],
    ["tool", "tool_calls"],
    ["length", "length"],
    ["context", "length"],
    ["filter", "content_filter"],
  ])("finish %s is %s", (reason, name) => {
    expect(pieces([finish(reason)]).at(-1)).toBe(chunk("{}", `"${name}"`) + DONE);
    expect(body([finish(reason)])).toMatchObject({ choices: [{ finish_reason: name }] });
  });

  test("shows reasoning unless it was switched off", () => {
    const events: ReplyEvent[] = [{ type: "reasoning", text: "hm" }];
    expect(pieces(events)[1]).toBe(chunk('{"reasoning_content":"hm"}'));
    expect(pieces(events, { reasoning_effort: "none" })[1]).toBe("");
  });

  test("is kept alive by a comment", () => {
    expect(createRenderer().heartbeat()).toBe(": keep-alive\n\n");
  });

  test("cut inside a surrogate pair joins to the whole character", () => {
    const halves = pieces([
      { type: "text", text: "\ud83d" },
      { type: "text", text: "\ude00" },
    ]).slice(1);
    expect(halves).toEqual([chunk('{"content":"\\ud83d"}'), chunk('{"content":"\\ude00"}')]);
  });

  test("gives a freeform call as plain text, without empty deltas", () => {
    const events: ReplyEvent[] = [
      { type: "call-start", index: 0, id: "call_1", name: "patch" },
      { type: "call-arguments", index: 0, json: '{"input":"' },
      { type: "call-arguments", index: 0, json: 'a \\"b\\"\\n' },
      { type: "call-arguments", index: 0, json: '"}' },
      { type: "call-end", index: 0 },
    ];
    expect(pieces(events).slice(1)).toEqual([
      chunk('{"tool_calls":[{"index":0,"id":"call_1","type":"custom","custom":{"name":"patch","input":""}}]}'),
      "",
      chunk('{"tool_calls":[{"index":0,"custom":{"input":"a \\"b\\"\\n"}}]}'),
      "",
      "",
    ]);
  });
});

test("gives a freeform call whose text only its end tells in one piece", () => {
  const json = '{"why":"because","input":"+ a"}';
  const events: ReplyEvent[] = [
    { type: "call-start", index: 0, id: "call_1", name: "patch" },
    { type: "call-arguments", index: 0, json },
    { type: "call-end", index: 0 },
  ];
  expect(pieces(events).slice(-2)).toEqual(["", chunk('{"tool_calls":[{"index":0,"custom":{"input":"+ a"}}]}')]);
});

describe("one body", () => {
  const answer = (message: object, finish_reason: string, more: object = {}) => ({
    object: "chat.completion",
    id: "chatcmpl-ABCDEFGHIJKLMNOPQRSTUVWX",
    created: 1_764_480_000,
    model: 'my "model"',
    choices: [{ index: 0, message: { role: "assistant", refusal: null, ...message }, logprobs: null, finish_reason }],
    ...more,
  });
  const calls = [
    { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
    { id: "call_2", type: "function", function: { name: "now", arguments: "{}" } },
  ];

  test("of text and two calls", () => {
    expect(body(twoCalls)).toEqual(
      answer({ content: 'Check "it"\n', tool_calls: calls }, "tool_calls", {
        usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 },
      }),
    );
  });

  test("with calls alone has no content", () => {
    const events = twoCalls.filter(({ type }) => type !== "text" && type !== "usage");
    expect(body(events)).toEqual(answer({ content: null, tool_calls: calls }, "tool_calls"));
  });

  test("that is empty has empty content and no calls", () => {
    expect(body([finish("stop")])).toEqual(answer({ content: "" }, "stop"));
  });

  test("leaves out a call that is open at the end (T3)", () => {
    expect(body([...twoCalls.slice(0, 3), finish("length")])).toEqual(answer({ content: 'Check "it"\n' }, "length"));
  });

  test("shows reasoning unless it was switched off", () => {
    const events: ReplyEvent[] = [{ type: "reasoning", text: "hm" }, { type: "text", text: "a" }, finish("stop")];
    expect(body(events)).toEqual(answer({ content: "a", reasoning_content: "hm" }, "stop"));
    expect(body(events, { reasoning_effort: "none" })).toEqual(answer({ content: "a" }, "stop"));
  });

  test("gives a freeform call as plain text", () => {
    const events: ReplyEvent[] = [
      { type: "call-start", index: 0, id: "call_1", name: "patch" },
      { type: "call-arguments", index: 0, json: '{"input":"a\\nb"}' },
      { type: "call-end", index: 0 },
      finish("tool"),
    ];
    expect(body(events)).toEqual(
      answer(
        { content: null, tool_calls: [{ id: "call_1", type: "custom", custom: { name: "patch", input: "a\nb" } }] },
        "tool_calls",
      ),
    );
  });
});
