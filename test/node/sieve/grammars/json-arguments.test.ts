import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/conversation.ts";
import { parseJson } from "../../../../src/json.ts";
import { createSieve } from "../../../../src/sieve/index.ts";
import { type JsonRepair, mendJson } from "../../../../src/sieve/values/mend-json.ts";
import { randomChunks } from "../../../chunking.ts";
import { LEVELS } from "../case-files.ts";
import { outcomeOf } from "../run.ts";
import { jsonValues, nearlyJson, textOf } from "../values/json-texts.ts";

const tools = [{ name: "u" }];

/** Ways in which arguments may come. */
const FORMS: Record<string, (json: string) => string> = {
  "behind the name": (json) => `<tool_call>{"name": "u", "arguments": ${json}}</tool_call>`,
  "before the name": (json) => `<tool_call>{"arguments": ${json}, "name": "u"}</tool_call>`,
  "as a text": (json) => `<tool_call>{"name": "u", "arguments": ${JSON.stringify(json)}}</tool_call>`,
  "as a text before the name": (json) => `<tool_call>{"arguments": ${JSON.stringify(json)}, "name": "u"}</tool_call>`,
  "in a list": (json) => `[TOOL_CALLS] [{"name": "u", "arguments": ${json}}]`,
  "in a list of tool_calls": (json) => `{"tool_calls": [{"function": {"name": "u", "arguments": ${json}}}]}`,
};

const REPAIRS: readonly JsonRepair[] = [
  ...(["single-quotes", "control-character", "lone-backslash"] as const),
  ...(["python-literal", "trailing-comma", "missing-comma", "unquoted-key"] as const),
];

const objects = jsonValues.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const texts = fc
  .tuple(objects, fc.uniqueArray(fc.constantFrom(...REPAIRS), { maxLength: 3 }), fc.gen())
  .map(([value, damages, gen]) => ({ value, text: textOf(value, new Set(damages), gen) }));

const cuts = fc.record({ level: fc.constantFrom(...LEVELS), seed: fc.nat() });

function argumentsOf(reply: string, { level, seed }: { level: (typeof LEVELS)[number]; seed: number }) {
  const read = (text: string[]) => outcomeOf({ text }, { tools, earlyEmit: level });
  const outcome = read([reply]);
  expect(read(randomChunks(reply, seed))).toEqual(outcome);
  return outcome.calls.map((call) => call.arguments);
}

describe.each(Object.entries(FORMS))("arguments %s", (_, form) => {
  test("are what was meant, whatever had to be mended", () => {
    const law = fc.property(texts, cuts, ({ value, text }, cut) => {
      expect(argumentsOf(form(text), cut).map(parse)).toEqual([value]);
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("mean the same whether they stream or not", () => {
    const near = nearlyJson.filter((text) => text.startsWith("{") && !givesTwice(text));
    const law = fc.property(near, cuts, (text, cut) => {
      // What stands behind the object is the call's own, unless both are one text.
      const mended = mendJson(text);
      if (mended) expect(argumentsOf(form(text), cut).map(parse)).toEqual([parse(mended.json)]);
    });
    fc.assert(law, { numRuns: 500 });
  });
});

/** As JavaScript has it, so that a key of the prototype is one like any other. */
const parse = (json: string): Json | undefined => parseJson(json);

/** Of equal keys the first one counts here, and the last one in JavaScript. */
function givesTwice(text: string): boolean {
  const keys = text.match(/[\w$.+-]+(?=["']?\s*:)|["'](?=\s*:)/g) ?? [];
  return new Set(keys).size < keys.length;
}

describe("arguments go out as they come", () => {
  const content = "The quick brown fox jumps over the lazy dog.\n";
  const encoded = JSON.stringify(JSON.stringify({ a: content }));

  test.each([
    ["as an object", `<tool_call>{"name": "u", "arguments": {"a": ${JSON.stringify(content)}}}</tool_call>`],
    ["as a text", `<tool_call>{"name": "u", "arguments": ${encoded}}</tool_call>`],
    ["in a list", `<tool_calls>[{"name": "u", "arguments": {"a": ${JSON.stringify(content)}}}]</tool_calls>`],
    ["of a message", `{"tool_calls": [{"function": {"name": "u", "arguments": ${encoded}}}]}`],
    ["behind a mark", `functools[{"name": "u", "arguments": {"a": ${JSON.stringify(content)}}}]`],
  ])("%s", (_, reply) => {
    const sieve = createSieve({ tools });
    const deltas = [...reply].flatMap((character) => sieve.push(character));
    const fragments = deltas.flatMap((event) => (event.type === "call-arguments" ? [event.json] : []));
    expect(JSON.parse(fragments.join(""))).toEqual({ a: content });
    expect(fragments.length).toBeGreaterThan(content.length);
  });

  test("but not when they come before the name", () => {
    const sieve = createSieve({ tools });
    const reply = `<tool_call>{"arguments": {"a": ${JSON.stringify(content)}}, "name": "u`;
    const deltas = [...reply].flatMap((character) => sieve.push(character));
    expect(deltas).toEqual([]);
    const fragments = sieve.push('"}').flatMap((event) => (event.type === "call-arguments" ? [event.json] : []));
    expect(parse(fragments.join(""))).toEqual({ a: content });
  });
});
