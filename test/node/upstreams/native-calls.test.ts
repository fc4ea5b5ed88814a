import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { type CallDelta, createNativeCalls } from "../../../src/upstreams/native-calls.ts";

type Delta = Partial<CallDelta>;
/** Name and arguments as JSON text. */
type Call = readonly [name: string, json: string];

const delta = (index: number | undefined, fields: Delta): Delta => ({
  ...(index !== undefined && { index }),
  ...fields,
});
const args = (index: number | undefined, json: string, more: Delta = {}) => delta(index, { arguments: json, ...more });

function assemble(deltas: readonly Delta[]): { calls: Call[]; overflowed: boolean } {
  const native = createNativeCalls((name) => ["get", "get_weather", "ping"].includes(name), SIEVE_LIMITS.calls);
  for (const each of deltas) native.push({ id: "", name: "", arguments: "", ...each });
  return { calls: native.all().map(({ name, json }) => [name, json]), overflowed: native.overflowed };
}

const CASES: Record<string, [what: string, deltas: Delta[], calls: Call[]][]> = {
  "the name": [
    ["comes after the arguments", [args(0, '{"x":', { id: "a" }), args(0, "1}", { name: "f" })], [["f", '{"x":1}']]],
    [
      "comes after the arguments of the second call, too",
      [args(0, "{}", { id: "a", name: "f" }), args(1, '{"x":', { id: "b" }), args(1, "1}", { name: "g" })],
      [
        ["f", "{}"],
        ["g", '{"x":1}'],
      ],
    ],
    [
      "comes in fragments, the first of them another tool's name",
      [delta(0, { name: "get" }), args(0, "{}", { name: "_weather" })],
      [["get_weather", "{}"]],
    ],
    [
      "comes in fragments",
      [delta(0, { id: "a", name: "get_" }), delta(0, { name: "wea" }), args(0, "{}", { name: "ther" })],
      [["get_weather", "{}"]],
    ],
    [
      "goes on while the arguments come",
      [args(0, '{"x"', { id: "a", name: "get_wea" }), args(0, ":1}", { name: "ther" })],
      [["get_weather", '{"x":1}']],
    ],
    [
      "is said with every delta",
      [args(0, '{"x"', { id: "a", name: "f" }), args(0, ":", { name: "f" }), args(0, "1}", { id: "a", name: "f" })],
      [["f", '{"x":1}']],
    ],
    [
      "is said with every delta, without an index",
      [args(undefined, '{"x"', { name: "f" }), args(undefined, ":1}", { name: "f" })],
      [["f", '{"x":1}']],
    ],
  ],
  "the index": [
    [
      "is always 0: another id begins another call",
      [
        args(0, '{"x":1}', { id: "a", name: "f" }),
        args(0, '{"x":', { id: "b", name: "f" }),
        args(0, "2}"),
        args(0, "{}", { id: "c", name: "g" }),
      ],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
        ["g", "{}"],
      ],
    ],
    [
      "is always 0 and there are no ids: the end of the arguments tells",
      [args(0, '{"x":1}', { name: "f" }), args(0, '{"x":2}', { name: "f" }), args(0, "{}", { name: "g" })],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
        ["g", "{}"],
      ],
    ],
    [
      "is missing: another id begins another call",
      [
        args(undefined, '{"x":', { id: "a", name: "f" }),
        args(undefined, "1}"),
        args(undefined, '{"x":2}', { id: "b", name: "f" }),
        args(undefined, "{}", { id: "c", name: "g" }),
      ],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
        ["g", "{}"],
      ],
    ],
    [
      "is always 0, there are no ids, and a call without arguments comes first: the whole name of another tool tells",
      [delta(0, { name: "ping" }), args(0, '{"x":1}', { name: "get_weather" }), delta(0, { name: "ping" })],
      [
        ["ping", ""],
        ["get_weather", '{"x":1}'],
        ["ping", ""],
      ],
    ],
    [
      "is missing, and calls without arguments stand in a row",
      [delta(undefined, { name: "f" }), delta(undefined, { name: "g" }), delta(undefined, { name: "g" })],
      [
        ["f", ""],
        ["g", ""],
        ["g", ""],
      ],
    ],
    [
      "is missing: fragments say whose they are by the id",
      [
        args(undefined, '{"x":', { id: "a", name: "f" }),
        args(undefined, '{"y":', { id: "b", name: "g" }),
        args(undefined, "1}", { id: "a" }),
        args(undefined, "2}", { id: "b" }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", '{"y":2}'],
      ],
    ],
    [
      "is missing: so they do where the calls are of one tool",
      [
        args(undefined, '{"x":', { id: "a", name: "f" }),
        args(undefined, '{"x":', { id: "b", name: "f" }),
        args(undefined, "1}", { id: "a" }),
        args(undefined, "2}", { id: "b" }),
      ],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
      ],
    ],
    [
      "counts the deltas",
      [delta(0, { id: "a", name: "f" }), args(1, '{"x"'), args(2, ":1"), args(7, "}")],
      [["f", '{"x":1}']],
    ],
    [
      "counts the deltas, of which each says the name",
      [
        args(0, '{"x"', { name: "f" }),
        args(1, ":1}", { name: "f" }),
        args(2, '{"x":', { name: "f" }),
        args(3, "2}", { name: "f" }),
      ],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
      ],
    ],
    [
      "changes within one call, which its id tells",
      [
        delta(0, { id: "a", name: "f" }),
        args(1, '{"x":', { id: "a" }),
        args(1, "1}"),
        args(2, '{"x":1}', { id: "a", name: "f" }),
      ],
      [["f", '{"x":1}']],
    ],
  ],
  ids: [
    [
      "are missing",
      [delta(0, { name: "f" }), args(0, "{}"), args(1, "{}", { name: "g" })],
      [
        ["f", "{}"],
        ["g", "{}"],
      ],
    ],
    [
      "are new with every delta that has no name",
      [delta(0, { id: "a", name: "f" }), ...[...'{"x":1}'].map((json, at) => args(0, json, { id: `b${at}` }))],
      [["f", '{"x":1}']],
    ],
    ...[0, undefined].map((index): [string, Delta[], Call[]] => [
      `are new with every delta, and each says the name, index ${index}`,
      [
        args(index, '{"x"', { id: "a", name: "f" }),
        args(index, ':"', { id: "b", name: "f" }),
        args(index, "{}", { id: "c", name: "f" }),
        args(index, '"}', { id: "d", name: "f" }),
        args(index, '{"x":2', { id: "e", name: "f" }),
        args(index, "}", { id: "f", name: "f" }),
        args(index, "{}", { id: "g", name: "g" }),
      ],
      [
        ["f", '{"x":"{}"}'],
        ["f", '{"x":2}'],
        ["g", "{}"],
      ],
    ]),
    [
      "are the same for different calls",
      [
        args(0, '{"x":1}', { id: "a", name: "f" }),
        args(1, '{"x":2}', { id: "a", name: "f" }),
        args(2, "{}", { id: "a", name: "g" }),
      ],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
        ["g", "{}"],
      ],
    ],
    [
      "differ for calls that are the same",
      [args(0, "{}", { id: "a", name: "f" }), args(1, "{}", { id: "b", name: "f" })],
      [
        ["f", "{}"],
        ["f", "{}"],
      ],
    ],
  ],
  "a whole call": [
    [
      "is said once more at the end",
      [args(0, '{"x"', { id: "a", name: "f" }), args(0, ":1}"), args(0, '{"x":1}', { id: "a", name: "f" })],
      [["f", '{"x":1}']],
    ],
    [
      "is said once more without its name",
      [args(0, '{"x":1}', { id: "a", name: "f" }), args(0, ' {"x":1}\n')],
      [["f", '{"x":1}']],
    ],
    [
      "begins with an empty object that stands for nothing yet",
      [args(0, "{}", { id: "a", name: "f" }), args(0, '{"x"'), args(0, ":1}")],
      [["f", '{"x":1}']],
    ],
    [
      "begins with an empty object, and is then said whole",
      [args(0, "{}", { id: "a", name: "f" }), args(0, '{"x":1}', { id: "a", name: "f" })],
      [["f", '{"x":1}']],
    ],
    [
      "is followed by what is no part of it",
      [args(0, '{"x":1}', { id: "a", name: "f" }), args(0, "}"), args(0, "</tool_call>")],
      [["f", '{"x":1}']],
    ],
    [
      "is followed by the arguments of another one, in its place",
      [args(0, '{"x":1}{"x"', { id: "a", name: "f" }), args(0, ':2}{"x":3}')],
      [
        ["f", '{"x":1}'],
        ["f", '{"x":2}'],
        ["f", '{"x":3}'],
      ],
    ],
    ["has no arguments at all", [delta(0, { id: "a", name: "f" }), args(0, "")], [["f", ""]]],
    ["has the arguments null", [args(0, "null", { id: "a", name: "f" })], [["f", "null"]]],
    [
      "has its arguments encoded twice",
      [args(0, '"{\\"x\\"', { name: "f" }), args(0, ':1}"')],
      [["f", '"{\\"x\\":1}"']],
    ],
    [
      "keeps the digits of its numbers",
      [args(0, '{"x":12345678901234567890.50}', { name: "f" })],
      [["f", '{"x":12345678901234567890.50}']],
    ],
  ],
};

