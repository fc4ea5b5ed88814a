import { describe, expect, test } from "vitest";
import { createStreamedAnswer, createWholeAnswer } from "../../src/answer.ts";
import type { GatewayError } from "../../src/errors.ts";
import type { Renderer } from "../../src/protocols/protocol.ts";
import type { ReplyEvent } from "../../src/reply.ts";

/** Renders an event as its type, and hides reasoning. */
const renderer: Renderer = {
  contentType: "text/event-stream",
  start: () => "start ",
  event: ({ type }) => (type === "reasoning" || type === "usage" ? "" : `${type} `),
  bearsComments: true,
  heartbeat: () => "",
  body: ({ text, calls, finish }) => ({ text, calls, finish }),
};

const failure: GatewayError = { kind: "upstream-timeout" };
const text: ReplyEvent = { type: "text", text: "x" };
const reasoning: ReplyEvent = { type: "reasoning", text: "r" };
const call: ReplyEvent[] = [
  { type: "call-start", index: 0, id: "id", name: "a" },
  { type: "call-arguments", index: 0, json: "{}" },
  { type: "call-end", index: 0 },
];
const usage: ReplyEvent = { type: "usage", usage: { input: 1, output: 1 } };
const finish: ReplyEvent = { type: "finish", reason: "stop" };
const error: ReplyEvent = { type: "error", error: failure };

describe("a streamed answer", () => {
  function streamed(events: readonly ReplyEvent[]) {
    const told: GatewayError[] = [];
    const answer = createStreamedAnswer(renderer, (error) => told.push(error));
    for (const event of events) answer.push(event);
    return { answer, told };
  }

  test.each<[what: string, events: ReplyEvent[], begun: boolean, finished: boolean]>([
    ["nothing yet", [], false, false],
    ["what the wire hides is not said", [reasoning, usage], false, false],
    ["an empty reply has not begun", [usage, finish], false, true],
    ["blanks alone are nothing said", [{ type: "text", text: " \n" }, finish], false, true],
    ["text", [text], true, false],
    ["a call", call.slice(0, 1), true, false],
    ["a whole reply", [text, ...call, usage, finish], true, true],
    ["a failure", [error], false, true],
    ["a failure behind text", [text, error], true, true],
  ])("%s", (_what, events, begun, finished) => {
    const { answer } = streamed(events);
    expect(answer.begun()).toBe(begun);
    expect(answer.finished()).toBe(finished);
  });

  test("has no half of a surrogate pair in it, streamed or not", () => {
    const events: ReplyEvent[] = [{ type: "text", text: "a\ud83d" }, { type: "text", text: "\u{1f600}" }, finish];
    const literal: Renderer = { ...renderer, event: (event) => (event.type === "text" ? event.text : "") };
    const answer = createStreamedAnswer(literal, () => {});
    const whole = createWholeAnswer(renderer);
    for (const event of events) for (const each of [answer, whole]) each.push(event);
    expect(answer.take()).toBe("a\ufffd\u{1f600}");
    expect(whole.body()).toMatchObject({ text: "a\ufffd\u{1f600}" });
  });

  test.each<[what: string, events: ReplyEvent[], said: boolean]>([
    ["reasoning and blanks", [reasoning, { type: "text", text: " \n" }, usage, finish], false],
    ["a text", [{ type: "text", text: " " }, text, finish], true],
  ])("has something to read in it, whatever the wire holds back, and streamed or not: %s", (_what, events, said) => {
    const holding: Renderer = { ...renderer, event: () => "" };
    for (const answer of [createStreamedAnswer(holding, () => {}), createWholeAnswer(holding)]) {
      for (const event of events) answer.push(event);
      expect(answer.said()).toBe(said);
    }
  });

  test("tells how it was finished, and not where it failed", () => {
    expect(streamed([text, finish]).answer.finish()).toBe(finish);
    expect(streamed([text, error]).answer.finish()).toBeUndefined();
  });

  test("the wire's text is taken once", () => {
    const { answer } = streamed([text, ...call]);
    expect(answer.take()).toBe("text call-start call-arguments call-end ");
    expect(answer.take()).toBe("");
    answer.push(finish);
    expect(answer.take()).toBe("finish ");
  });

  test("before anything was said a failure can have a status of its own", () => {
    const { answer, told } = streamed([reasoning, usage, error]);
    expect(answer.failure()).toBe(failure);
    expect(told).toEqual([]);
  });

  test("behind the first word it is told, and stands in the stream", () => {
    const { answer, told } = streamed([text, error]);
    expect(answer.failure()).toBeUndefined();
    expect(told).toEqual([failure]);
    expect(answer.take()).toBe("text error ");
  });

  test("once the response is sent it is told too, said or not", () => {
    const { answer, told } = streamed([]);
    answer.sent();
    answer.push(error);
    expect(answer.failure()).toBeUndefined();
    expect(told).toEqual([failure]);
  });
});

describe("a whole answer", () => {
  function whole(events: readonly ReplyEvent[]) {
    const answer = createWholeAnswer(renderer);
    for (const event of events) answer.push(event);
    return answer;
  }

  test.each<[what: string, events: ReplyEvent[], finished: boolean]>([
    ["nothing yet", [], false],
    ["text", [text, usage], false],
    ["the finish", [text, finish], true],
    ["a failure", [text, error], true],
  ])("is over with the last event: %s", (_what, events, finished) => {
    expect(whole(events).finished()).toBe(finished);
  });

  test("says nothing before its end, so it can always be another one", () => {
    const answer = whole([text, ...call]);
    expect(answer.begun()).toBe(false);
    expect(answer.take()).toBe("");
  });

  test("a failure has a status of its own, whatever was said before", () => {
    expect(whole([text, error]).failure()).toBe(failure);
    expect(whole([text, finish]).failure()).toBeUndefined();
    expect(whole([text, finish]).finish()).toEqual(finish);
  });

  test("its body is made of the whole reply", () => {
    const calls = [{ id: "id", name: "a", arguments: "{}" }];
    expect(whole([text, ...call, text, finish]).body()).toEqual({ text: "xx", calls, finish });
  });
});
