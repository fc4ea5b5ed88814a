import { describe, expect, test } from "vitest";
import { type GatewayError, GatewayFailure } from "../../../src/errors.ts";
import { planExchange } from "../../../src/plan.ts";
import type { ReduceStage } from "../../../src/reply.ts";
import { createSieveStage } from "../../../src/sieve/index.ts";
import { createReplyRecorder, type Stages } from "../../../src/telemetry/reply-recorder.ts";
import type { ReplyReport } from "../../../src/telemetry/reply-report.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { variables } from "../../variables.ts";
import { conversationOf } from "../prompt/conversations.ts";

const { config } = loadConfig(variables({}));
if (!config) throw new Error("the configuration is invalid");
const plan = planExchange(config, conversationOf({}));

function recording({ requests = 1 } = {}) {
  const upstream = { requests, retried: undefined };
  const reports: ReplyReport[] = [];
  const client = new AbortController();
  let time = 1_000;
  const recorder = createReplyRecorder(
    {
      protocol: { name: "anthropic" },
      request: { conversation: { stream: true } },
      config: { toolcall: { mode: "feature_match" } },
      requestId: "req_1",
      modelLabel: "other",
      arrived: 995,
      route: "/v1/messages",
      signal: client.signal,
    },
    (report) => void reports.push(report),
    () => time,
  );
  recorder.asks(upstream);
  const wait = (ms: number) => {
    time += ms;
  };
  return { recorder, reports, wait, client, upstream };
}

const stagesOf = (outcome: Partial<ReturnType<ReduceStage["outcome"]>>): Stages => ({
  decode: { usage: () => ({ input: 1, output: 2, estimated: true }) },
  sieve: createSieveStage({ tools: [] }, () => {}),
  choice: { unmet: () => undefined },
  reduce: { outcome: () => ({ calls: 0, usage: undefined, ending: undefined, ...outcome }) },
});

test("times are told from the request on", () => {
  const { recorder, reports, wait } = recording();
  const record = recorder.begin(plan);
  wait(5);
  record.answered(stagesOf({ ending: "stop" }));
  wait(10);
  expect([record.taken(""), record.taken("a")]).toEqual(["", "a"]);
  wait(20);
  record.taken("b");
  record.over({ ending: "finished" });
  expect(reports).toMatchObject([{ outcome: "stop", ms: { asked: 5, upstream: 5, firstOutput: 20, whole: 40 } }]);
});

test("a clock that is set back makes no time less than none", () => {
  const { recorder, reports, wait } = recording();
  wait(-20);
  const record = recorder.begin(plan);
  wait(-5);
  record.answered(stagesOf({ ending: "stop" }));
  record.taken("a");
  record.over({ ending: "finished" });
  expect(reports).toMatchObject([{ ms: { asked: 0, upstream: 0, firstOutput: 0, whole: 0 } }]);
});

test("of a reply that fails before the first byte there was nothing to send", () => {
  const { recorder, reports } = recording();
  const record = recorder.begin(plan);
  record.answered(stagesOf({ ending: "upstream-failed" }));
  record.taken("an error in the words of the wire");
  recorder.failed(new GatewayFailure({ kind: "upstream-failed" }));
  expect(reports).toMatchObject([{ outcome: "upstream-failed", ms: { upstream: 0 } }]);
  expect(reports[0]?.ms).not.toHaveProperty("firstOutput");
});

test("how long something was held is told of the longest stretch", () => {
  const { recorder, reports, wait } = recording();
  const record = recorder.begin(plan);
  let held = 0;
  const stages = stagesOf({ ending: "stop" });
  record.answered({ ...stages, sieve: { ...stages.sieve, held: () => held } });
  for (const [characters, ms] of [
    [0, 50],
    [3, 7],
    [9, 7],
    [0, 100],
    [1, 5],
    [0, 30],
  ] as const) {
    held = characters;
    record.taken("");
    wait(ms);
  }
  record.over({ ending: "finished" });
  expect(reports).toMatchObject([{ ms: { held: 14 } }]);
});

