import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";
import type { Renderer } from "../../../../src/protocols/protocol.ts";
import { createFold, type FinishReason, type ReplyEvent, type Usage } from "../../../../src/reply.ts";

const TOOLS = [
  { type: "function", name: "weather", parameters: { type: "object" } },
  { type: "custom", name: "patch" },
  { type: "namespace", name: "crm", tools: [{ type: "function", name: "find" }] },
];
const REQUEST = { model: 'my "model"', input: "hi", tools: TOOLS };

function createRenderer(fields: object = {}): Renderer {
  let made = 0;
  return openAiResponses.readRequest({ ...REQUEST, ...fields }).createRenderer({
    requestId: "req_1",
    created: 1_764_480_000,
    // 0, 1, 2 …: the response's, then those of the items.
    randomId: () => String(made++),
    promptTokens: () => 7,
  });
}

interface StreamEvent {
  type: string;
  sequence_number: number;
  response?: { status: string; output: object[]; usage: unknown; error: unknown; incomplete_details: unknown };
  item?: { type: string };
}

/** What a client reads: the data of each event, whose number and name are held against its place. */
function stream(events: readonly ReplyEvent[], fields?: object): StreamEvent[] {
  const renderer = createRenderer(fields);
  const text = [renderer.start(), ...events.map((event) => renderer.event(event))].join("");
  expect(text).toMatch(/\n\n$/);
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block, index) => {
      const [, name, data = ""] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      const event: StreamEvent = JSON.parse(data);
      expect(event).toMatchObject({ type: name, sequence_number: index });
      return event;
    });
}

function body(events: readonly ReplyEvent[], fields?: object): unknown {
  const fold = createFold();
  for (const event of events) fold.push(event);
  return createRenderer(fields).body(fold.reply());
}

/** The events between the two that begin a stream and the one that ends it, numbers apart. */
function middle(events: readonly ReplyEvent[], fields?: object): object[] {
  return stream(events, fields)
    .slice(2, -1)
    .map(({ sequence_number, ...event }) => event);
}

const finish = (reason: FinishReason): ReplyEvent => ({ type: "finish", reason });
const usage: ReplyEvent = { type: "usage", usage: { input: 12, output: 9 } };
const error: ReplyEvent = { type: "error", error: { kind: "upstream-failed", detail: "secret" } };
const text = (value: string): ReplyEvent => ({ type: "text", text: value });
const reasoning = (value: string): ReplyEvent => ({ type: "reasoning", text: value });
const start = (name: string, index = 0): ReplyEvent => ({
  type: "call-start",
  index,
  id: `call_${name}`,
  name,
});
const json = (value: string, index = 0): ReplyEvent => ({ type: "call-arguments", index, json: value });
const end = (index = 0): ReplyEvent => ({ type: "call-end", index });
const call = (name: string, args: string, index = 0) => [start(name, index), json(args, index), end(index)];
const summary = { reasoning: { summary: "auto" } };

const outputText = (value: string) => ({ type: "output_text", text: value, annotations: [], logprobs: [] });

function messageItem(id: string, value: string, status = "completed") {
  return { id, type: "message", role: "assistant", status, content: [outputText(value)] };
}

/** All events of one message item. */
function message(output_index: number, pieces: string[], status = "completed"): object[] {
  const id = `msg_${output_index + 1}`;
  const place = { item_id: id, output_index, content_index: 0 };
  const whole = pieces.join("");
  return [
    { type: "response.output_item.added", output_index, item: { ...messageItem(id, "", "in_progress"), content: [] } },
    { type: "response.content_part.added", ...place, part: outputText("") },
    ...pieces.map((delta) => ({ type: "response.output_text.delta", ...place, delta, logprobs: [] })),
    { type: "response.output_text.done", ...place, text: whole, logprobs: [] },
    { type: "response.content_part.done", ...place, part: outputText(whole) },
    { type: "response.output_item.done", output_index, item: messageItem(id, whole, status) },
  ];
}

