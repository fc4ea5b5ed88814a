import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS, UPSTREAM_LIMITS } from "../../../src/limits.ts";
import type { UpstreamEvent } from "../../../src/reply.ts";
import { createBodyReader } from "../../../src/stream/body-reader.ts";
import { createDecode, type DecodeOptions } from "../../../src/upstreams/decode.ts";
import { bytePieces, PIECE_SIZES } from "../stream/fake-body.ts";

const OPTIONS: DecodeOptions = {
  promptTokens: () => 10,
  maxCharacters: 10_000,
  maxCalls: SIEVE_LIMITS.calls,
  maxHeld: UPSTREAM_LIMITS.collected,
  lenientEof: false,
  stop: ["STOP"],
};
const DONE = "[DONE]";
const ESTIMATE = (output: number): UpstreamEvent => ({ type: "usage", usage: { input: 10, output, estimated: true } });

const choice = (fields: object) => JSON.stringify({ choices: [{ index: 0, ...fields }] });
const delta = (fields: object) => choice({ delta: fields });
const text = (content: unknown) => delta({ content });
const finish = (reason: string, more: object = {}) => choice({ delta: {}, finish_reason: reason, ...more });
const usage = (value: object) => JSON.stringify({ choices: [], usage: value });

function decode(data: string[], options: Partial<DecodeOptions> = {}) {
  const events: UpstreamEvent[] = [];
  const stage = createDecode({ ...OPTIONS, ...options }, (event) => events.push(event));
  for (const one of data) stage.push(one);
  stage.end();
  return { events, stage };
}

const kinds = (events: UpstreamEvent[]) =>
  events.map((event) => (event.type === "error" ? event.error.kind : event.type));

