import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";
import { describe, expect, test } from "vitest";
import { askInWords } from "../../../src/asking.ts";
import type { Conversation, Json, JsonObject, JsonSchema, Tool } from "../../../src/conversation.ts";
import { findTaught, taughtNames } from "../../../src/dialects/all.ts";
import type { TaughtDialect } from "../../../src/dialects/dialect.ts";
import { createQuoting, type Quoting } from "../../../src/prompt/quoting.ts";
import { describeTools } from "../../../src/prompt/tool-docs.ts";
import { createUnquote } from "../../../src/prompt/unquote.ts";
import type { StageEvent } from "../../../src/reply.ts";
import { createSieve, parseToolCalls } from "../../../src/sieve/index.ts";
import { assistant, call, conversationOf, result, text, tools, user, wordsOf } from "../prompt/conversations.ts";
import { hostileText } from "../prompt/hostile-text.ts";
import { TAUGHT, TAUGHT_BY_ID } from "./taught-dialects.ts";

const quotingOfNothing = createQuoting([]);
const encoder = new Tiktoken(o200k);

function ask(dialect: TaughtDialect, asked: Partial<Conversation>) {
  const { request, quoting } = askInWords(conversationOf(asked), dialect, { form: "signatures" }, []);
  if (!quoting) throw new Error("nothing is quoted");
  return { messages: request.messages.map(wordsOf), quoting };
}

/** What a client gets when the model says this. */
function answer(said: string, dialect: TaughtDialect, quoting: Quoting, tools: readonly Tool[]) {
  const calls: { name: string; json: string }[] = [];
  let shown = "";
  const unquote = createUnquote({ quoting }, (event) => {
    if (event.type === "text") shown += event.text;
    if (event.type === "call-start") calls.push({ name: event.name, json: "" });
    const last = calls.at(-1);
    if (event.type === "call-arguments" && last) last.json += event.json;
  });
  const sieve = createSieve({ tools, dialects: [dialect.id] });
  for (const event of [...sieve.push(said), ...sieve.end()]) unquote.push(event as StageEvent);
  unquote.push({ type: "finish", reason: "stop" });
  return { shown, calls: calls.map(({ name, json }) => ({ name, input: JSON.parse(json) as JsonObject })) };
}

