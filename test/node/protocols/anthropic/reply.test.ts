import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FinishReason, ReplyEvent, Usage } from "../../../../src/reply.ts";
import { accumulate, eventsOf } from "./accumulate.ts";
import { body, createRenderer, stream, THINKING } from "./render.ts";

const text = (text: string): ReplyEvent => ({ type: "text", text });
const reasoning = (text: string): ReplyEvent => ({ type: "reasoning", text });
const finish = (reason: FinishReason): ReplyEvent => ({ type: "finish", reason });
const usageOf = (usage: Usage): ReplyEvent => ({ type: "usage", usage });
const usage = usageOf({ input: 12, output: 9 });
const failed: ReplyEvent = { type: "error", error: { kind: "upstream-failed", detail: "secret" } };

function startCall(index: number, name: string): ReplyEvent {
  return { type: "call-start", index, id: `toolu_${index}`, name };
}
function call(index: number, name: string, ...fragments: string[]): ReplyEvent[] {
  return [
    startCall(index, name),
    ...fragments.map((json): ReplyEvent => ({ type: "call-arguments", index, json })),
    { type: "call-end", index },
  ];
}

const event = (type: string, data: string) => `event: ${type}\ndata: {"type":"${type}"${data}}\n\n`;
const start = (index: number, block: string) =>
  event("content_block_start", `,"index":${index},"content_block":${block}`);
const delta = (index: number, type: string, member: string, value: string) =>
  event("content_block_delta", `,"index":${index},"delta":{"type":"${type}","${member}":${JSON.stringify(value)}}`);
const stop = (index: number) => event("content_block_stop", `,"index":${index}`);

const OPENING = event(
  "message_start",
  ',"message":{"id":"msg_ABCDEFGHIJKLMNOPQRSTUVWX","type":"message","role":"assistant","model":"my \\"model\\"",' +
    '"content":[],"stop_reason":null,"stop_sequence":null,' +
    '"usage":{"input_tokens":7,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}',
);
const COUNTED =
  '"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":9}';
const closing = (reason: string, counted = COUNTED, sequence = "null") =>
  event("message_delta", `,"delta":{"stop_reason":"${reason}","stop_sequence":${sequence}},${counted}`) +
  event("message_stop", "");
const ERROR =
  'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"The model server could not be reached or ' +
  'gave an answer that cannot be read. Please try again later."},"request_id":"req_1"}\n\n';

const TEXT = '{"type":"text","text":""}';
const THOUGHT = '{"type":"thinking","thinking":"","signature":""}';
const use = (index: number, name: string) => `{"type":"tool_use","id":"toolu_${index}","name":"${name}","input":{}}`;
const textDelta = (index: number, value: string) => delta(index, "text_delta", "text", value);
const jsonDelta = (index: number, value: string) => delta(index, "input_json_delta", "partial_json", value);
const thinkingDelta = (index: number, value: string) => delta(index, "thinking_delta", "thinking", value);
const signed = (index: number) => delta(index, "signature_delta", "signature", "dG9vbHNpZXZl") + stop(index);