describe("text and reasoning", () => {
  test.each<{ name: string; data: string[]; events: UpstreamEvent[] }>([
    {
      name: "content",
      data: [text("a"), text("b")],
      events: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
    {
      name: "null, empty and absent content say nothing",
      data: [text(null), text(""), delta({}), delta({ role: "assistant" })],
      events: [],
    },
    {
      name: "content in parts",
      data: [text([{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }])],
      events: [{ type: "text", text: "ab" }],
    },
    {
      name: "a refusal is text",
      data: [delta({ content: null, refusal: "no" })],
      events: [{ type: "text", text: "no" }],
    },
    {
      name: "reasoning_content",
      data: [delta({ reasoning_content: "r" })],
      events: [{ type: "reasoning", text: "r" }],
    },
    { name: "reasoning", data: [delta({ reasoning: "r" })], events: [{ type: "reasoning", text: "r" }] },
    {
      name: "both names are one reasoning",
      data: [delta({ reasoning: "r", reasoning_content: "r" })],
      events: [{ type: "reasoning", text: "r" }],
    },
    {
      name: "reasoning in parts, as Mistral has it",
      data: [
        text([
          {
            type: "thinking",
            thinking: [
              { type: "text", text: "r" },
              { type: "text", text: "s" },
            ],
          },
        ]),
        text([
          { type: "thinking", thinking: "t" },
          { type: "text", text: "a" },
        ]),
      ],
      events: [
        { type: "reasoning", text: "rs" },
        { type: "reasoning", text: "t" },
        { type: "text", text: "a" },
      ],
    },
    {
      name: "reasoning_details alone, as OpenRouter has them",
      data: [
        delta({
          reasoning_details: [
            { type: "reasoning.summary", summary: "r" },
            { type: "reasoning.text", text: "s" },
            { type: "reasoning.encrypted", data: "x" },
          ],
        }),
      ],
      events: [{ type: "reasoning", text: "rs" }],
    },
    {
      name: "reasoning_details beside the reasoning that they repeat",
      data: [delta({ reasoning: "r", reasoning_details: [{ type: "reasoning.text", text: "r" }] })],
      events: [{ type: "reasoning", text: "r" }],
    },
    {
      name: "reasoning before the text of its event",
      data: [delta({ content: "a", reasoning: "r" })],
      events: [
        { type: "reasoning", text: "r" },
        { type: "text", text: "a" },
      ],
    },
    {
      name: "half a surrogate pair is passed on",
      data: [text("\ud83d"), text("\ude00")],
      events: [
        { type: "text", text: "\ud83d" },
        { type: "text", text: "\ude00" },
      ],
    },
    {
      name: "choices but the first are left out",
      data: [
        JSON.stringify({ choices: [{ index: 1, delta: { content: "b" } }] }),
        JSON.stringify({
          choices: [
            { index: 1, delta: { content: "b" } },
            { index: 0, delta: { content: "a" } },
          ],
        }),
      ],
      events: [{ type: "text", text: "a" }],
    },
    {
      name: "a choice without an index is the first",
      data: ['{"choices":[{"delta":{"content":"a"}}]}'],
      events: [{ type: "text", text: "a" }],
    },
  ])("$name", ({ data, events }) => {
    expect(decode([...data, finish("stop"), DONE]).events.slice(0, -2)).toEqual(events);
  });
});

describe("the finish", () => {
  test.each([
    ["stop", "stop"],
    ["eos", "stop"],
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["something new", "stop"],
    ["length", "length"],
    ["max_tokens", "length"],
    ["LENGTH", "length"],
    ["tool_calls", "tool"],
    ["function_call", "tool"],
    ["content_filter", "filter"],
    ["model_context_window_exceeded", "context"],
  ])("%s is %s", (given, reason) => {
    expect(decode([finish(given), DONE]).events.at(-1)).toEqual({ type: "finish", reason });
  });

  test.each(["error", "abort", "insufficient_system_resource"])("%s is no finish", (reason) => {
    expect(kinds(decode([text("a"), finish(reason), DONE]).events)).toEqual(["text", "upstream-failed"]);
  });

  test("an empty reason is none", () => {
    expect(kinds(decode([choice({ delta: { content: "a" }, finish_reason: "" })]).events)).toEqual([
      "text",
      "upstream-failed",
    ]);
  });

  test.each([
    ["stop_reason", "STOP", "STOP"],
    ["matched_stop", "STOP", "STOP"],
    ["stop_reason", "end_turn", undefined],
    ["stop_reason", 151645, undefined],
  ])("%s: %j names the stop string %s", (field, value, stopSequence) => {
    const { events } = decode([finish("stop", { [field]: value }), DONE]);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop", ...(stopSequence && { stopSequence }) });
  });

  test.each<{ name: string; data: string[]; end: string }>([
    { name: "[DONE] without a reason is a good end", data: [text("a"), DONE], end: "finish" },
    { name: "a reason without [DONE] is a good end", data: [text("a"), finish("stop")], end: "finish" },
    { name: "neither is a cut", data: [text("a")], end: "upstream-failed" },
    { name: "nothing at all is a failure", data: [], end: "upstream-failed" },
  ])("$name", ({ data, end }) => {
    expect(kinds(decode(data).events).at(-1)).toBe(end);
  });

  test("is held for what follows it, and comes last", () => {
    const { events } = decode([
      finish("length"),
      usage({ prompt_tokens: 1, completion_tokens: 2 }),
      text("late"),
      DONE,
    ]);
    expect(kinds(events)).toEqual(["text", "usage", "finish"]);
  });

  test("what comes behind [DONE] is ignored", () => {
    expect(kinds(decode([finish("stop"), DONE, text("a"), "{broken", DONE]).events)).toEqual(["usage", "finish"]);
  });

  test("once there, a fault of the connection no longer harms the answer", () => {
    const events: UpstreamEvent[] = [];
    const stage = createDecode(OPTIONS, (event) => events.push(event));
    stage.push(finish("stop"));
    stage.fault({ kind: "upstream-timeout" });
    stage.fault({ kind: "upstream-failed" });
    stage.end();
    expect(kinds(events)).toEqual(["usage", "finish"]);
  });
});

describe("usage", () => {
  const counted = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };

  test.each<{ name: string; data: string[]; usage: object }>([
    { name: "on an event of its own", data: [finish("stop"), usage(counted)], usage: { input: 5, output: 7 } },
    {
      name: "on the finish",
      data: [JSON.stringify({ ...JSON.parse(finish("stop")), usage: counted })],
      usage: { input: 5, output: 7 },
    },
    {
      name: "without choices",
      data: [finish("stop"), JSON.stringify({ usage: counted })],
      usage: { input: 5, output: 7 },
    },
    { name: "inside the choice", data: [finish("stop", { usage: counted })], usage: { input: 5, output: 7 } },
    {
      name: "under x_groq",
      data: [JSON.stringify({ ...JSON.parse(finish("stop")), x_groq: { usage: counted } })],
      usage: { input: 5, output: 7 },
    },
    {
      name: "many times: the last one holds",
      data: [usage({ ...counted, completion_tokens: 1 }), usage(counted), finish("stop"), usage({})],
      usage: { input: 5, output: 7 },
    },
    {
      name: "with details",
      data: [
        finish("stop"),
        usage({
          ...counted,
          prompt_tokens_details: { cached_tokens: 3 },
          completion_tokens_details: { reasoning_tokens: 2 },
        }),
      ],
      usage: { input: 5, output: 7, cached: 3, reasoning: 2 },
    },
    {
      name: "with the reasoning beside the output",
      data: [
        finish("stop"),
        usage({ ...counted, total_tokens: 14, completion_tokens_details: { reasoning_tokens: 2 } }),
      ],
      usage: { input: 5, output: 9, reasoning: 2 },
    },
    {
      name: "with more reasoning than output",
      data: [finish("stop"), usage({ ...counted, completion_tokens_details: { reasoning_tokens: 9 } })],
      usage: { input: 5, output: 16, reasoning: 9 },
    },
    {
      name: "with a cache hit",
      data: [finish("stop"), usage({ ...counted, prompt_cache_hit_tokens: 4 })],
      usage: { input: 5, output: 7, cached: 4 },
    },
    {
      name: "null",
      data: [JSON.stringify({ ...JSON.parse(text("two words")), usage: null }), finish("stop")],
      usage: { input: 10, output: 2, estimated: true },
    },
    ...[-1, 2e12, Number.MAX_SAFE_INTEGER].map((absurd) => ({
      name: `absurd: ${absurd}`,
      data: [text("two words"), finish("stop"), usage({ prompt_tokens: absurd, completion_tokens: absurd })],
      usage: { input: 10, output: 2, estimated: true },
    })),
    {
      name: "never: estimated, reasoning included",
      data: [delta({ reasoning: "two" }), text(" words"), finish("stop")],
      usage: { input: 10, output: 2, estimated: true },
    },
    {
      name: "never: estimated, arguments of native calls included",
      data: [
        delta({ tool_calls: [{ index: 0, function: { name: "f", arguments: '{"city":' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
        finish("stop"),
      ],
      usage: { input: 10, output: 6, estimated: true },
    },
  ])("$name", ({ data, usage: expected }) => {
    const { events } = decode([...data, DONE]);
    expect(events.filter((event) => event.type === "usage")).toEqual([{ type: "usage", usage: expected }]);
  });

  test("can be asked for before the end", () => {
    const stage = createDecode(OPTIONS, () => {});
    stage.push(text("two words"));
    expect(stage.usage()).toEqual({ input: 10, output: 2, estimated: true });
  });
});

describe("events that are no chunks", () => {
  test.each([[": keepalive"], [":"], [""], ["  "], ["null"], ["[]"], ['"ping"'], ['{"type":"ping"}'], ["{}"], ["3"]])(
    "%j is skipped",
    (data) => {
      const { events } = decode([data, text("a"), finish("stop"), DONE]);
      expect(kinds(events)).toEqual(["text", "usage", "finish"]);
    },
  );

  test.each(["{broken", "ping", '{"choices":[', "<html>"])("%j is an error at the first", (data) => {
    expect(kinds(decode([text("a"), data, text("b"), DONE]).events)).toEqual(["text", "upstream-failed"]);
  });

  test.each<{ name: string; data: object; kind: string }>([
    { name: "an error object", data: { error: { message: "boom" } }, kind: "upstream-failed" },
    { name: "an error text", data: { error: "boom" }, kind: "upstream-failed" },
    {
      name: "an error that names itself",
      data: { object: "error", message: "boom", code: 400 },
      kind: "upstream-rejected",
    },
    {
      name: "beside choices",
      data: { choices: [{ delta: { content: "x" } }], error: { code: 429 } },
      kind: "rate-limited",
    },
    { name: "a full context", data: { error: { code: "context_length_exceeded" } }, kind: "context-length" },
    {
      name: "words of a full context, no status",
      data: { error: { message: "This model's maximum context length is 4096 tokens" } },
      kind: "context-length",
    },
    { name: "the same as a text", data: { error: "prompt is too long" }, kind: "context-length" },
    {
      name: "the same, a fault by its status",
      data: { error: { message: "prompt is too long", code: 500 } },
      kind: "upstream-failed",
    },
    { name: "a model that is missing", data: { error: { code: "model_not_found" } }, kind: "upstream-failed" },
    { name: "overload", data: { error: { type: "overloaded_error" } }, kind: "upstream-overloaded" },
  ])("$name is an error", ({ data, kind }) => {
    expect(kinds(decode([text("a"), JSON.stringify(data), DONE]).events)).toEqual(["text", kind]);
  });

  test("a model that the client had named is missing: that is its 404", () => {
    const data = JSON.stringify({ error: { code: "model_not_found" } });
    const told = (clientNamed: boolean) => decode([data], { asked: { model: "m", clientNamed } }).events;
    expect(told(true)).toEqual([
      { type: "error", error: { kind: "unknown-model", model: "m", detail: expect.any(String) } },
    ]);
    expect(kinds(told(false))).toEqual(["upstream-failed"]);
  });

  test("an error that is null or empty is none", () => {
    const data = JSON.stringify({ ...JSON.parse(text("a")), error: null });
    expect(kinds(decode([data, finish("stop"), DONE]).events)).toEqual(["text", "usage", "finish"]);
  });

  test("C21: an answer beyond its cap is an error", () => {
    const data = [text("x".repeat(6_000)), text("x".repeat(6_000)), DONE];
    expect(kinds(decode(data).events)).toEqual(["text", "upstream-failed"]);
  });
});

describe("a whole completion instead of a stream", () => {
  const whole = {
    object: "chat.completion",
    choices: [
      { index: 0, message: { role: "assistant", content: "Whole.", reasoning_content: "r" }, finish_reason: "length" },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 9 },
  };

  test.each(PIECE_SIZES)("is read like one event, in pieces of %i bytes", (size) => {
    const events: UpstreamEvent[] = [];
    const stage = createDecode(OPTIONS, (event) => events.push(event));
    const reader = createBodyReader({ event: 10_000, collected: 10_000 }, stage.push);
    for (const piece of bytePieces(JSON.stringify(whole, null, 2), size)) reader.push(piece);
    reader.end();
    stage.end();
    expect(events).toEqual([
      { type: "reasoning", text: "r" },
      { type: "text", text: "Whole." },
      { type: "usage", usage: { input: 3, output: 9 } },
      { type: "finish", reason: "length" },
    ]);
  });

  test("cut where it has all the tokens that were asked for, if it gives no reason", () => {
    const data = JSON.stringify({ choices: [{ message: { content: "a" } }], usage: { completion_tokens: 9 } });
    const finishes = [8, 9, 10].map((maxTokens) => decode([data], { maxTokens }).events.at(-1));
    expect(finishes).toMatchObject([{ reason: "length" }, { reason: "length" }, { reason: "stop" }]);
  });

  test("needs no reason to be finished", () => {
    const data = JSON.stringify({ choices: [{ message: { content: "a" } }] });
    expect(decode([data]).events).toEqual([
      { type: "text", text: "a" },
      ESTIMATE(1),
      { type: "finish", reason: "stop" },
    ]);
  });

  test("may be an error", () => {
    expect(kinds(decode(['{"error":{"message":"no"}}']).events)).toEqual(["upstream-failed"]);
  });
});

describe("native tool calls", () => {
  const calls = (...list: object[]) => delta({ tool_calls: list });
  const call = (name: string, json: string): UpstreamEvent[] => [{ type: "native-call", name, json }];

  test.each<{ name: string; data: string[]; events: UpstreamEvent[] }>([
    {
      name: "by index, arguments in pieces",
      data: [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "" } }),
        calls(
          { index: 0, function: { arguments: '{"x":' } },
          { index: 1, id: "b", function: { name: "g", arguments: "{}" } },
        ),
        calls({ index: 0, function: { arguments: "1e2}" } }),
      ],
      events: [...call("f", '{"x":1e2}'), ...call("g", "{}")],
    },
    {
      name: "without an index, told apart by name",
      data: [
        calls({ id: "a", function: { name: "f", arguments: '{"x"' } }),
        calls({ function: { arguments: ":1}" } }),
        calls({ id: "b", function: { name: "f", arguments: "{}" } }),
      ],
      events: [...call("f", '{"x":1}'), ...call("f", "{}")],
    },
    {
      name: "said once more as a whole",
      data: [
        calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x"' } }),
        calls({ index: 0, function: { arguments: ":1}" } }),
        calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x":1}' } }),
      ],
      events: call("f", '{"x":1}'),
    },
    {
      name: "all of index 0, told apart by id",
      data: [
        calls(
          { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
          { index: 0, id: "b", function: { name: "g", arguments: "{}" } },
        ),
      ],
      events: [...call("f", "{}"), ...call("g", "{}")],
    },
    {
      name: "with id and name on every piece",
      data: [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{" } }),
        calls({ index: 0, id: "a", function: { name: "f", arguments: "}" } }),
      ],
      events: call("f", "{}"),
    },
    {
      name: "no arguments",
      data: [calls({ index: 0, function: { name: "f" } })],
      events: call("f", ""),
    },
    {
      name: "arguments as an object",
      data: [calls({ index: 0, function: { name: "f", arguments: { x: 1 } } })],
      events: call("f", '{"x":1}'),
    },
    {
      name: "arguments as an object, digits and all",
      data: [
        '{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments": {"x":12345678901234567890.0}}}]}}]}',
      ],
      events: call("f", '{"x":12345678901234567890.0}'),
    },
    {
      name: "arguments encoded twice",
      data: [calls({ index: 0, function: { name: "f", arguments: '"{\\"x\\":1}"' } })],
      events: call("f", '"{\\"x\\":1}"'),
    },
    {
      name: "the old function_call",
      data: [delta({ function_call: { name: "f", arguments: "{" } }), delta({ function_call: { arguments: "}" } })],
      events: call("f", "{}"),
    },
    {
      name: "the old function_call beside the new spelling",
      data: [
        delta({
          function_call: { name: "f", arguments: "{" },
          tool_calls: [{ function: { name: "f", arguments: "{" } }],
        }),
        delta({ function_call: { arguments: "}" }, tool_calls: [{ function: { arguments: "}" } }] }),
      ],
      events: call("f", "{}"),
    },
    {
      name: "of a whole message, without ids",
      data: [
        choice({
          message: {
            tool_calls: [
              { function: { name: "f" } },
              { function: { name: "f" } },
              { function: { name: "f", arguments: { x: 1 } } },
            ],
          },
        }),
      ],
      events: [...call("f", ""), ...call("f", ""), ...call("f", '{"x":1}')],
    },
    {
      name: "of a whole message",
      data: [
        choice({
          message: {
            tool_calls: [
              { id: "a", function: { name: "f", arguments: "{}" } },
              { id: "b", function: { name: "g", arguments: "{}" } },
            ],
          },
        }),
      ],
      events: [...call("f", "{}"), ...call("g", "{}")],
    },
  ])("$name", ({ data, events }) => {
    expect(decode([...data, finish("tool_calls"), DONE]).events.slice(0, -2)).toEqual(events);
  });

  test("one that was cut comes as far as it came", () => {
    const data = [
      calls(
        { index: 0, function: { name: "f", arguments: "{}" } },
        { index: 1, function: { name: "g", arguments: '{"x' } },
      ),
    ];
    const { events } = decode([...data, finish("length"), DONE]);
    expect(events).toEqual([
      ...call("f", "{}"),
      ...call("g", '{"x'),
      ESTIMATE(2),
      { type: "finish", reason: "length" },
    ]);
  });

  test("as far as they have come, for a reply that ends early", () => {
    const { stage } = decode([calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x' } })]);
    expect(stage.calls()).toEqual(call("f", '{"x'));
  });

  test.each([
    ["of 128 all come out", 128, { type: "finish", reason: "tool" }],
    [
      "of more the first 128 come out, and the finish says that one is lost",
      129,
      { type: "finish", reason: "tool", cutBlock: true },
    ],
  ])("%s", (_rule, given, last) => {
    const one = (index: number) => calls({ index, id: `c${index}`, function: { name: "f", arguments: "{}" } });
    const { events } = decode([...Array.from({ length: given }, (_, index) => one(index)), finish("tool_calls"), DONE]);
    expect(events.filter((event) => event.type === "native-call")).toHaveLength(128);
    expect(events.at(-1)).toEqual(last);
  });

  test.each<[string, { index?: number }]>([
    ["without an index", {}],
    ["that all have the same one", { index: 0 }],
  ])("what continues a lost call continues no other, of calls %s", (_which, place) => {
    const data = Array.from({ length: 130 }, (_, index) => [
      calls({ ...place, id: `c${index}`, function: { name: "f", arguments: '{"x":' } }),
      calls({ ...place, function: { arguments: `${index}}` } }),
    ]).flat();
    const { events } = decode([...data, finish("tool_calls"), DONE]);
    const written = events.flatMap((event) => (event.type === "native-call" ? [event.json] : []));
    expect(written).toEqual(Array.from({ length: 128 }, (_, index) => `{"x":${index}}`));
  });

  test("C21: are held to the cap of a collected answer in a stream too", () => {
    const piece = calls({ index: 0, function: { name: "f", arguments: "x".repeat(1_000_000) } });
    const { events } = decode([...Array.from({ length: 9 }, () => piece), finish("tool_calls"), DONE], {
      maxCharacters: 67_108_864,
    });
    expect(kinds(events)).toEqual(["upstream-failed"]);
  });

  test("none comes out of an answer that failed", () => {
    expect(kinds(decode([calls({ index: 0, function: { name: "f", arguments: "{}" } })]).events)).toEqual([
      "upstream-failed",
    ]);
  });
});

describe("the older form of Workers AI", () => {
  const older = (fields: object) => JSON.stringify(fields);
  const texts = (data: string[]) => decode(data).events.flatMap((event) => (event.type === "text" ? event.text : []));
  const read = (body: string, size: number) => {
    const events: UpstreamEvent[] = [];
    const stage = createDecode(OPTIONS, (event) => events.push(event));
    const reader = createBodyReader({ event: 10_000, collected: 10_000 }, stage.push);
    for (const piece of bytePieces(body, size)) reader.push(piece);
    reader.end();
    stage.end();
    return events;
  };

  test("a stream: text, calls, the usage in the last event, no reason", () => {
    const data = [
      older({ response: "a", p: "xyz" }),
      older({ response: null, tool_calls: [{ name: "ping", arguments: {} }] }),
      older({ tool_calls: [], p: "x" }),
      older({ response: "", usage: { prompt_tokens: 3, completion_tokens: 9 } }),
      DONE,
    ];
    expect(decode(data).events).toEqual([
      { type: "text", text: "a" },
      { type: "native-call", name: "ping", json: "{}" },
      { type: "usage", usage: { input: 3, output: 9 } },
      { type: "finish", reason: "stop" },
    ]);
  });

  test.each<[string, object, UpstreamEvent[]]>([
    ["a text", { response: "a" }, [{ type: "text", text: "a" }]],
    ["nothing", { response: "" }, []],
    [
      "in the frame of its REST API",
      { result: { response: "a" }, success: true, errors: [] },
      [{ type: "text", text: "a" }],
    ],
    ["JSON that was asked for", { response: { a: [1, "é"] } }, [{ type: "text", text: '{"a":[1,"é"]}' }]],
    [
      "calls, alike as well",
      {
        response: null,
        tool_calls: [
          { name: "ping", arguments: {} },
          { name: "ping", arguments: {} },
        ],
      },
      [
        { type: "native-call", name: "ping", json: "{}" },
        { type: "native-call", name: "ping", json: "{}" },
      ],
    ],
  ])("a whole answer: %s", (_what, body, said) => {
    for (const size of PIECE_SIZES) {
      const events = read(JSON.stringify(body, null, 1), size);
      expect(events.filter(({ type }) => type !== "usage")).toEqual([...said, { type: "finish", reason: "stop" }]);
    }
  });

  test("numbers keep their digits, in text and in JSON", () => {
    const event = (json: string) => `{"response": ${json}}`;
    const data = ["1", "0", "1.0", "-2e1", "12345678901234567890", "true"].map(event);
    expect(texts([...data, DONE])).toEqual(["1", "0", "1.0", "-2e1", "12345678901234567890", "true"]);
    expect(texts([text(0), text(7), DONE])).toEqual(["0", "7"]);
    expect(read('{"response":{"n":1.0,"m":12345678901234567890}}', 100)[0]).toEqual({
      type: "text",
      text: '{"n":1.0,"m":12345678901234567890}',
    });
  });

  test("an object in a stream is somebody else's event", () => {
    expect(texts([older({ type: "response.created", response: { id: "r" } }), DONE])).toEqual([]);
  });

  test("a stream that breaks off is no whole answer", () => {
    expect(kinds(decode([older({ response: "a", usage: { prompt_tokens: 1, completion_tokens: 1 } })]).events)).toEqual(
      ["text", "usage", "upstream-failed"],
    );
  });

  test("what an event alone has is not the sum", () => {
    const data = [
      JSON.stringify({ choices: [{ delta: { content: "a" } }], usage: { prompt_tokens: 0, completion_tokens: 1 } }),
      finish("length"),
    ];
    expect(decode([...data, DONE]).events.slice(1)).toEqual([ESTIMATE(1), { type: "finish", reason: "length" }]);
    const sum = older({ response: "", usage: { prompt_tokens: 3, completion_tokens: 9 } });
    expect(decode([...data, sum, DONE]).events.slice(1)).toEqual([
      { type: "usage", usage: { input: 3, output: 9 } },
      { type: "finish", reason: "length" },
    ]);
  });

  test.each<[string, object, string]>([
    ["errors in a list", { success: false, errors: [{ code: 3040, message: "no" }] }, "upstream-overloaded"],
    ["an error of its own", { name: "AiError", internalCode: 4006, message: "no" }, "quota-exhausted"],
    ["a text", { error: "AiError: 3040: no" }, "upstream-overloaded"],
  ])("%s is an error", (_what, event, kind) => {
    expect(kinds(decode([older({ response: "a" }), older(event)]).events)).toEqual(["text", kind]);
  });

  test("and where its members say that there is none it is no error", () => {
    const event = { response: "a", success: true, errors: [], error: null, internalCode: null };
    expect(texts([older(event), DONE])).toEqual(["a"]);
  });
});
