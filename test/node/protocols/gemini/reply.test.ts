import { describe, expect, test } from "vitest";
import { createStreamedAnswer } from "../../../../src/answer.ts";
import type { Renderer } from "../../../../src/protocols/protocol.ts";
import { createFold, type FinishReason, type ReplyEvent } from "../../../../src/reply.ts";
import { read } from "./requests.ts";

const THOUGHTS = { generationConfig: { thinkingConfig: { includeThoughts: true } } };

function createRenderer(fields: object = {}, query = "?alt=sse"): Renderer {
  const path = `/v1beta/models/my-"model":streamGenerateContent${query}`;
  const randomId = () => "ABCDEFGHIJKLMNOPQRSTUVWX";
  return read(fields, path).createRenderer({ requestId: "req_1", created: 1, randomId, promptTokens: () => 7 });
}

/** Every piece that a stream is made of, one for each event. */
function pieces(events: readonly ReplyEvent[], fields?: object, query?: string): string[] {
  const renderer = createRenderer(fields, query);
  return [renderer.start(), ...events.map((event) => renderer.event(event))];
}

function body(events: readonly ReplyEvent[], fields?: object): unknown {
  const fold = createFold();
  for (const event of events) fold.push(event);
  return createRenderer(fields).body(fold.reply());
}

const IDENTITY = '"modelVersion":"my-%22model%22","responseId":"ABCDEFGHIJKLMNOPQRSTUVWX"}';
const COUNTS = '"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":9,"totalTokenCount":21},';
const plain = (part: string) => `{"candidates":[{"content":{"role":"model","parts":[${part}]},"index":0}],${IDENTITY}`;
const final = (part: string, reason: string, counts = "") =>
  `{"candidates":[{"content":{"role":"model","parts":[${part}]},"finishReason":"${reason}","index":0}],${counts}${IDENTITY}`;
const data = (json: string) => `data: ${json}\n\n`;

const usage: ReplyEvent = { type: "usage", usage: { input: 12, output: 9 } };
const finish = (reason: FinishReason): ReplyEvent => ({ type: "finish", reason });
const text = (value: string): ReplyEvent => ({ type: "text", text: value });
const reasoning = (value: string): ReplyEvent => ({ type: "reasoning", text: value });
const failure: ReplyEvent = { type: "error", error: { kind: "upstream-overloaded", detail: "secret" } };

function call(index: number, name: string, ...fragments: string[]): ReplyEvent[] {
  return [
    { type: "call-start", index, id: `call_${index}`, name },
    ...fragments.map((json): ReplyEvent => ({ type: "call-arguments", index, json })),
    { type: "call-end", index },
  ];
}
const openCall = call(0, "weather", '{"city":').slice(0, -1);

const PARIS = '{"functionCall":{"id":"call_0","name":"weather","args":{"city":"Paris"}}}';
const NOW = '{"functionCall":{"id":"call_1","name":"now","args":{}}}';
const ERROR =
  '{"error":{"code":503,"message":"The model server is overloaded. Please try again later.","status":"UNAVAILABLE"}}';