test("the reply that the client got counts, not one that was tried in vain", () => {
  const { recorder, reports } = recording();
  const first = recorder.begin(plan);
  first.answered(stagesOf({ ending: "stop", usage: { input: 3, output: 4 } }));
  recorder.asksForCall();
  recorder.begin(plan).answered(stagesOf({ ending: "upstream-failed" }));
  first.over({ ending: "finished" });
  expect(reports).toMatchObject([{ outcome: "stop", tokens: { input: 3, output: 4 }, askedAgain: ["call-missing"] }]);
});

test("a reply is told once, as it ended first", () => {
  const { recorder, reports } = recording();
  const record = recorder.begin(plan);
  record.answered(stagesOf({}));
  record.over({ ending: "client-gone" });
  record.over({ ending: "finished" });
  recorder.failed(new Error("late"));
  expect(reports).toMatchObject([{ outcome: "aborted", tokens: { input: 1, output: 2, estimated: true } }]);
});

test.each<[what: string, thrown: unknown, outcome: string]>([
  ["a failure", new GatewayFailure({ kind: "upstream-timeout" }), "upstream-timeout"],
  ["a fault of our own", new TypeError("x"), "internal"],
])("%s before anything was planned", (_what, thrown, outcome) => {
  const { recorder, reports } = recording();
  recorder.failed(thrown);
  expect(reports).toMatchObject([{ outcome, calls: 0, blocks: [] }]);
});

test("a stream that not even its own fault could be told in", () => {
  const { recorder, reports } = recording();
  const record = recorder.begin(plan);
  record.answered(stagesOf({}));
  record.over({ ending: "broken", cause: new TypeError("x") });
  expect(reports).toMatchObject([{ outcome: "internal" }]);
});

test.each(["before anything was planned", "in the midst of the reply"])("a client that leaves %s", (when) => {
  const { recorder, reports, client } = recording();
  if (when.startsWith("in")) recorder.begin(plan).answered(stagesOf({}));
  client.abort();
  recorder.failed(client.signal.reason);
  expect(reports).toMatchObject([{ outcome: "aborted" }]);
});

describe("what was used", () => {
  const answered = (recorder: ReturnType<typeof recording>["recorder"], input: number, output: number) =>
    recorder.begin(plan).answered(stagesOf({ ending: "stop", usage: { input, output } }));

  test("of all attempts that were answered", () => {
    const { recorder } = recording();
    answered(recorder, 3, 4);
    answered(recorder, 5, 6);
    expect(recorder.used()).toBe(18);
  });

  test("of one that nobody was asked for: nothing", () => {
    const { recorder } = recording({ requests: 0 });
    expect(recorder.used()).toBe(0);
    recorder.begin(plan);
    expect(recorder.used()).toBe(0);
  });

  const asked = { ...plan, promptTokens: () => 7 };

  test("of one without an answer the prompt, though another one is tried", () => {
    const { recorder, upstream } = recording({ requests: 0 });
    recorder.begin(asked);
    upstream.requests = 1;
    expect(recorder.used()).toBe(7);
    recorder.begin(asked).unanswered(new GatewayFailure({ kind: "upstream-timeout" }));
    expect(recorder.used()).toBe(7);
    upstream.requests = 2;
    expect(recorder.used()).toBe(14);
    answered(recorder, 5, 6);
    expect(recorder.used()).toBe(25);
  });

  test.each<[GatewayError, used: number]>([
    [{ kind: "rate-limited" }, 0],
    [{ kind: "quota-exhausted" }, 0],
    [{ kind: "upstream-rejected" }, 0],
    [{ kind: "upstream-overloaded" }, 0],
    [{ kind: "context-length" }, 0],
    [{ kind: "unknown-model", model: "m" }, 0],
    [{ kind: "unauthorized", message: "no" }, 0],
    [{ kind: "upstream-failed", lasting: true }, 0],
    [{ kind: "upstream-failed" }, 7],
    [{ kind: "upstream-timeout" }, 7],
    [{ kind: "internal" }, 7],
  ])("of one that was refused nothing, of one that may have been worked on the prompt: %j", (error, used) => {
    const { recorder, upstream } = recording({ requests: 0 });
    const record = recorder.begin(asked);
    upstream.requests = 1;
    record.unanswered(new GatewayFailure(error));
    expect(recorder.used()).toBe(used);
  });

  test("that the upstream has not counted: our estimate", () => {
    const { recorder } = recording();
    recorder.begin(plan).answered(stagesOf({}));
    expect(recorder.used()).toBe(3);
  });
});
