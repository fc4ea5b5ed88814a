import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFold, createReduce, type FinishReason, type ReplyEvent, type StageEvent } from "../../src/reply.ts";

const text = (text: string) => ({ type: "text", text }) as const;
const reasoning = (text: string) => ({ type: "reasoning", text }) as const;
const start = (name: string) => ({ type: "call-start", name }) as const;
const json = (json: string) => ({ type: "call-arguments", json }) as const;
const end = { type: "call-end" } as const;
const usage = (output: number) => ({ type: "usage", usage: { input: 1, output } }) as const;
const finish = (reason: FinishReason) => ({ type: "finish", reason }) as const;
const error = { type: "error", error: { kind: "upstream-timeout" } } as const;

const call = [start("a"), json("{}"), end];

function reduce(events: readonly StageEvent[]): ReplyEvent[] {
  const out: ReplyEvent[] = [];
  const stage = createReduce({ newId: (index) => `id_${index}` }, (event) => out.push(event));
  for (const event of events) stage.push(event);
  return out;
}

describe("reduce: numbers and ids", () => {
  test("calls count from 0 over the whole reply, with an id for each", () => {
    expect(reduce([text("x"), ...call, text("y"), start("b"), json("{"), json("}"), end])).toEqual([
      text("x"),
      { type: "call-start", index: 0, id: "id_0", name: "a" },
      { type: "call-arguments", index: 0, json: "{}" },
      { type: "call-end", index: 0 },
      text("y"),
      { type: "call-start", index: 1, id: "id_1", name: "b" },
      { type: "call-arguments", index: 1, json: "{" },
      { type: "call-arguments", index: 1, json: "}" },
      { type: "call-end", index: 1 },
    ]);
  });
});

describe("reduce: the finish (sieve.md T5)", () => {
  type Given = "no call" | "a call" | "an open call" | "a call and an open one";
  const GIVEN: Record<Given, StageEvent[]> = {
    "no call": [text("x")],
    "a call": call,
    "an open call": [start("a"), json('{"b":')],
    "a call and an open one": [...call, start("a")],
  };

  test.each<[given: Given, cut: "whole" | "cut", finishes: Record<FinishReason, FinishReason>]>([
    ["no call", "whole", { stop: "stop", tool: "stop", length: "length", filter: "filter", context: "context" }],
    ["no call", "cut", { stop: "stop", tool: "stop", length: "length", filter: "filter", context: "context" }],
    ["a call", "whole", { stop: "tool", tool: "tool", length: "tool", filter: "filter", context: "context" }],
    ["a call", "cut", { stop: "length", tool: "length", length: "length", filter: "filter", context: "context" }],
    [
      "an open call",
      "whole",
      { stop: "length", tool: "length", length: "length", filter: "length", context: "length" },
    ],
    ["an open call", "cut", { stop: "length", tool: "length", length: "length", filter: "length", context: "length" }],
    [
      "a call and an open one",
      "cut",
      { stop: "length", tool: "length", length: "length", filter: "length", context: "length" },
    ],
  ])("%s, the last block %s", (given, cut, finishes) => {
    for (const [reason, expected] of Object.entries(finishes)) {
      const last = { ...finish(reason as FinishReason), ...(cut === "cut" && { cutBlock: true as const }) };
      expect(reduce([...GIVEN[given], last]).at(-1), reason).toEqual({ ...last, reason: expected });
    }
  });

  test("what stands in the event besides stays", () => {
    const last = { ...finish("stop"), stopSequence: "END" };
    expect(reduce([last])).toEqual([last]);
    expect(reduce([...call, last]).at(-1)).toEqual({ ...last, reason: "tool" });
  });
});

describe("reduce: what the event grammar forbids", () => {
  /** One letter for an event, as in `lettersOf`. */
  test.each<[rule: string, events: StageEvent[], letters: string]>([
    ["empty text and reasoning", [text(""), reasoning(""), finish("stop")], "f"],
    ["anything behind the finish", [finish("stop"), text("x"), ...call, usage(1), error, finish("stop")], "f"],
    ["anything behind an error", [error, text("x"), finish("stop")], "x"],
    ["text inside a call", [start("a"), text("x"), reasoning("r"), end, text("y")], "set"],
    ["usage inside a call waits for its end", [start("a"), usage(1), json("{}"), end, text("x")], "saeut"],
    ["of usage inside a call the last counts", [start("a"), usage(1), usage(2), end], "seu"],
    ["usage inside a call that stays open comes before the finish", [start("a"), usage(1), finish("length")], "suf"],
    ["and before an error", [start("a"), usage(1), error], "sux"],
    ["usage outside goes out at once", [usage(1), text("x"), usage(2), finish("stop")], "utuf"],
    ["a fragment outside a call", [json("{}"), text("x")], "t"],
    ["an end without a start", [end, ...call, end], "sae"],
    ["a call inside a call", [start("a"), start("b"), json("{}"), end, finish("stop")], "sx"],
  ])("%s", (_rule, events, letters) => {
    expect(lettersOf(reduce(events))).toBe(letters);
  });

  test("a call inside a call is our own fault", () => {
    expect(reduce([start("a"), start("b")]).at(-1)).toMatchObject({ type: "error", error: { kind: "internal" } });
  });

  test("the last usage inside a call is the one that counts", () => {
    expect(reduce([start("a"), usage(1), usage(2), end]).at(-1)).toEqual(usage(2));
  });

  test("whatever comes in, what goes out keeps to the grammar", () => {
    const event = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.constantFrom<StageEvent>(text("x"), text(""), reasoning("r"), json("{}"), end, usage(1)),
      },
      { weight: 4, arbitrary: fc.constant<StageEvent>(start("a")) },
      { weight: 1, arbitrary: fc.constantFrom<StageEvent>(finish("stop"), error) },
    );
    const law = fc.property(fc.array(event, { maxLength: 16 }), (events) => {
      const out = reduce([...events, finish("length")]);
      expect(lettersOf(out)).toMatch(/^(t|r|sa*e|u)*(sa*u?)?(f|x)$/);
      const indexes = out.flatMap((event) => (event.type === "call-start" ? [event.index] : []));
      expect(indexes).toEqual(indexes.map((_, at) => at));
    });
    fc.assert(law, { numRuns: 1_000 });
  });
});

