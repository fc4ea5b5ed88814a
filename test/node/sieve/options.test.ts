import { describe, expect, test } from "vitest";
import { createSieve, parseToolCalls, type SieveOptions } from "../../../src/sieve/index.ts";

/** As a program without types may give them. */
const given = (options: unknown) => options as SieveOptions;

describe("a word that an option does not take is told, with those that it takes", () => {
  test.each([
    ["mode", "cannonical", "off, canonical, feature_match"],
    ["earlyEmit", "medium", "high, low, off"],
    ["undeclared", "drop", "pass, text"],
    ["malformed", true, "text, drop"],
    ["reasoningCalls", "always", "when_answer_empty, never"],
    ["fenced", null, "text, sole"],
    ["afterCalls", 1, "keep, end"],
  ])("%s", (name, value, legal) => {
    const options = given({ tools: [], [name]: value });
    const error = new RangeError(`The option \`${name}\` takes ${legal}, not ${JSON.stringify(value)}.`);
    expect(() => createSieve(options)).toThrow(error);
  });

  test("a dialect that is none", () => {
    expect(() => createSieve({ tools: [], dialects: ["hermes", "hermès"] })).toThrow(RangeError);
  });
});

test.each([undefined, {}, { tools: undefined }, { tools: "ping" }])("without a list of tools: %j", (options) => {
  expect(() => parseToolCalls("", given(options))).toThrow(
    new TypeError("The option `tools` has to be a list of tools."),
  );
});

test("undefined is the default", () => {
  const options = given({ tools: [{ name: "ping" }], mode: undefined, earlyEmit: undefined, fenced: undefined });
  expect(parseToolCalls('<tool_calls><invoke name="ping"/></tool_calls>', options)).toHaveLength(1);
});
