import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusedFields, refusesTools } from "../../../src/upstreams/refusing-words.ts";

const SENT = ["model", "messages", "stream", "tools", "stream_options", "top_k", "seed", "stop", "user", "temperature"];
const refused = (body: unknown) => refusedFields(typeof body === "string" ? body : JSON.stringify(body), SENT);

const extra = (...loc: (string | number)[]) => ({
  type: "extra_forbidden",
  loc,
  msg: "Extra inputs are not permitted",
  input: 3,
});
const outOfRange = {
  type: "less_than_equal",
  loc: ["body", "temperature"],
  msg: "Input should be at most 2",
  input: 3,
};

describe("a field that is not taken", () => {
  test.each<[string, unknown, string[]]>([
    ["param and code", { error: { message: "No.", param: "top_k", code: "unknown_parameter" } }, ["top_k"]],
    ["a quoted word", { error: { message: "property 'top_k' is unsupported" } }, ["top_k"]],
    ["listed at the end", { error: { message: "Unrecognized request argument supplied: seed", code: null } }, ["seed"]],
    [
      "listed before the end of a sentence",
      { error: { message: "Unrecognized request arguments supplied: seed, user. Please contact us." } },
      ["seed", "user"],
    ],
    [
      "listed before something in brackets",
      { error: { message: "Unrecognized request argument supplied: stream_options (request id: 2024)" } },
      ["stream_options"],
    ],
    ["listed in a text", "unsupported fields: top_k", ["top_k"]],
    ["in backticks", { error: { message: "`seed` is not supported with this model" } }, ["seed"]],
    ["in double quotes", { error: { message: 'Unrecognized field "user" in the request.' } }, ["user"]],
    [
      "a value that no model of the kind takes",
      { error: { message: "Unsupported value: 'temperature' does not take 0.2 here.", param: "temperature" } },
      ["temperature"],
    ],
    ["a list of details", { detail: [extra("body", "top_k")] }, ["top_k"]],
    [
      "details in a message",
      { object: "error", message: { detail: [extra("body", "seed"), extra("body", "top_k")] } },
      ["top_k", "seed"],
    ],
    ["details as text", { message: JSON.stringify({ detail: [extra("body", "seed")] }) }, ["seed"]],
    [
      "details in Python's spelling",
      {
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'top_k'), 'msg': 'Extra inputs are not permitted', 'input': 3}]",
      },
      ["top_k"],
    ],
    [
      "an older spelling",
      { detail: [{ loc: ["body", "seed"], msg: "extra fields not permitted", type: "value_error.extra" }] },
      ["seed"],
    ],
    ["a member of it", { detail: [extra("body", "stream_options", "include_usage")] }, ["stream_options"]],
    ["a list that is closed", { error: "Additional properties are not allowed ('seed' was unexpected)" }, ["seed"]],
    ["no JSON", "unknown field `top_k` at line 1", ["top_k"]],
  ])("%s", (_shape, body, fields) => {
    expect(refused(body)).toEqual(fields);
  });
});

describe("anything else", () => {
  test.each<[string, unknown]>([
    ["a bare word", { error: { message: "Unrecognized: top_k" } }],
    ["a bare word behind a parameter", { error: { message: "Unsupported parameter: user names are not known" } }],
    ["one in a list with a core field", { error: { message: "Unrecognized request arguments supplied: tools, user" } }],
    ["an English word", { error: { message: "The user is unknown, please stop." } }],
    ["a value out of its range", { error: { message: "'temperature' must be at most 2", param: "temperature" } }],
    ["one beside another that is not taken", { detail: [outOfRange, extra("body", "best_of")] }],
    ["two sentences", { error: { message: "'seed' must be a number. Unknown errors are told here." } }],
    ["a core field", { error: { message: "'tools' is not supported", param: "tools" } }],
    ["what stands in a message", { detail: [extra("body", "messages", 0, "user", "name")] }],
    ["a field that was not sent", { error: { message: "'verbosity' is not supported" } }],
    ["nothing", ""],
  ])("is none: %s", (_what, body) => {
    expect(refused(body)).toEqual([]);
  });

  test("whatever is said, only fields that were sent are dropped, and never those that make the request", () => {
    const word = fc.constantFrom(
      ...SENT,
      "unknown",
      "unsupported",
      "extra_forbidden",
      "is",
      "'",
      '"',
      "`",
      ".",
      " ",
      "}",
      "{",
    );
    fc.assert(
      fc.property(fc.array(word), fc.string(), (words, tail) => {
        for (const field of refused(words.join("") + tail)) {
          expect(SENT.slice(4)).toContain(field);
        }
      }),
    );
  });
});

describe("a server that takes no tools", () => {
  const NATIVE = [...SENT, "tool_choice"];

  test.each([
    "llama3 does not support tools",
    "registry.ollama.ai/library/gemma3:latest does not support tools",
    "Unsupported param: tools",
    "tools param requires --jinja flag",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "No endpoints found that support tool use. To learn more about provider routing, visit: https://host/docs",
    "`tool calling` is not supported with this model",
    "This model does not support function calling.",
    "'tools' is not supported, and neither is 'tool_choice'",
    "'tool_choice' is not supported. This model does not support tools.",
  ])("says so: %s", (message) => {
    expect(refusesTools(JSON.stringify({ error: { message } }), NATIVE)).toBe(true);
  });

  test.each([
    "tools.0.function.name is required",
    "Tool calls need results behind them. Images are not supported.",
    "temperature is not supported",
    "'tool_choice' is not supported with this model",
    "`stop` is not supported where tools are given",
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    "The model could not be loaded",
  ])("does not: %s", (message) => {
    expect(refusesTools(JSON.stringify({ error: { message } }), NATIVE)).toBe(false);
  });
});
