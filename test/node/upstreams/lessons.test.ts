import { describe, expect, test } from "vitest";
import { lessonsOf, sentName } from "../../../src/upstreams/lessons.ts";
import { readRefusal } from "../../../src/upstreams/refusal.ts";

const BODY = {
  model: "m",
  messages: [{ role: "assistant", content: "", reasoning_content: "hm", reasoning: "hm" }],
  stream: true,
  max_tokens: 9,
  top_k: 3,
  reasoning_effort: "xhigh",
};

/** What a server teaches that answers with these words. */
async function learnt(words: string | object, { status = 400, body = BODY as object } = {}) {
  const text = typeof words === "string" ? JSON.stringify({ error: { message: words } }) : JSON.stringify(words);
  const refusal = await readRefusal(new Response(text, { status }), { model: "m", clientNamed: true });
  return lessonsOf(refusal, body as Record<string, unknown>);
}

describe("that reasoning has to be told", () => {
  test.each([
    "Missing `reasoning_content` field in the assistant message at message index 2. For more information, see the guide",
    "Missing reasoning_content field in the assistant message at message index 3",
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 7",
  ])("%s", async (words) => {
    expect(await learnt(words)).toEqual(["reasoning demanded"]);
  });

  test.each(["The field 'content' is missing. reasoning_content was given.", "`reasoning` is a word"])(
    "not: %s",
    async (words) => {
      expect(await learnt(words)).toEqual([]);
    },
  );
});

describe("that reasoning is not taken", () => {
  test.each<[string | object, string]>([
    [
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      "messages.reasoning_content",
    ],
    ["messages[2].reasoning: reasoning is not supported with this model", "messages.reasoning"],
    [
      {
        detail: [
          {
            type: "extra_forbidden",
            loc: ["body", "messages", 2, "assistant", "reasoning_content"],
            msg: "Extra inputs are not permitted",
          },
        ],
      },
      "messages.reasoning_content",
    ],
  ])("%j", async (words, lesson) => {
    expect(await learnt(words, { status: 422 })).toEqual([lesson]);
  });

  test("only where it was sent", async () => {
    const body = { ...BODY, messages: [{ role: "assistant", content: "" }, "odd"] };
    expect(await learnt("property 'reasoning_content' is unsupported", { body })).toEqual([]);
  });
});

describe("that a level of effort is not taken", () => {
  test.each<[string | object]>([
    ["Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model. Supported values are: 'low'."],
    ["reasoning_effort must be one of `none` or `default`"],
    ["reasoning_effort='xhigh' is not supported for this model. Must be one of (none, high)"],
    ["1 validation error for Request\nreasoning_effort\n Input should be 'low', 'medium' or 'high' [type=enum]"],
    ["Unrecognized request argument supplied: reasoning_effort"],
    ["Model grok-4 does not support parameter reasoningEffort."],
    ['invalid reasoning value: \'xhigh\' (must be "high", "medium", "low", "max", or "none")'],
    ['"granite4:3b" does not support thinking'],
    ['think value "xhigh" is not supported for this model'],
    [{ error: { message: "Unsupported value: 'xhigh'.", param: "reasoning_effort", code: "unsupported_value" } }],
    [
      {
        detail: [{ type: "extra_forbidden", loc: ["body", "reasoning_effort"], msg: "Extra inputs are not permitted" }],
      },
    ],
    ["'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low'\""],
  ])("%j", async (words) => {
    expect(await learnt(words)).toEqual(["reasoning_effort xhigh"]);
  });

  test("whatever the status", async () => {
    const words = 'think value "xhigh" is not supported for this model';
    expect(await learnt(words, { status: 500 })).toEqual(["reasoning_effort xhigh"]);
  });

  test.each<[number, string]>([
    [429, "You have used up what reasoning_effort 'xhigh' is allowed, and it is not available now."],
    [402, "reasoning_effort xhigh is not part of your credits"],
    [503, "reasoning_effort xhigh is not available: overloaded"],
    [404, "The model m with reasoning_effort xhigh does not exist"],
    [400, "The prompt is too long: reasoning_effort should be lower"],
  ])("a %i is about something else: %s", async (status, words) => {
    expect(await learnt(words, { status })).toEqual([]);
  });

  test("only where one was sent", async () => {
    const { reasoning_effort: _, ...body } = BODY;
    expect(await learnt('"granite4:3b" does not support thinking', { body })).toEqual([]);
  });
});

describe("that a field has another name", () => {
  test.each([
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "max_tokens is not supported here; use max_completion_tokens",
  ])("%s", async (words) => {
    const [lesson = "", ...others] = await learnt(words);
    expect([lesson, others]).toEqual(["max_tokens as max_completion_tokens", []]);
    expect(sentName("max_tokens", new Set([lesson]))).toBe("max_completion_tokens");
    expect(sentName("max_tokens", new Set())).toBe("max_tokens");
    expect(sentName("top_k", new Set([lesson]))).toBe("top_k");
  });

  test("without one it is dropped", async () => {
    expect(await learnt("'max_tokens' is not supported")).toEqual(["max_tokens"]);
  });

  test.each([
    "max_tokens is too large: 9. This model takes 4 completion tokens",
    "'max_tokens' must be at most 4, as 'max_completion_tokens'",
  ])("not: %s", async (words) => {
    expect(await learnt(words)).toEqual([]);
  });
});

test("several things at once", async () => {
  expect(await learnt("'top_k' is not supported. reasoning_effort must be one of low, high.")).toEqual([
    "reasoning_effort xhigh",
    "top_k",
  ]);
});

test.each([401, 500])("fields are not learnt of a %i", async (status) => {
  expect(await learnt("'top_k' is not supported", { status })).toEqual([]);
});