/** JSON has no -0. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const PARAMETERS: [string, JsonSchema, fc.Arbitrary<Json>][] = [
  ["text", { type: "string" }, hostileText],
  ["looks", { type: "string" }, fc.constantFrom("4", "true", "null", "[]", "", " a ", '"x"', "'", "a\nb", "\\n")],
  ["count", { type: "integer" }, fc.integer()],
  ["ratio", { type: "number" }, fc.double({ noNaN: true, noDefaultInfinity: true })],
  ["on", { type: "boolean" }, fc.boolean()],
  ["-n", { type: "boolean" }, fc.boolean()],
  ["$filter", { type: "string" }, fc.constantFrom("a eq 'b'", "-n=1, $x=2")],
  ["list", { type: "array", items: { type: "string" } }, fc.array(hostileText, { maxLength: 3 })],
  [
    "object",
    { type: "object" },
    fc.dictionary(fc.constantFrom("a", "b_c"), fc.oneof(hostileText, fc.constantFrom(null, 1, [])), { maxKeys: 2 }),
  ],
];

const declared: Tool[] = ["Read", "a.b-c", "größe"].map((name) => ({
  name,
  parameters: { type: "object", properties: Object.fromEntries(PARAMETERS.map(([key, schema]) => [key, schema])) },
}));

const made = fc.array(
  fc.record({
    name: fc.constantFrom(...declared.map(({ name }) => name)),
    input: fc.record(Object.fromEntries(PARAMETERS.map(([key, , values]) => [key, values])), { requiredKeys: [] }),
  }),
  { minLength: 1, maxLength: 3 },
) as fc.Arbitrary<{ name: string; input: JsonObject }[]>;

function quoted(value: Json, quoting: Quoting): Json {
  if (typeof value === "string") return quoting.quote(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => quoted(item, quoting));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, quoted(item, quoting)]));
}

describe.each(TAUGHT_BY_ID)("%s", (_id, dialect) => {
  const { heading } = describeTools([], { form: "signatures" }, quotingOfNothing);
  const fixed = `${heading}\n\n${dialect.teach.before}${dialect.teach.after}`;
  const { quoting } = ask(dialect, {});

  test("takes at most 300 tokens beside the list of tools", () => {
    expect(encoder.encode(fixed, [], []).length).toBeLessThanOrEqual(300);
  });

  test("does not name what results stand in", () => {
    for (const mark of [...(dialect.results ?? []), "<tool_result"]) expect(fixed).not.toContain(mark);
  });

  test("shows the form as it is written, with a name that is none", () => {
    expect(fixed).toContain("$TOOL");
    expect(fixed).not.toContain("12345");
  });

  test("reads back the calls of its own history, whatever their values, and what is said beside them", () => {
    fc.assert(
      fc.property(made, (calls) => {
        const carried = calls.every(({ name, input }) => {
          const sent = { name: quoting.quote(name), input: quoted(input, quoting) as JsonObject };
          return dialect.write.carries?.(sent) ?? true;
        });
        fc.pre(carried);
        const parts = calls.map(({ name, input }, index) => call(`c${index}`, name, input));
        const { messages } = ask(dialect, { turns: [user(text("go")), assistant(text("I look."), ...parts)] });
        const { shown, calls: read } = answer(messages[1] ?? "", dialect, quoting, declared);
        expect(read).toEqual(plain(calls));
        expect(shown.trim()).toBe("I look.");
      }),
    );
  });

  test("calls nothing by what the model is told, whole or line by line", () => {
    fc.assert(
      fc.property(tools, (declared) => {
        const [system = ""] = ask(dialect, { tools: declared }).messages;
        // The signature of a tool without parameters is, alone, a call in Python.
        const signatures = new Set(declared.map(({ name }) => `${name}()`));
        for (const said of [system, ...system.split("\n").filter((line) => !signatures.has(line))]) {
          expect(parseToolCalls(said, { tools: declared, dialects: [dialect.id] }), said).toEqual([]);
        }
      }),
    );
  });

  test("calls nothing by its results, whatever they hold", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (a, b) => {
        const turns = [assistant(call("a", "Read"), call("b", "Read")), user(result("b", b), result("a", a))];
        const said = ask(dialect, { turns }).messages[1] ?? "";
        expect(parseToolCalls(said, { tools: declared, dialects: [dialect.id] })).toEqual([]);
      }),
    );
  });
});

const CALLS = [
  { name: "get_weather", input: { city: 'Oslo\'s "bay"', days: 2 } },
  { name: "ping", input: {} },
];

test.each([
  [
    "hermes",
    `<tool_call>
{"name": "get_weather", "arguments": {"city": "Oslo's \\"bay\\"", "days": 2}}
</tool_call>
<tool_call>
{"name": "ping", "arguments": {}}
</tool_call>`,
  ],
  [
    "qwen3_coder",
    `<tool_call>
<function=get_weather>
<parameter=city>
Oslo's "bay"
</parameter>
<parameter=days>
2
</parameter>
</function>
</tool_call>
<tool_call>
<function=ping>
</function>
</tool_call>`,
  ],
  [
    "glm45",
    `<tool_call>get_weather
<arg_key>city</arg_key>
<arg_value>Oslo's "bay"</arg_value>
<arg_key>days</arg_key>
<arg_value>2</arg_value>
</tool_call>
<tool_call>ping
</tool_call>`,
  ],
  [
    "glm47",
    '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo\'s "bay"</arg_value><arg_key>days</arg_key><arg_value>2</arg_value></tool_call><tool_call>ping</tool_call>',
  ],
  [
    "exaone4",
    `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo's \\"bay\\"", "days": 2}}</tool_call>
<tool_call>{"name": "ping", "arguments": {}}</tool_call>`,
  ],
  [
    "xlam",
    `[{"name": "get_weather", "arguments": {"city": "Oslo's \\"bay\\"", "days": 2}}, {"name": "ping", "arguments": {}}]`,
  ],
  [
    "minimax_m1",
    `<tool_calls>
{"name": "get_weather", "arguments": {"city": "Oslo's \\"bay\\"", "days": 2}}
{"name": "ping", "arguments": {}}
</tool_calls>`,
  ],
  [
    "deepseek_v31",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo\'s \\"bay\\"", "days": 2}<｜tool▁call▁end｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "deepseek_v4",
    `<｜DSML｜tool_calls>
<｜DSML｜invoke name="get_weather">
<｜DSML｜parameter name="city" string="true">Oslo's "bay"</｜DSML｜parameter>
<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
</｜DSML｜invoke>
<｜DSML｜invoke name="ping">
</｜DSML｜invoke>
</｜DSML｜tool_calls>`,
  ],
  [
    "minimax_m2",
    `<minimax:tool_call>
<invoke name="get_weather">
<parameter name="city">Oslo's "bay"</parameter>
<parameter name="days">2</parameter>
</invoke>
<invoke name="ping">
</invoke>
</minimax:tool_call>`,
  ],
  [
    "llama3_json",
    '{"name": "get_weather", "parameters": {"city": "Oslo\'s \\"bay\\"", "days": 2}}; {"name": "ping", "parameters": {}}',
  ],
  ["pythonic", "[get_weather(city='Oslo\\'s \"bay\"', days=2), ping()]"],
  ["lfm2", "<|tool_call_start|>[get_weather(city='Oslo\\'s \"bay\"', days=2), ping()]<|tool_call_end|>"],
  ["olmo3", '<function_calls>\nget_weather(city="Oslo\'s \\"bay\\"", days=2)\nping()\n</function_calls>'],
])("calls of %s, to the byte", (name, written) => {
  expect(findTaught(name)?.write.calls(CALLS)).toBe(written);
});

const FRAME = `<tool_results>
<result n="1" tool="a">
one
</result>
<result n="2" tool="b" status="error">
two
</result>
<result n="3" tool="c" status="missing">
</result>
<result n="?" tool="d">
late
</result>
</tool_results>`;
const responses = (...texts: string[]) => texts.map((text) => `<tool_response>\n${text}\n</tool_response>`).join("\n");
const TEXTS = ["one", "[error]\ntwo", "[no result]", "[result of d]\nlate"];

test.each([
  ["canonical", FRAME],
  ["llama3_json", FRAME],
  ["hermes", responses(...TEXTS)],
  ["qwen3_coder", responses(...TEXTS)],
  ["glm45", responses(...TEXTS)],
  ["deepseek_v31", TEXTS.map((text) => `<｜tool▁output▁begin｜>${text}<｜tool▁output▁end｜>`).join("")],
  [
    "deepseek_v32",
    `<function_results>\n${TEXTS.map((text) => `<result>${text}</result>`).join("\n")}\n</function_results>`,
  ],
  ["minimax_m2", TEXTS.map((text) => `<response>${text}</response>`).join("\n")],
])("results of %s, to the byte", (name, written) => {
  const results = findTaught(name)?.write.results([
    { ordinal: 1, name: "a", status: "ok", text: "one" },
    { ordinal: 2, name: "b", status: "error", text: "two" },
    { ordinal: 3, name: "c", status: "missing", text: "" },
    { name: "d", status: "ok", text: "late" },
  ]);
  expect(results).toBe(written);
});

/** MiniMax's own sign of a turn of results stands before its envelope, and its envelope alone says nothing: any XML has it. */
test.each(TAUGHT.filter(({ id }) => id !== "minimax_m2").map((dialect) => [dialect.id, dialect] as const))(
  "results of %s begin with its first mark of results",
  (_id, { results = [], write }) => {
    const written = write.results([{ ordinal: 1, name: "a", status: "ok", text: "x" }]);
    expect(written.startsWith(results[0] ?? "nothing")).toBe(true);
  },
);

test.each([
  ["hermes", "hermes"],
  ["granite4", "hermes"],
  ["llama3_json", "bare_json"],
  ["glm47", "glm47"],
  ["deepseek_v32", "deepseek_v32"],
  ["deepseek_v4", "dsml"],
])("%s is taught as %s", (name, id) => {
  expect(findTaught(name)?.id).toBe(id);
});

test("every name that can be taught is one of the sieve's", () => {
  const names = taughtNames();
  expect(names.filter((name) => !findTaught(name))).toEqual([]);
  expect(TAUGHT.filter(({ id }) => !names.includes(id))).toEqual([]);
});

test("what cannot be taught is not found", () => {
  expect([findTaught("kimi_k2"), findTaught("nothing")]).toEqual([undefined, undefined]);
});