describe("reduce: usage that nobody has told", () => {
  const counted = { input: 3, output: 4 };
  const withUsage = (events: readonly StageEvent[]) => {
    const out: ReplyEvent[] = [];
    const stage = createReduce({ newId: String, usage: () => counted }, (event) => out.push(event));
    for (const event of events) stage.push(event);
    return out.slice(-2);
  };

  test("comes before the finish of a reply that ends without any", () => {
    expect(withUsage([text("x"), finish("stop")])).toEqual([{ type: "usage", usage: counted }, finish("stop")]);
  });

  test("is not asked for where some came", () => {
    expect(withUsage([usage(1), text("x"), finish("stop")])).toEqual([text("x"), finish("stop")]);
    expect(withUsage([start("a"), usage(1), finish("stop")])).toEqual([usage(1), finish("length")]);
  });
});

describe("reduce: what a reply has come to", () => {
  const counted = { input: 1, output: 2 };
  const outcomeOf = (events: readonly StageEvent[]) => {
    const stage = createReduce({ newId: String }, () => {});
    for (const event of events) stage.push(event);
    return stage.outcome();
  };

  test.each<[what: string, events: StageEvent[], outcome: ReturnType<typeof outcomeOf>]>([
    ["nothing yet", [text("x"), usage(2)], { calls: 0, usage: counted, ending: undefined }],
    ["calls", [...call, ...call, usage(2), finish("stop")], { calls: 2, usage: counted, ending: "tool" }],
    ["one that stays open", [...call, start("a"), finish("stop")], { calls: 1, usage: undefined, ending: "length" }],
    ["a failure", [...call, start("a"), usage(2), error], { calls: 1, usage: counted, ending: "upstream-timeout" }],
    [
      "a fault of our own",
      [start("a"), start("b"), finish("stop")],
      { calls: 0, usage: undefined, ending: "internal" },
    ],
  ])("%s", (_what, events, outcome) => {
    expect(outcomeOf(events)).toEqual(outcome);
  });
});

describe("fold", () => {
  const fold = (events: readonly ReplyEvent[]) => {
    const folded = createFold();
    for (const event of events) folded.push(event);
    expect(folded.finish()).toBe(folded.reply().finish);
    return { ...folded.reply(), error: folded.error() };
  };

  test("joins fragments, keeps the order of text and calls, and the last usage", () => {
    const events = [
      reasoning("r"),
      reasoning("s"),
      text("a"),
      text("b"),
      ...call,
      usage(1),
      ...call,
      text("c"),
      usage(2),
      finish("stop"),
    ];
    const calls = ["id_0", "id_1"].map((id) => ({ id, name: "a", arguments: "{}" }));
    expect(fold(reduce(events))).toEqual({
      text: "abc",
      reasoning: "rs",
      calls,
      parts: [
        { type: "reasoning", text: "rs" },
        { type: "text", text: "ab" },
        ...calls.map((call) => ({ type: "call", call })),
        { type: "text", text: "c" },
      ],
      finish: finish("tool"),
      usage: { input: 1, output: 2 },
      error: undefined,
    });
  });

  test("joins the fragments of arguments", () => {
    expect(fold(reduce([start("a"), json('{"b":'), json('"x"'), json("}"), end])).calls[0]?.arguments).toBe(
      '{"b":"x"}',
    );
  });

  test("usage between two pieces of text does not part them", () => {
    expect(fold([text("a"), usage(1), text("b")]).parts).toEqual([{ type: "text", text: "ab" }]);
  });

  test("leaves out a call that never ended (T3)", () => {
    const reply = fold(reduce([text("x"), ...call, start("b"), json("{"), finish("length")]));
    const openCall = { id: "id_1", name: "b" };
    expect(reply).toMatchObject({ calls: [{ name: "a" }], openCall, finish: finish("length") });
    expect(reply.parts.map((part) => part.type)).toEqual(["text", "call"]);
  });

  test("keeps a failure", () => {
    expect(fold([text("x"), error])).toMatchObject({ text: "x", finish: undefined, error: error.error });
  });

  test("nothing said is an empty reply", () => {
    expect(fold([])).toMatchObject({
      text: "",
      reasoning: "",
      calls: [],
      parts: [],
      finish: undefined,
      usage: undefined,
    });
  });
});

/** Text, reasoning, start, arguments and end of a call, usage, finish, error (`x`). */
function lettersOf(events: readonly ReplyEvent[]): string {
  const letters = {
    text: "t",
    reasoning: "r",
    "call-start": "s",
    "call-arguments": "a",
    "call-end": "e",
    usage: "u",
    finish: "f",
    error: "x",
  };
  return events.map(({ type }) => letters[type]).join("");
}