/** A whole stream of events: name, events, the stream's JSON in order, and whether thoughts were asked for. */
const STREAMS: [string, ReplyEvent[], string[], object?][] = [
  [
    "text",
    [text('Check "it"\n'), text("now"), usage, finish("stop")],
    [plain('{"text":"Check \\"it\\"\\n"}'), final('{"text":"now"}', "STOP", COUNTS)],
  ],
  ["one piece of text", [text("a"), usage, finish("stop")], [final('{"text":"a"}', "STOP", COUNTS)]],
  [
    "text and a call",
    [text("a"), ...call(0, "weather", '{"city":', '"Paris"}'), usage, finish("tool")],
    [plain('{"text":"a"}'), final(PARIS, "STOP", COUNTS)],
  ],
  [
    "two calls, one of them without arguments",
    [...call(0, "weather", '{"city":"Paris"}'), ...call(1, "now", "{}"), usage, finish("tool")],
    [plain(PARIS), final(NOW, "STOP", COUNTS)],
  ],
  ["one call alone", [...call(0, "weather", '{"city":"Paris"}'), finish("tool")], [final(PARIS, "STOP")]],
  ["a call without any fragment", [...call(1, "now"), finish("tool")], [final(NOW, "STOP")]],
  [
    "text behind a call",
    [...call(0, "weather", '{"city":"Paris"}'), text("b"), finish("tool")],
    [plain(PARIS), final('{"text":"b"}', "STOP")],
  ],
  [
    "a number keeps its digits",
    [...call(0, "pay", '{"id":12345678901234567890,"sum":1.50}'), finish("tool")],
    [final('{"functionCall":{"id":"call_0","name":"pay","args":{"id":12345678901234567890,"sum":1.50}}}', "STOP")],
  ],
  [
    "reasoning that was asked for",
    [reasoning("hm"), text("a"), finish("stop")],
    [plain('{"text":"hm","thought":true}'), final('{"text":"a"}', "STOP")],
    THOUGHTS,
  ],
  ["reasoning that was not", [reasoning("hm"), text("a"), finish("stop")], [final('{"text":"a"}', "STOP")]],
  [
    "a call that is open at length",
    [text("a"), ...openCall, usage, finish("length")],
    [final('{"text":"a"}', "MAX_TOKENS", COUNTS)],
  ],
  ["nothing but a call that is open", [...openCall, finish("length")], [final('{"text":""}', "MAX_TOKENS")]],
  [
    "a whole call, then one that is open",
    [...call(0, "weather", '{"city":"Paris"}'), ...call(1, "now").slice(0, 1), finish("length")],
    [final(PARIS, "MAX_TOKENS")],
  ],
  ["nothing", [usage, finish("stop")], [final('{"text":""}', "STOP", COUNTS)]],
  ["hidden reasoning alone", [reasoning("hm"), finish("stop")], [final('{"text":""}', "STOP")]],
  ["an error before anything", [failure], [ERROR]],
  [
    "an error behind text",
    [text("a"), text("b"), usage, failure],
    [plain('{"text":"a"}'), plain('{"text":"b"}'), ERROR],
  ],
  ["an error in a call", [text("a"), ...openCall, failure], [plain('{"text":"a"}'), ERROR]],
];

describe("a stream", () => {
  test.each(STREAMS)("of %s", (_what, events, expected, fields) => {
    expect(pieces(events, fields).join("")).toBe(expected.map(data).join(""));
  });

  test.each(STREAMS)("as a JSON array: %s", (_what, events, expected, fields) => {
    const stream = pieces(events, fields, "").join("");
    expect(stream).toBe(`[${expected.join(",\n")}]`);
    expect(JSON.parse(stream)).toHaveLength(expected.length);
  });

  test("holds one part back, and while a call is collected, too", () => {
    const events = [text("a"), text("b"), ...call(0, "now", "{}"), usage, text("c"), finish("tool")];
    const now = '{"functionCall":{"id":"call_0","name":"now","args":{}}}';
    expect(pieces(events)).toEqual([
      "",
      "",
      data(plain('{"text":"a"}')),
      "",
      "",
      data(plain('{"text":"b"}')),
      "",
      data(plain(now)),
      data(final('{"text":"c"}', "STOP", COUNTS)),
    ]);
  });

  test("is not kept alive by anything", () => {
    expect(createRenderer().heartbeat()).toBe("");
    expect(createRenderer({}, "").heartbeat()).toBe("");
  });

  test("cut inside a surrogate pair joins to the whole character", () => {
    expect(pieces([text("\ud83d"), text("\ude00"), finish("stop")]).join("")).toBe(
      data(plain('{"text":"\\ud83d"}')) + data(final('{"text":"\\ude00"}', "STOP")),
    );
  });
});

