import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beginningOf } from "../../src/dialects/call-frame.ts";
import type { TaughtDialect } from "../../src/dialects/dialect.ts";
import { hermes } from "../../src/dialects/hermes.ts";
import { UPSTREAM_LIMITS } from "../../src/limits.ts";
import { createPrefill, createUnsaid } from "../../src/prefill.ts";
import { createFold, createReduce, type StageEvent, type UpstreamEvent } from "../../src/reply.ts";
import { createSieveStage } from "../../src/sieve/index.ts";
import { createSpacing } from "../../src/sieve/spacing.ts";
import { chunkings } from "../chunking.ts";
import { TAUGHT_BY_ID } from "./dialects/taught-dialects.ts";

const NAMES = ["get_weather", "a.b-c"];

type Channel = "text" | "reasoning";

/** What the client gets of an answer that was begun for the model. */
function answer(dialect: TaughtDialect, prefill: string, chunks: readonly string[], channel: Channel = "text") {
  const fold = createFold();
  const reduce = createReduce({ newId: (index) => `call_${index}` }, fold.push);
  const unsaid = createUnsaid(prefill, createSpacing(reduce.push).push);
  const options = { tools: NAMES.map((name) => ({ name })), dialects: [dialect.id] };
  const sieve = createSieveStage(options, unsaid.push);
  const stage = createPrefill(prefill, sieve.push);
  for (const text of chunks) if (text !== "") stage.push({ type: channel, text });
  stage.push({ type: "usage", usage: { input: 1, output: 2 } });
  stage.push({ type: "finish", reason: "stop" });
  const { calls, text, reasoning, finish } = fold.reply();
  return {
    calls: calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) })),
    text,
    reasoning,
    finish: finish?.reason,
  };
}

const name = fc.constantFrom(...NAMES);
const text = fc.string({ unit: fc.constantFrom("a", "é", " ", '"', "\\", "\n", "'", "}", "1"), maxLength: 8 });
const input = fc.dictionary(fc.constantFrom("city", "b_c"), fc.oneof(text, fc.integer(), fc.constant(null)), {
  maxKeys: 2,
});
const calls = fc.array(fc.record({ name, input }), { minLength: 1, maxLength: 2 });

describe.each(TAUGHT_BY_ID)("%s", (_id, dialect) => {
  test("goes on with the beginning as if it had written it, whether the server repeats it, and however it is cut", () => {
    fc.assert(
      fc.property(calls, fc.boolean(), fc.boolean(), (calls, named, echoes) => {
        fc.pre(calls.every((call) => dialect.write.carries?.(call) ?? true));
        const prefill = beginningOf(dialect.write, named ? calls[0]?.name : undefined);
        const written = dialect.write.calls(calls);
        expect(prefill).not.toBe("");
        expect(written.startsWith(prefill)).toBe(true);
        const said = echoes ? written : written.slice(prefill.length);
        const wanted = answer(dialect, "", [written]);
        expect(wanted.calls.length).toBe(calls.length);
        for (const { chunks } of chunkings(said, {}, 12)) expect(answer(dialect, prefill, chunks)).toEqual(wanted);
        // Begun anew, in another line.
        for (const { chunks } of chunkings(` \n${written}`, {}, 12)) {
          expect(answer(dialect, prefill, chunks)).toEqual(wanted);
        }
      }),
      { numRuns: 12 },
    );
  });

  test.each(["I cannot do that.", 'x"> is no tool.', "<", "(no)", "None of the tools fits.\n\nSorry."])(
    "shows nothing that the model has not written: %j",
    (said) => {
      for (const named of [undefined, "get_weather"]) {
        const prefill = beginningOf(dialect.write, named);
        for (const { chunks } of chunkings(said)) {
          const { calls, text } = answer(dialect, prefill, chunks);
          expect({ calls, text }).toEqual({ calls: [], text: said });
        }
      }
    },
  );
});