function callItem(output_index: number, name: string, args: string, status = "completed", more: object = {}) {
  const id = `fc_${output_index + 1}`;
  return { id, type: "function_call", status, call_id: `call_${name}`, name, ...more, arguments: args };
}

/** All events of one call item. */
function functionCall(output_index: number, name: string, pieces: string[], more: object = {}): object[] {
  const place = { item_id: `fc_${output_index + 1}`, output_index };
  const whole = pieces.join("");
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: callItem(output_index, name, "", "in_progress", more),
    },
    ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, name, arguments: whole },
    {
      type: "response.output_item.done",
      output_index,
      item: callItem(output_index, name, whole, "completed", more),
    },
  ];
}

function thought(output_index: number, pieces: string[]): object[] {
  const id = `rs_${output_index + 1}`;
  const place = { item_id: id, output_index, summary_index: 0 };
  const whole = pieces.join("");
  const part = { type: "summary_text", text: whole };
  const item = { id, type: "reasoning", summary: [] as object[] };
  return [
    { type: "response.output_item.added", output_index, item },
    { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
    ...pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
    { type: "response.reasoning_summary_text.done", ...place, text: whole },
    { type: "response.reasoning_summary_part.done", ...place, part },
    { type: "response.output_item.done", output_index, item: { ...item, summary: [part] } },
  ];
}

/** Events of a reply, the client's events between begin and end, and what the request asks besides. */
const SEQUENCES: [what: string, events: ReplyEvent[], expected: object[], fields?: object][] = [
  ["text", [text('Check "it"'), text("\n"), finish("stop")], message(0, ['Check "it"', "\n"])],
  [
    "text and a call",
    [text("a"), start("weather"), json('{"city":'), json('"Paris"}'), end(), finish("tool")],
    [...message(0, ["a"]), ...functionCall(1, "weather", ['{"city":', '"Paris"}'])],
  ],
  [
    "two calls",
    [...call("weather", '{"a":1}'), ...call("now", '{"b":2}', 1), finish("tool")],
    [...functionCall(0, "weather", ['{"a":1}']), ...functionCall(1, "now", ['{"b":2}'])],
  ],
  ["a call without arguments", [...call("now", "{}"), finish("tool")], functionCall(0, "now", ["{}"])],
  [
    "a call of a tool in a namespace",
    [...call("find", "{}"), finish("tool")],
    functionCall(0, "find", ["{}"], { namespace: "crm" }),
  ],
  [
    "text behind a call",
    [text("a"), ...call("now", "{}"), text("b"), finish("tool")],
    [...message(0, ["a"]), ...functionCall(1, "now", ["{}"]), ...message(2, ["b"])],
  ],
  [
    "reasoning that was asked for",
    [reasoning("h"), reasoning("m"), text("a"), finish("stop")],
    [...thought(0, ["h", "m"]), ...message(1, ["a"])],
    summary,
  ],
  [
    "reasoning that was not",
    [reasoning("hm"), text("a"), reasoning("hm"), text("b"), finish("stop")],
    message(0, ["a", "b"]),
  ],
  [
    "reasoning between text and a call",
    [text("a"), reasoning("hm"), ...call("now", "{}"), finish("tool")],
    [...message(0, ["a"]), ...thought(1, ["hm"]), ...functionCall(2, "now", ["{}"])],
    summary,
  ],
  ["nothing", [finish("stop")], message(0, [])],
  ["reasoning alone", [reasoning("hm"), finish("stop")], [...thought(0, ["hm"]), ...message(1, [])], summary],
  ["text cut by length", [text("a"), finish("length")], message(0, ["a"], "incomplete")],
  [
    "a call cut by length, which stays open",
    [text("a"), start("weather"), json('{"city":'), finish("length")],
    [...message(0, ["a"]), ...functionCall(1, "weather", ['{"city":']).slice(0, 2)],
  ],
  ["a call cut at its name", [start("weather"), finish("length")], functionCall(0, "weather", []).slice(0, 1)],
  [
    "an error inside a call, which stays open",
    [text("a"), start("weather"), json('{"city":'), error],
    [...message(0, ["a"]), ...functionCall(1, "weather", ['{"city":']).slice(0, 2)],
  ],
  ["an error inside text, which stays open", [text("a"), error], message(0, ["a"]).slice(0, 3)],
  ["an error before anything", [error], []],
];

describe("a stream", () => {
  test.each(SEQUENCES)("of %s", (_what, events, expected, fields) => {
    expect(middle(events, fields)).toEqual(expected);
  });

  test.each(SEQUENCES)(
    "of %s repeats at its end the items that are done, and nothing else",
    (_what, events, _, fields) => {
      const all = stream(events, fields);
      const done = all.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
      expect(all.at(-1)?.response?.output).toEqual(done);
    },
  );

  test("begins with the response twice, both in progress", () => {
    const [created, inProgress] = stream([finish("stop")]);
    expect(created).toMatchObject({
      type: "response.created",
      response: { id: "resp_0", object: "response", status: "in_progress", output: [], usage: null },
    });
    expect(inProgress).toEqual({ ...created, type: "response.in_progress", sequence_number: 1 });
  });

  test("writes a delta as one short event", () => {
    const renderer = createRenderer();
    renderer.start();
    renderer.event(text("a"));
    expect(renderer.event(text('"b"\n'))).toBe(
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1",' +
        '"output_index":0,"content_index":0,"logprobs":[],"delta":"\\"b\\"\\n","sequence_number":5}\n\n',
    );
  });

  test("cut inside a surrogate pair joins to the whole character", () => {
    const [done] = stream([text("\ud83d"), text("\ude00"), finish("stop")]).slice(-2);
    expect(done?.item).toEqual(messageItem("msg_1", "😀"));
  });

  test("is kept alive by a comment, which has no number", () => {
    expect(createRenderer().heartbeat()).toBe(": keep-alive\n\n");
  });

  test("says nothing for what it does not show", () => {
    const renderer = createRenderer();
    expect(renderer.event(reasoning("hm"))).toBe("");
    expect(renderer.event(usage)).toBe("");
  });
});

describe("a freeform call is a custom tool call with plain text", () => {
  const place = { item_id: "ctc_1", output_index: 0 };
  const item = { id: "ctc_1", type: "custom_tool_call", status: "completed", call_id: "call_patch", name: "patch" };
  const added = {
    type: "response.output_item.added",
    output_index: 0,
    item: { ...item, status: "in_progress", input: "" },
  };

  test.each([
    ["streamed", ['{"input":"', 'a \\"b\\"\\n', '"}'], 'a "b"\n'],
    ["told by its end", ['{"why":"because",', '"input":"+ a"}'], "+ a"],
    ["empty", ['{"input":""}'], ""],
  ])("%s", (_what, fragments, input) => {
    const events = [start("patch"), ...fragments.map((fragment) => json(fragment)), end(), finish("tool")];
    const done = { ...item, input };
    expect(middle(events)).toEqual([
      added,
      ...(input === "" ? [] : [{ type: "response.custom_tool_call_input.delta", ...place, delta: input }]),
      { type: "response.custom_tool_call_input.done", ...place, input },
      { type: "response.output_item.done", output_index: 0, item: done },
    ]);
    expect(body(events)).toMatchObject({ status: "completed", output: [done] });
  });
});

describe("finish", () => {
  test.each<[FinishReason, string, object | null]>([
    ["stop", "completed", null],
    ["tool", "completed", null],
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["context", "incomplete", { reason: "max_output_tokens" }],
    ["filter", "incomplete", { reason: "content_filter" }],
  ])("%s is %s", (reason, status, incomplete_details) => {
    const events = [text("a"), finish(reason)];
    const expected = { status, incomplete_details, error: null, output: [messageItem("msg_1", "a", status)] };
    expect(stream(events).at(-1)).toMatchObject({ type: `response.${status}`, response: expected });
    expect(body(events)).toMatchObject(expected);
  });
});

describe("usage has every number", () => {
  const numbers = (input_tokens: number, cached: number, output_tokens: number, thoughts: number) => ({
    input_tokens,
    input_tokens_details: { cached_tokens: cached },
    output_tokens,
    output_tokens_details: { reasoning_tokens: thoughts },
    total_tokens: input_tokens + output_tokens,
  });

  test.each<[Usage[], object]>([
    [[], numbers(0, 0, 0, 0)],
    [[{ input: 12, output: 9 }], numbers(12, 0, 9, 0)],
    [[{ input: 12, cached: 5, output: 9, reasoning: 4 }], numbers(12, 5, 9, 4)],
    [
      [
        { input: 1, output: 1 },
        { input: 2, cached: 1, output: 3 },
      ],
      numbers(2, 1, 3, 0),
    ],
  ])("%j", (counts, expected) => {
    const events = counts.map((counted): ReplyEvent => ({ type: "usage", usage: counted }));
    expect(stream([...events, finish("stop")]).at(-1)?.response?.usage).toEqual(expected);
    expect(stream([...events, error]).at(-1)?.response?.usage).toEqual(expected);
    expect(body([...events, finish("stop")])).toMatchObject({ usage: expected });
  });
});

describe("an error ends the stream as response.failed, with the error inside", () => {
  test.each<[ReplyEvent & { type: "error" }, string]>([
    [{ type: "error", error: { kind: "upstream-failed", detail: "secret" } }, "server_error"],
    [{ type: "error", error: { kind: "upstream-timeout" } }, "server_error"],
    [{ type: "error", error: { kind: "rate-limited" } }, "rate_limit_exceeded"],
    [{ type: "error", error: { kind: "quota-exhausted" } }, "insufficient_quota"],
    [{ type: "error", error: { kind: "context-length", limit: 8 } }, "context_length_exceeded"],
    [{ type: "error", error: { kind: "internal", detail: "secret" } }, "server_error"],
  ])("%j", (failed, code) => {
    const last = stream([text("a"), ...call("now", "{}"), text("b"), failed]).at(-1);
    expect(last).toMatchObject({
      type: "response.failed",
      response: {
        status: "failed",
        error: { code, message: expect.stringMatching(/./) },
        incomplete_details: null,
        output: [messageItem("msg_1", "a"), callItem(1, "now", "{}")],
      },
    });
    expect(JSON.stringify(last)).not.toContain("secret");
  });
});

describe("one body", () => {
  test("is the response that the stream ends with", () => {
    for (const [, events, , fields] of SEQUENCES.filter(([, events]) => !events.includes(error))) {
      expect(body([...events.slice(0, -1), usage, ...events.slice(-1)], fields)).toEqual(
        stream([...events.slice(0, -1), usage, ...events.slice(-1)], fields).at(-1)?.response,
      );
    }
  });

  test("repeats what was asked, with the vendor's defaults for the rest", () => {
    expect(body([finish("stop")])).toEqual({
      id: "resp_0",
      object: "response",
      created_at: 1_764_480_000,
      status: "completed",
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      model: 'my "model"',
      output: [messageItem("msg_1", "")],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: false,
      temperature: 1,
      top_p: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: TOOLS,
      truncation: "disabled",
      metadata: {},
      usage: expect.any(Object),
    });
  });

  test.each([
    [{ instructions: "Be brief." }, {}],
    [{ max_output_tokens: 5, temperature: 0, top_p: 0.5, parallel_tool_calls: false }, {}],
    [{ reasoning: { effort: "high", summary: "auto" } }, {}],
    [{ reasoning: { effort: "high" } }, { reasoning: { effort: "high", summary: null } }],
    [{ text: { verbosity: "low" } }, { text: { verbosity: "low", format: { type: "text" } } }],
    [{ text: { format: { type: "json_object" } } }, {}],
    [{ text: { format: null } }, { text: { format: { type: "text" } } }],
    [{ tool_choice: { type: "function", name: "weather" } }, {}],
    [{ truncation: "auto", metadata: { a: "b" } }, {}],
    [
      { tools: null, store: true, metadata: null },
      { tools: [], store: false, metadata: {} },
    ],
  ])("%j is repeated", (fields, expected) => {
    expect(body([finish("stop")], fields)).toMatchObject({ ...fields, ...expected });
  });
});