describe("finish and usage", () => {
  test.each<[FinishReason, string]>([
    ["stop", "STOP"],
    ["tool", "STOP"],
    ["length", "MAX_TOKENS"],
    ["context", "MAX_TOKENS"],
    ["filter", "SAFETY"],
  ])("finish %s is %s", (reason, name) => {
    expect(pieces([text("a"), finish(reason)]).join("")).toBe(data(final('{"text":"a"}', name)));
    expect(body([text("a"), finish(reason)])).toMatchObject({ candidates: [{ finishReason: name }] });
  });

  test.each([
    [
      { input: 12, output: 9 },
      { promptTokenCount: 12, candidatesTokenCount: 9, totalTokenCount: 21 },
    ],
    [
      { input: 12, cached: 4, output: 9, reasoning: 5 },
      {
        promptTokenCount: 12,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 5,
        totalTokenCount: 21,
      },
    ],
    [
      { input: 0, output: 5, reasoning: 5 },
      { promptTokenCount: 0, candidatesTokenCount: 0, thoughtsTokenCount: 5, totalTokenCount: 5 },
    ],
  ])("usage %j", (counts, usageMetadata) => {
    const events: ReplyEvent[] = [usage, { type: "usage", usage: counts }, finish("stop")];
    const [, , , last = ""] = pieces(events);
    expect(JSON.parse(last.slice("data: ".length)).usageMetadata).toEqual(usageMetadata);
    expect(body(events)).toMatchObject({ usageMetadata });
  });
});

interface WireResponse {
  candidates: [{ content: { role: string; parts: { text?: string; thought?: true }[] }; finishReason?: string }];
  usageMetadata?: object;
}

/** What a client puts together of a stream: adjacent pieces of text are one, the last word on anything else counts. */
function accumulate(responses: WireResponse[]): WireResponse {
  const parts: { text?: string; thought?: true }[] = [];
  for (const part of responses.flatMap(({ candidates }) => candidates[0].content.parts)) {
    const last = parts.at(-1);
    if (last?.text !== undefined && part.text !== undefined && last.thought === part.thought) last.text += part.text;
    else parts.push({ ...part });
  }
  const last = responses.at(-1);
  if (!last) throw new Error("an empty stream");
  const [candidate] = last.candidates;
  return { ...last, candidates: [{ ...candidate, content: { role: "model", parts } }] };
}

describe("one body is what its stream adds up to", () => {
  const whole = STREAMS.filter(([, events]) => events.at(-1)?.type === "finish");
  test.each(whole)("%s", (_what, events, _expected, fields) => {
    const responses: WireResponse[] = JSON.parse(pieces(events, fields, "").join(""));
    expect(JSON.parse(JSON.stringify(body(events, fields)))).toEqual(accumulate(responses));
  });

  test("to the letter", () => {
    const events = [text("a"), text("b"), ...call(0, "pay", '{"sum":1.50}'), usage, finish("tool")];
    expect(JSON.stringify(body(events))).toBe(
      final('{"text":"ab"},{"functionCall":{"id":"call_0","name":"pay","args":{"sum":1.50}}}', "STOP", COUNTS),
    );
  });
});

describe("what is held back has not been said yet", () => {
  const answerOf = (...events: ReplyEvent[]) => {
    const told: unknown[] = [];
    const answer = createStreamedAnswer(createRenderer(), (error) => told.push(error));
    for (const event of events) answer.push(event);
    return { answer, told };
  };

  test("so that an answer of one part can still be given anew, or as it is", () => {
    const { answer } = answerOf(text("a"), finish("stop"));
    expect(answer.begun()).toBe(false);
    expect(answer.take()).toBe(data(final('{"text":"a"}', "STOP")));
  });

  test("so that a failure behind it still has a status", () => {
    const { answer, told } = answerOf(text("a"), failure);
    expect([answer.failure()?.kind, told]).toEqual(["upstream-overloaded", []]);
  });

  test("but what came before it has", () => {
    const { answer, told } = answerOf(text("a"), text("b"), failure);
    expect([answer.begun(), answer.failure(), told]).toEqual([true, undefined, [expect.anything()]]);
  });
});