describe("the beginning of an answer", () => {
  const begun = "<tool_call>\n{";
  const written = hermes.write.calls([{ name: "get_weather", input: {} }]);
  const said = written.slice(begun.length);

  test("is begun in the channel that the server takes the answer for", () => {
    expect(answer(hermes, begun, [said], "reasoning")).toMatchObject({ calls: [{ name: "get_weather" }], text: "" });
    expect(answer(hermes, begun, ["None."], "reasoning")).toMatchObject({ calls: [], reasoning: "None." });
  });

  test("is begun in the text behind reasoning of blanks alone", () => {
    for (const [said, wanted] of [
      [written.slice(begun.length), { calls: 1, text: "" }],
      ["None.", { calls: 0, text: "None." }],
    ] as const) {
      const fold = createFold();
      const reduce = createReduce({ newId: (index) => `call_${index}` }, fold.push);
      const sieve = createSieveStage({ tools: [{ name: "get_weather" }] }, createUnsaid(begun, reduce.push).push);
      const stage = createPrefill(begun, sieve.push);
      for (const text of ["\n", " "]) stage.push({ type: "reasoning", text });
      stage.push({ type: "text", text: said });
      stage.push({ type: "finish", reason: "stop" });
      const { calls, text, reasoning } = fold.reply();
      expect({ calls: calls.length, text }).toEqual(wanted);
      expect(reasoning.trim()).toBe("");
    }
  });

  test("is not waited for behind any number of blanks", () => {
    const emitted: UpstreamEvent[] = [];
    const stage = createPrefill(begun, (event) => emitted.push(event));
    const blanks = "\n".repeat(UPSTREAM_LIMITS.blanks);
    stage.push({ type: "text", text: blanks });
    expect(emitted).toEqual([]);
    stage.push({ type: "text", text: " " });
    expect(emitted).toEqual([{ type: "text", text: `${begun}${blanks} ` }]);
  });

  test("is no answer where the model has said nothing", () => {
    expect(answer(hermes, begun, [])).toEqual({ calls: [], text: "", reasoning: "", finish: "stop" });
  });

  test("is the model's own where it has written a part of it alone", () => {
    expect(answer(hermes, begun, [begun.slice(0, 4)])).toMatchObject({ text: begun.slice(0, 4) });
  });

  test("takes nothing from a text that looks like a part of it where the sieve has dropped it", () => {
    const emitted: StageEvent[] = [];
    const stage = createUnsaid(begun, (event) => emitted.push(event));
    const events: StageEvent[] = [
      { type: "usage", usage: { input: 1, output: 1 } },
      { type: "text", text: "<" },
      { type: "text", text: "b>x</b>" },
      { type: "finish", reason: "stop" },
    ];
    for (const event of events) stage.push(event);
    expect(emitted).toEqual([events[0], { type: "text", text: "<b>x</b>" }, events[3]]);
  });

  test.each<[string, StageEvent]>([
    ["the end", { type: "finish", reason: "stop" }],
    ["a call", { type: "call-start", name: "get_weather" }],
    ["reasoning", { type: "reasoning", text: "tool_call>" }],
  ])("takes nothing from a text that is the beginning of it alone: before %s", (_what, next) => {
    const emitted: StageEvent[] = [];
    const stage = createUnsaid(begun, (event) => emitted.push(event));
    for (const event of [{ type: "text" as const, text: "<" }, next]) stage.push(event);
    expect(emitted).toEqual([{ type: "text", text: "<" }, next]);
  });

  test("changes nothing else: what the upstream calls by itself, reasoning behind the text, usage", () => {
    const events: UpstreamEvent[] = [
      { type: "usage", usage: { input: 1, output: 1 } },
      { type: "text", text: "<tool" },
      { type: "reasoning", text: "Hm." },
      { type: "native-call", name: "get_weather", json: "{}" },
      { type: "finish", reason: "stop" },
    ];
    const emitted: UpstreamEvent[] = [];
    const stage = createPrefill(begun, (event) => emitted.push(event));
    for (const event of events) stage.push(event);
    expect(emitted).toEqual(events.with(1, { type: "text", text: `${begun}<tool` }));
  });
});