/** Whole streams, to the byte. */
const STREAMS: Record<string, { events: ReplyEvent[]; bytes: string[]; fields?: object }> = {
  "text alone": {
    events: [text('Check "it"\n'), text("now"), usage, finish("stop")],
    bytes: [start(0, TEXT), textDelta(0, 'Check "it"\n'), textDelta(0, "now"), stop(0), closing("end_turn")],
  },
  "text and a call": {
    events: [text("Checking."), ...call(0, "weather", '{"city":', '"Paris"}'), usage, finish("tool")],
    bytes: [
      start(0, TEXT),
      textDelta(0, "Checking."),
      stop(0),
      start(1, use(0, "weather")),
      jsonDelta(1, '{"city":'),
      jsonDelta(1, '"Paris"}'),
      stop(1),
      closing("tool_use"),
    ],
  },
  "two calls, one without arguments": {
    events: [...call(0, "weather", '{"city":"Paris"}'), ...call(1, "now", "{}"), usage, finish("tool")],
    bytes: [
      start(0, use(0, "weather")),
      jsonDelta(0, '{"city":"Paris"}'),
      stop(0),
      start(1, use(1, "now")),
      jsonDelta(1, "{}"),
      stop(1),
      closing("tool_use"),
    ],
  },
  "text behind a call": {
    events: [...call(0, "now", "{}"), text("Done."), usage, finish("tool")],
    bytes: [
      start(0, use(0, "now")),
      jsonDelta(0, "{}"),
      stop(0),
      start(1, TEXT),
      textDelta(1, "Done."),
      stop(1),
      closing("tool_use"),
    ],
  },
  "reasoning that was asked for": {
    events: [reasoning("h"), reasoning("m"), text("Hello"), usage, finish("stop")],
    bytes: [
      start(0, THOUGHT),
      thinkingDelta(0, "h"),
      thinkingDelta(0, "m"),
      signed(0),
      start(1, TEXT),
      textDelta(1, "Hello"),
      stop(1),
      closing("end_turn"),
    ],
    fields: THINKING,
  },
  "reasoning that text interrupts, and a call": {
    events: [reasoning("a"), text("b"), reasoning("c"), ...call(0, "now", "{}"), usage, finish("tool")],
    bytes: [
      start(0, THOUGHT),
      thinkingDelta(0, "a"),
      signed(0),
      start(1, TEXT),
      textDelta(1, "b"),
      stop(1),
      start(2, THOUGHT),
      thinkingDelta(2, "c"),
      signed(2),
      start(3, use(0, "now")),
      jsonDelta(3, "{}"),
      stop(3),
      closing("tool_use"),
    ],
    fields: THINKING,
  },
  "reasoning that nobody asked for": {
    events: [reasoning("a"), text("b"), reasoning("c"), text("d"), usage, finish("stop")],
    bytes: [start(0, TEXT), textDelta(0, "b"), textDelta(0, "d"), stop(0), closing("end_turn")],
  },
  "an empty reply": { events: [usage, finish("stop")], bytes: [closing("end_turn")] },
  "a call that is open at the end (T3)": {
    events: [startCall(0, "now"), { type: "call-arguments", index: 0, json: '{"a":' }, usage, finish("length")],
    bytes: [start(0, use(0, "now")), jsonDelta(0, '{"a":'), stop(0), closing("max_tokens")],
  },
  "a call that is open at an error": {
    events: [text("a"), startCall(0, "now"), { type: "call-arguments", index: 0, json: '{"a":' }, failed],
    bytes: [start(0, TEXT), textDelta(0, "a"), stop(0), start(1, use(0, "now")), jsonDelta(1, '{"a":'), ERROR],
  },
  "text that breaks off": { events: [text("a"), usage, failed], bytes: [start(0, TEXT), textDelta(0, "a"), ERROR] },
  "an error before anything": { events: [failed], bytes: [ERROR] },
};

describe("a stream of", () => {
  test.each(Object.entries(STREAMS))("%s", (_what, { events, bytes, fields }) => {
    expect(stream(createRenderer(fields), events)).toBe([OPENING, ...bytes].join(""));
  });

  test("is kept alive by a ping", () => {
    expect(createRenderer().heartbeat()).toBe(event("ping", ""));
  });

  test("opens without a token of the answer, even if it is opened late", () => {
    const renderer = createRenderer();
    renderer.event(usage);
    expect(renderer.start()).toBe(OPENING);
  });

  test("is written as it comes", () => {
    const renderer = createRenderer();
    renderer.start();
    expect(renderer.event(text("\ud83d"))).toBe(start(0, TEXT) + textDelta(0, "\ud83d"));
    expect(renderer.event(text("\ude00"))).toBe(textDelta(0, "\ude00"));
    expect(renderer.event(usage)).toBe("");
  });
});