describe.each(Object.entries(CASES))("%s", (_part, cases) => {
  test.each(cases)("%s", (_what, deltas, calls) => {
    expect(assemble(deltas)).toEqual({ calls, overflowed: false });
  });
});

describe("what is not whole", () => {
  test.each<[string, Delta[], Call[]]>([
    [
      "a call that is cut",
      [args(0, "{}", { name: "f" }), args(1, '{"x', { name: "g" })],
      [
        ["f", "{}"],
        ["g", '{"x'],
      ],
    ],
    [
      "a call that is cut, and another id begins the next one with an object",
      [args(0, '{"x"', { id: "a", name: "f" }), args(0, '{"x":2}', { id: "b", name: "f" })],
      [
        ["f", '{"x"'],
        ["f", '{"x":2}'],
      ],
    ],
    [
      "a call without a name",
      [args(0, "{}", { id: "a" }), args(1, "{}", { name: "g" })],
      [
        ["", "{}"],
        ["g", "{}"],
      ],
    ],
    ["arguments that are no object", [args(0, "[1]", { name: "f" })], [["f", "[1]"]]],
    ["arguments that are no JSON", [args(0, "{x}", { name: "f" })], [["f", "{x}"]]],
    ["a brace in a string as Python has it", [args(0, "{'x': '}'}", { name: "f" })], [["f", "{'x': '}'}"]]],
    [
      // Its name may be that of another tool: nobody can say.
      "a second object under an id of its own, without a name",
      [
        args(0, "{}", { id: "a", name: "f" }),
        args(0, '{"x":1}', { id: "a", name: "f" }),
        args(0, '{"x":2}', { id: "b" }),
      ],
      [
        ["f", '{"x":1}'],
        ["", '{"x":2}'],
      ],
    ],
  ])("%s is given as it came", (_what, deltas, calls) => {
    expect(assemble(deltas)).toEqual({ calls, overflowed: false });
  });
});

describe("more calls than there may be", () => {
  test("in one piece of arguments", () => {
    const { calls, overflowed } = assemble([args(0, '{"x":1}'.repeat(100_000), { id: "a", name: "f" })]);
    expect([calls.length, overflowed]).toEqual([128, true]);
  });

  test("empty ones are one that says nothing", () => {
    expect(assemble([args(0, "{}".repeat(100_000), { name: "f" })]).calls).toHaveLength(128);
    expect(assemble(Array.from({ length: 1_000 }, () => args(0, "{}", { name: "f" })))).toEqual({
      calls: [["f", "{}"]],
      overflowed: false,
    });
  });

  test("what follows a lost call under a new index is lost, too", () => {
    const begun = Array.from({ length: 130 }, (_, index) => args(index, '{"x":', { id: `c${index}`, name: "f" }));
    const { calls, overflowed } = assemble([...begun, args(129, "9}"), args(500, "8}"), args(0, "0}")]);
    const cut = Array.from({ length: 127 }, () => ["f", '{"x":']);
    expect([calls, overflowed]).toEqual([[["f", '{"x":0}'], ...cut], true]);
  });
});
