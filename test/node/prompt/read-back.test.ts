import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject, JsonSchema } from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import { createUnquote } from "../../../src/prompt/unquote.ts";
import type { StageEvent } from "../../../src/reply.ts";
import { createSieve, parseToolCalls } from "../../../src/sieve/index.ts";
import { assistant, call, input, quoting, render, result, tools, user, weather, wordsOf } from "./conversations.ts";
import { hostileText } from "./hostile-text.ts";

const MODES = ["canonical", "feature_match"] as const;

/** JSON has no -0, and no order among keys. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe.each(MODES)("in %s, what we write reads back", (mode) => {
  test("without a schema", () => {
    const calls = fc.array(fc.record({ name: fc.constantFrom("Read", "a.b-c:d/e", "größe"), input }), { minLength: 1 });
    fc.assert(
      fc.property(calls, (made) => {
        const declared = made.map(({ name }) => ({ name }));
        expect(parseToolCalls(canonical.write.calls(made), { tools: declared, mode })).toEqual(plain(made));
      }),
    );
  });

  test("with a key that is called __proto__", () => {
    const made = JSON.parse('[{"name":"x","input":{"__proto__":{"__proto__":"a"},"constructor":""}}]');
    const [read] = parseToolCalls(canonical.write.calls(made), { tools: [{ name: "x" }], mode });
    expect(JSON.stringify(read)).toBe(JSON.stringify(made[0]));
  });

  /** A schema and the values that fit it. */
  const typed: [string, JsonSchema, fc.Arbitrary<Json>][] = [
    ["string", { type: "string" }, hostileText],
    ["nullable string", { type: ["string", "null"] }, fc.option(hostileText)],
    ["string or number", { anyOf: [{ type: "string" }, { type: "number" }] }, fc.oneof(hostileText, fc.integer())],
    ["integer", { type: "integer" }, fc.integer()],
    ["number", { type: "number" }, fc.double({ noNaN: true, noDefaultInfinity: true })],
    ["boolean", { type: "boolean" }, fc.boolean()],
    ["list of strings", { type: "array", items: { type: "string" } }, fc.array(hostileText)],
    ["object", { type: "object" }, fc.dictionary(hostileText, hostileText)],
    ["string or list", { type: ["string", "array"] }, fc.oneof(hostileText, fc.array(hostileText))],
    ["choice", { enum: ["4", 5, null, true, ""] }, fc.constantFrom("4", 5, null, true, "")],
  ];

  test.each(typed)("with a schema: %s", (_name, schema, values) => {
    const declared = [{ name: "x", parameters: { type: "object", properties: { p: schema } } }];
    fc.assert(
      fc.property(values, (value) => {
        const made = [{ name: "x", input: { p: value } }];
        expect(parseToolCalls(canonical.write.calls(made), { tools: declared, mode })).toEqual(plain(made));
      }),
    );
  });
});

/** The arguments that a client gets when the model repeats this text. */
function answeredArguments(text: string): JsonObject[] {
  const read: string[][] = [];
  const unquote = createUnquote({ quoting }, (event) => {
    if (event.type === "call-start") read.push([]);
    if (event.type === "call-arguments") read.at(-1)?.push(event.json);
  });
  const sieve = createSieve({ tools: [weather], mode: "canonical" });
  for (const event of [...sieve.push(text), ...sieve.end()]) unquote.push(event as StageEvent);
  unquote.push({ type: "finish", reason: "stop" });
  return read.map((pieces) => JSON.parse(pieces.join("")));
}

test("a model that repeats its history makes the very calls that the client made", () => {
  fc.assert(
    fc.property(fc.array(input, { minLength: 1, maxLength: 3 }), (inputs) => {
      const turn = assistant(...inputs.map((given, index) => call(`c${index}`, "get_weather", given)));
      const [message] = render({ turns: [turn] });
      expect(answeredArguments(wordsOf(message))).toEqual(plain(inputs));
    }),
  );
});

describe.each(MODES)("in %s, our own words make no call", (mode) => {
  /** Said whole, and line by line. */
  const callsIn = (said: string, declared: Parameters<typeof parseToolCalls>[1]["tools"]) =>
    [said, ...said.split("\n")].flatMap((words) => parseToolCalls(words, { tools: declared, mode }));

  test("of the system text, whatever the tools say", () => {
    fc.assert(
      fc.property(tools, (declared) => {
        const [system] = render({ tools: declared });
        expect(callsIn(wordsOf(system), declared)).toEqual([]);
      }),
    );
  });

  test("of results, whatever they say", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (a, b) => {
        const turns = [
          assistant(call("a", "get_weather"), call("b", "get_weather")),
          user(result("b", b), result("a", a)),
        ];
        const [, answer] = render({ tools: [weather], turns }).slice(-2);
        expect(callsIn(wordsOf(answer), [weather])).toEqual([]);
      }),
    );
  });

  test("of what tool_choice asks", () => {
    const [, question] = render({
      tools: [weather],
      toolChoice: { mode: "required", only: ["get_weather"] },
      parallelToolCalls: false,
      turns: [user()],
    });
    expect(callsIn(wordsOf(question), [weather])).toEqual([]);
  });
});