describe("finish", () => {
  test.each<[FinishReason, string]>([
    ["stop", "end_turn"],
    ["tool", "tool_use"],
    ["length", "max_tokens"],
    ["filter", "refusal"],
    ["context", "model_context_window_exceeded"],
  ])("%s is %s", (reason, name) => {
    expect(stream(createRenderer(), [usage, finish(reason)])).toBe(OPENING + closing(name));
    expect(body(createRenderer(), [finish(reason)])).toMatchObject({ stop_reason: name, stop_sequence: null });
  });

  test("stop at a string of the client's says which", () => {
    const end: ReplyEvent = { type: "finish", reason: "stop", stopSequence: "END" };
    expect(stream(createRenderer(), [usage, end])).toBe(OPENING + closing("stop_sequence", COUNTED, '"END"'));
    expect(body(createRenderer(), [end])).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  test("tool stays tool whatever ended the text", () => {
    const end: ReplyEvent = { type: "finish", reason: "tool", stopSequence: "END" };
    expect(stream(createRenderer(), [usage, end])).toBe(OPENING + closing("tool_use"));
  });
});

describe("usage", () => {
  const numbers = (input: number, cached: number, output: number) => ({
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  });
  test.each<[Usage | undefined, object]>([
    [{ input: 12, output: 9 }, numbers(12, 0, 9)],
    [{ input: 12, cached: 10, output: 9 }, numbers(2, 10, 9)],
    [{ input: 12, cached: 20, output: 9 }, numbers(0, 20, 9)],
    [
      { input: 12, output: 9, reasoning: 4 },
      { ...numbers(12, 0, 9), output_tokens_details: { thinking_tokens: 4 } },
    ],
    [undefined, numbers(7, 0, 0)],
  ])("%j", (counted, expected) => {
    const events = [usageOf({ input: 1, output: 1 }), ...(counted ? [usageOf(counted)] : []), finish("stop")].slice(
      counted ? 0 : 1,
    );
    expect(eventsOf(stream(createRenderer(), events)).at(-2)?.usage).toEqual(expected);
    expect(body(createRenderer(), events)).toMatchObject({ usage: expected });
  });
});

describe("white space alone is no block", () => {
  const blank = "\n ";
  const shown = { type: "thinking", thinking: "hm", signature: "dG9vbHNpZXZl" };
  const now = { type: "tool_use", id: "toolu_0", name: "now", input: {} };
  test.each<[string, ReplyEvent[], object[]]>([
    ["at the beginning", [text(blank), text("\n"), text("a")], [{ type: "text", text: `${blank}\na` }]],
    ["alone", [text(blank)], []],
    ["before a call", [text(blank), ...call(0, "now", "{}")], [now]],
    ["between thinking and a call", [reasoning("hm"), text(blank), ...call(0, "now", "{}")], [shown, now]],
    ["behind a call", [...call(0, "now", "{}"), text(blank)], [now]],
    ["of thinking", [reasoning(blank), text("a")], [{ type: "text", text: "a" }]],
    ["that ends a text", [text("a"), text(blank)], [{ type: "text", text: `a${blank}` }]],
    ["inside thinking", [reasoning("h"), text(blank), reasoning("m"), text("a")], [shown, { type: "text", text: "a" }]],
    [
      "of both kinds in turn",
      [text(blank), reasoning(" "), text("a"), reasoning("\n"), text("b")],
      [{ type: "text", text: "ab" }],
    ],
    ["of another script", [text("\u00a0\u3000")], []],
  ])("%s", (_where, events, content) => {
    const whole = [...events, usage, finish("stop")];
    expect(accumulate(eventsOf(stream(createRenderer(THINKING), whole)))).toMatchObject({ content });
    expect(body(createRenderer(THINKING), whole)).toMatchObject({ content });
  });

  test("but more of it than is held", () => {
    const blanks = " ".repeat(65_537);
    const events = [...blanks].map(text);
    const content = [{ type: "text", text: blanks }];
    expect(accumulate(eventsOf(stream(createRenderer(), [...events, usage, finish("stop")])))).toMatchObject({
      content,
    });
    expect(body(createRenderer(), events)).toMatchObject({ content });
  });
});

describe("one body", () => {
  const whole = Object.entries(STREAMS).filter(([, { events }]) => !events.includes(failed));

  test("of text, thinking and calls", () => {
    const events = [reasoning("hm"), text("Checking."), ...call(0, "weather", '{"city":', '"Paris"}')];
    expect(body(createRenderer(THINKING), [...events, usage, finish("tool")])).toEqual({
      id: "msg_ABCDEFGHIJKLMNOPQRSTUVWX",
      type: "message",
      role: "assistant",
      model: 'my "model"',
      content: [
        { type: "thinking", thinking: "hm", signature: "dG9vbHNpZXZl" },
        { type: "text", text: "Checking." },
        { type: "tool_use", id: "toolu_0", name: "weather", input: { city: "Paris" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 },
    });
  });

  test.each(whole.filter(([what]) => !what.includes("T3")))("of %s is what the stream adds up to", (_what, stated) => {
    const streamed = accumulate(eventsOf(stream(createRenderer(stated.fields), stated.events)));
    expect(body(createRenderer(stated.fields), stated.events)).toEqual(streamed);
  });

  test("of any reply is what the stream adds up to, however white space lies in it", () => {
    const piece = fc.record({
      type: fc.constantFrom("text", "reasoning", "call"),
      text: fc.constantFrom("a", " ", "\n", " b", "c\n"),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom({}, THINKING), (pieces, fields) => {
        let calls = 0;
        const said = pieces.flatMap(({ type, text: value }) => {
          if (type === "call") return call(calls++, "now", "{}");
          return type === "text" ? [text(value)] : [reasoning(value)];
        });
        const events = [...said, usage, finish("stop")];
        const streamed = accumulate(eventsOf(stream(createRenderer(fields), events)));
        expect(body(createRenderer(fields), events)).toEqual(streamed);
      }),
      { numRuns: 2_000 },
    );
  });

  test("leaves out a call that is open at the end (T3)", () => {
    const events = [text("a"), ...call(0, "now", '{"a":').slice(0, -1), finish("length")];
    expect(body(createRenderer(), events)).toMatchObject({
      content: [{ type: "text", text: "a" }],
      stop_reason: "max_tokens",
    });
  });

  test("keeps the digits of numbers, and every member", () => {
    const json = '{"id":12345678901234567890,"x":1.10,"__proto__":{"a":1e2}}';
    expect(JSON.stringify(body(createRenderer(), call(0, "put", json)))).toContain(`"input":${json}`);
  });
});
