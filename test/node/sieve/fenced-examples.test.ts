import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ADVERSARIAL } from "../../../bench/adversarial.ts";
import { ADVERSARIAL_OPENERS } from "../../../bench/adversarial-openers.ts";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { chunksOf, forEveryChunking, randomChunks } from "../../chunking.ts";
import type { Mode } from "./case-files.ts";
import { NOTATIONS } from "./notations.ts";
import { outcomeOf, runSieve, type SieveOptions } from "./run.ts";
import { modelText, options } from "./soup.ts";

/** What counts as an example in a fence (sieve.md A1): the count, and that nothing but the count depends on it. */

const tools: SieveOptions["tools"] = [
  { name: "a", parameters: { type: "object", properties: { b: { type: "string" } } } },
  { name: "ping" },
];

/** Those of the notations' examples. */
const SHOWN = ["search", "get_weather", "write_file", "read", "table", "run", "a", "print"].map((name) => ({ name }));

const CALL = '<tool_calls>\n<invoke name="a">\n<parameter name="b">x</parameter>\n</invoke>\n</tool_calls>';
const BARE = '<invoke name="a"><parameter name="b">x</parameter></invoke>';
const HERMES = '<tool_call>\n{"name": "a", "arguments": {"b": "x"}}\n</tool_call>';
const OBJECT = '{"name": "a", "arguments": {"b": "x"}}';
const DEFINITION = '{"name": "a", "parameters": {"type": "object", "properties": {"b": {"type": "string"}}}}';
const fence = (content: string) => `So:\n\n\`\`\`xml\n${content}\n\`\`\`\n\nThat is all.`;

type Policies = Pick<SieveOptions, "undeclared" | "fenced">;

/** Where one number stands, it is that of both modes. */
type Given = [what: string, text: string, examples: number, inCanonical?: number, options?: Policies];

const GIVEN: readonly Given[] = [
  ["a call", fence(CALL), 1],
  ["wrapper, call and value in it are one", fence(CALL.replace("x", `<![CDATA[${CALL}]]>`)), 1],
  ["two calls of one fence", fence(`${CALL}\n${CALL}`), 1],
  ["two fences", fence(CALL) + fence(CALL), 2],
  ["a fence between that shows none", fence(CALL) + fence("ls -l") + fence(CALL), 2],
  ["behind other content", fence(`# so\nif (a < b) {}\n${CALL}`), 1],
  ["behind a mention", fence(`<tool_calls> and <invoke> are tags\n${CALL}`), 1],
  ["a fence of tildes", `~~~\n${CALL}\n~~~`, 1],
  ["a fence that does not close", `\`\`\`\n${CALL}`, 1],
  ["a fence that opens in mid-line", `So: \`\`\`xml\n${CALL}\n\`\`\`\n`, 1],
  ["a run that closes nothing stands before it", `\`\`\`\`\n\`\`\`\n${CALL}\n\`\`\`\``, 1],
  ["a fence in a list item", "- So:\n  ```\n  <tool_calls>\n  <invoke name='ping'/>\n  </tool_calls>\n  ```\n", 1],
  ["a fence in a block quote", "> ```\n> <tool_calls><invoke name='ping'/></tool_calls>\n> ```\nSo", 1],
  ["right behind the mark of a block quote", "> ```\n><tool_calls><invoke name='ping'/></tool_calls>\n> ```\nSo", 1],
  ["the marks of a block quote are none of the call's", `> \`\`\`\n> ${CALL.replaceAll("\n", "\n> ")}`, 1],
  ["a fence that its block quote ends", "> ```\n> <tool_calls>\n\n<invoke name='zz'/>", 0],
  ["an undeclared tool", fence(CALL.replace('"a"', '"zz"')), 1],
  ["an undeclared tool where they are text", fence(CALL.replace('"a"', '"zz"')), 0, 0, { undeclared: "text" }],
  ["the wrapper is missing", fence(BARE), 1, 0],
  ["the wrapper is missing, and nobody knows the tool", fence(BARE.replace('"a"', '"zz"')), 0],
  ["another notation", fence(HERMES), 1, 0],
  ["an object that is all of the fence", fence(OBJECT), 1, 0],
  ["an object behind other content", fence(`So:\n${OBJECT}`), 0],
  ["an object of calls that is all of the fence", fence(`{"tool_calls": [${OBJECT}]}`), 1, 0],
  ["a brace within the fence is just code", fence(`calls = {"tool_calls": [${OBJECT}]}`), 0],
  ["the definition of a tool", fence(DEFINITION), 0],
  ["an object of something else", fence('{"name": "Ann", "age": 3}'), 0],
  ["no call of it is complete enough to be sure of", fence('<tool_calls>\n<invoke name="a">\n…'), 0],
  ["a template", fence(CALL.replace('"a"', '"$TOOL"')), 0],
  ["mentions", fence("<tool_calls> is a tag, <invoke> too, and <tool_call>"), 0],
  ["no fence", `<tool_calls> is a tag. ${"`"}${CALL.replaceAll("\n", "")}${"`"}`, 0],
  ["a call", CALL, 0],
  ["a fence in a value", CALL.replace("x", `<![CDATA[${fence(CALL)}]]>`), 0],
  ["a fence cut before the call", '```\n<tool_calls>\n<invoke name="a">\n<param', 0],
  ["a fence that ends before the call does", '```\n<tool_calls>\n```\n<invoke name="$" /> so', 0],
  ["what follows the end of the fence is none of it", '```\n<tool_calls>\n```\n```\n<invoke name="zz"/>\n```', 0],
  ["reasoning", `<think>${fence(CALL)}</think>So`, 0],
  ["a fence behind a call", `${CALL}\n${fence(CALL)}`, 1],
  ["a fence that is run", `\`\`\`\n${CALL}\n\`\`\``, 0, 1, { fenced: "sole" }],
  ["a fence that is run does not stand alone", `So:\n\`\`\`\n${CALL}\n\`\`\``, 1, 1, { fenced: "sole" }],
];

