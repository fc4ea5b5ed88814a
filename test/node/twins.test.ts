import { describe, expect, test } from "vitest";
import type { StageEvent } from "../../src/reply.ts";
import { createTwins } from "../../src/twins.ts";

type Kind = "native" | "sieved";

const call = (kind: Kind, name: string, ...json: string[]): StageEvent[] => [
  { type: "call-start", name, ...(kind === "native" && { native: true }) },
  ...json.map((json): StageEvent => ({ type: "call-arguments", json })),
  { type: "call-end" },
];
const text: StageEvent = { type: "text", text: "Done." };
const finish: StageEvent = { type: "finish", reason: "stop" };

function run(...events: StageEvent[]): StageEvent[] {
  const out: StageEvent[] = [];
  const stage = createTwins((event) => out.push(event));
  for (const event of events) stage.push(event);
  return out;
}

describe.each<[Kind, Kind]>([
  ["sieved", "native"],
  ["native", "sieved"],
])("%s calls first, %s ones behind", (first, second) => {
  const a = call(first, "read", '{"path":', '"a"}');
  const b = call(first, "read", '{"path":"b"}');
  const aTwin = call(second, "read", '{"path":"a"}');
  const bTwin = call(second, "read", '{"path":"b"}');
  const other = call(second, "list", "{}");

  test.each<[string, StageEvent[][], StageEvent[][]]>([
    ["one kind alone is as it was", [a, a, b], [a, a, b]],
    ["a twin goes", [a, aTwin], [a]],
    ["whatever stands between them", [a, [text], aTwin, [text]], [a, [text], [text]]],
    ["other arguments make another call", [a, bTwin], [a, bTwin]],
    [
      "another name makes another call",
      [a, call(second, "write", '{"path":"a"}')],
      [a, call(second, "write", '{"path":"a"}')],
    ],
    ["each answers for one twin", [a, aTwin, aTwin], [a, aTwin]],
    ["two and one are two", [a, a, aTwin], [a, a]],
    ["two and two are two", [a, a, aTwin, aTwin], [a, a]],
    ["one and two are two", [a, aTwin, aTwin], [a, aTwin]],
    ["the order makes no difference", [a, b, bTwin, aTwin], [a, b]],
    ["one that is new stands between twins", [a, b, aTwin, other, bTwin], [a, b, other]],
    ["a new one of the second kind answers for one of the first", [a, other, call(first, "list", "{}")], [a, other]],
    [
      "spelling makes no difference",
      [call(first, "f", '{"n":1,"s":"é"}'), call(second, "f", '{ "s": "\\u00e9", "n": 1.0 }')],
      [call(first, "f", '{"n":1,"s":"é"}')],
    ],
  ])("%s", (_rule, events, expected) => {
    const out = run(...events.flat(), finish);
    expect(joined(out)).toEqual(joined([...expected.flat(), finish]));
  });

  test("a call of a name that was not called streams on", () => {
    const [start, ...rest] = other;
    expect(run(...a, ...(start ? [start] : []))).toEqual([...a, start]);
    expect(run(...a, ...other)).toEqual([...a, ...other]);
    expect(rest).toHaveLength(2);
  });

  test("a call that may be a twin is held to its end", () => {
    expect(run(...a, ...bTwin.slice(0, -1))).toEqual(a);
  });

  test("one that is cut is nobody's twin: it stays open", () => {
    const cut = aTwin.slice(0, -1);
    expect(run(...a, ...cut, finish)).toEqual([...a, ...cut, finish]);
  });

  test("and before an error", () => {
    const cut = aTwin.slice(0, -1);
    const error: StageEvent = { type: "error", error: { kind: "upstream-timeout" } };
    expect(run(...a, ...cut, error)).toEqual([...a, ...cut, error]);
  });

  test("usage goes by", () => {
    const usage: StageEvent = { type: "usage", usage: { input: 1, output: 1 } };
    const [start, ...rest] = aTwin;
    expect(run(...a, ...(start ? [start] : []), usage, ...rest)).toEqual([...a, usage]);
  });

  test("beyond the cap a call goes out as it comes, and its twin too", () => {
    const half = "x".repeat(600_000);
    const long = call(first, "write", `{"text":"${half}`, `${half}"}`);
    const twin = call(second, "write", `{"text":"${half}`, `${half}"}`);
    expect(run(...long, ...twin)).toEqual([...long, ...twin]);

    const short = call(first, "write", "{}");
    expect(run(...short, ...twin.slice(0, 2)), "held").toEqual(short);
    expect(run(...short, ...twin.slice(0, 3)), "let go").toEqual([...short, ...twin.slice(0, 3)]);
    expect(run(...short, ...twin)).toEqual([...short, ...twin]);
  });
});

test("arguments too deep to be compared are like themselves alone", () => {
  const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)}}`;
  expect(run(...call("native", "f", deep), ...call("sieved", "f", deep))).toEqual(call("native", "f", deep));
  const other = `{"a": ${"[".repeat(200)}${"]".repeat(200)}}`;
  expect(run(...call("native", "f", deep), ...call("sieved", "f", other))).toHaveLength(6);
});

/** Fragments of one call as one. */
function joined(events: readonly StageEvent[]): StageEvent[] {
  const out: StageEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.type === "call-arguments" && last?.type === "call-arguments") {
      out[out.length - 1] = { ...last, json: last.json + event.json };
    } else out.push(event);
  }
  return out;
}