describe("A1: fences that show a call are counted", () => {
  test.each(GIVEN)("%s: %#", (_, text, examples, inCanonical = examples, policies) => {
    const count = (mode: Mode) =>
      forEveryChunking(text, text, (chunks) => outcomeOf({ text: chunks }, { tools, ...policies, mode })).report
        .fencedExamples;
    expect(count("feature_match"), "feature_match").toBe(examples);
    expect(count("canonical"), "canonical").toBe(inCanonical);
    expect(count("off"), "off").toBe(0);
  });

  test.each([
    ["is looked for", SIEVE_LIMITS.undecided - 1_000, 1],
    ["is given up", SIEVE_LIMITS.undecided, 0],
  ])("a call far behind its opener %s", (_, length, examples) => {
    const bad = `<invoke>${"x".repeat(length)}</invoke>`;
    const text = `So:\n\`\`\`\n<tool_calls>${bad}<invoke name="ping"/></tool_calls>\n${CALL}\n\`\`\`\n`;
    for (const chunks of [[text], chunksOf(text, 64)]) {
      expect(outcomeOf({ text: chunks }, { tools }).report.fencedExamples).toBe(examples);
    }
  });

  test("nothing is one where no tools are declared", () => {
    const { report } = outcomeOf({ text: [fence(CALL)] }, { tools: [], mode: "feature_match" });
    expect(report.fencedExamples).toBe(0);
  });

  test("in the upstream's own reasoning there is none", () => {
    const { report } = outcomeOf({ reasoning: [fence(CALL)], text: ["So"] }, { tools, mode: "feature_match" });
    expect(report.fencedExamples).toBe(0);
  });

  // Those that are calls without a pin; a pin may make a fence a part of the notation.
  test.each(NOTATIONS.filter(({ pinned }) => !pinned))("$dialect: $example", ({ example }) => {
    const text = `So:\n\n\`\`\`\`\n${example}\n\`\`\`\`\n`;
    const run = (chunks: string[]) => outcomeOf({ text: chunks }, { tools: SHOWN, mode: "feature_match" });
    expect(forEveryChunking(text, text, run).report.fencedExamples).toBe(1);
  });

  test("the count is the same for every chunking, and no event depends on it", () => {
    const law = fc.property(
      modelText,
      options,
      fc.constantFrom("```\n", "> ~~~\n", "So:\n```xml\n"),
      fc.nat(),
      (...given) => {
        const [input, chosen, before, seed] = given;
        const text = before + input;
        const examples = (chunks: string[]) => outcomeOf({ text: chunks }, chosen).report.fencedExamples;
        const whole = examples([text]);
        expect(examples(chunksOf(text, 1)), "one character a chunk").toBe(whole);
        expect(examples(randomChunks(text, seed)), `random cuts, seed ${seed}`).toBe(whole);
        if (chosen.mode === "off") expect(whole).toBe(0);
      },
    );
    fc.assert(law, { numRuns: 400 });
  });
});

describe("P5: what stands in a fence is looked at a bounded number of times", () => {
  test.each([...ADVERSARIAL, ...ADVERSARIAL_OPENERS])("$name", ({ make }) => {
    const input = `\`\`\`\`\`\`\n${make(40_000)}`;
    for (const text of [[input], chunksOf(input, 64), chunksOf(input, 4)]) {
      const { looks } = runSieve({ text }, { tools, mode: "feature_match" });
      expect(looks, `${text.length} chunks`).toBeLessThanOrEqual(4 * input.length);
    }
  });
});
