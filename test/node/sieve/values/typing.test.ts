import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/conversation.ts";
import { readToolSchema, type Shape } from "../../../../src/schema.ts";
import { typedJson } from "../../../../src/sieve/values/typing.ts";
import type { Origin } from "../../../../src/sieve/values/value.ts";
import faultsFile from "../../../cases/faults.jsonl?raw";
import rulesFile from "../../../cases/rules.jsonl?raw";

const shapeOf = (schema: unknown): Shape | undefined =>
  readToolSchema({ properties: { p: schema as Json } }).property("p");

/** `json` undefined: the value stays its own text, as a string, and is counted. */
type Row = [schema: unknown, text: string, json: string | undefined, origins?: Origin | undefined];

function judge([schema, text, json, only]: Row) {
  for (const origin of only ? [only] : (["bare", "string"] as const)) {
    const typed = typedJson(text, origin, shapeOf(schema));
    expect(typed, origin).toEqual({ json: json ?? JSON.stringify(text), fits: json !== undefined });
    expect(() => JSON.parse(typed.json)).not.toThrow();
  }
}

describe("V6: a plain string stays the very same characters", () => {
  const string = { type: "string" };
  test.each([
    "",
    " ",
    "0042",
    "02134",
    "1e5",
    "true",
    "null",
    '{"a":1}',
    '["a"]',
    '"quoted"',
    "  two\n lines \n",
    "<item>a</item>",
    "{'a': 1}",
    "\ud83d",
    "a\u0000b",
  ])("%j", (text) => {
    judge([string, text, JSON.stringify(text)]);
    judge([{ enum: ["none", "yes"] }, text, JSON.stringify(text)]);
    judge([{ allOf: [{ type: "STRING" }] }, text, JSON.stringify(text)]);
  });
});

describe("V6: CDATA is a string wherever the schema allows one", () => {
  test.each<Row>([
    [{ type: ["string", "null"] }, "null", '"null"'],
    [{ type: ["string", "integer"] }, "5", '"5"'],
    [{ type: ["string", "array"] }, '["a"]', '"[\\"a\\"]"'],
    [{ anyOf: [{ type: "object" }, { type: "string" }] }, "{}", '"{}"'],
    [{ enum: ["a", 5] }, "5", '"5"'],
    [{}, "5", '"5"'],
    [{}, "<a>1</a>", '"<a>1</a>"'],
    [undefined, "null", '"null"'],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json, "string"]));
});

describe("V6: booleans, in any case", () => {
  test.each<Row>([
    [{ type: "boolean" }, "true", "true"],
    [{ type: "boolean" }, "False", "false"],
    [{ type: "boolean" }, "\n TRUE\t", "true"],
    [{ type: "boolean" }, "1", undefined],
    [{ type: "boolean" }, "yes", undefined],
    [{ type: "boolean" }, "", undefined],
    [{ type: "boolean" }, '"true"', undefined],
    [{ type: "boolean" }, "null", undefined],
    [{ enum: [true] }, "True", "true"],
    [{ type: ["boolean", "null"] }, "null", "null"],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json]));
});

describe("V6: numbers keep their digits", () => {
  test.each<Row>([
    [{ type: "number" }, "30", "30"],
    [{ type: "number" }, "5.0", "5.0"],
    [{ type: "number" }, "1E-5", "1E-5"],
    [{ type: "number" }, " -0.10\r\n", "-0.10"],
    [{ type: "number" }, "12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"],
    [{ type: "number" }, "1e999", "1e999"],
    [{ type: "number" }, "007", undefined],
    [{ type: "number" }, "+1", undefined],
    [{ type: "number" }, "NaN", undefined],
    [{ type: "number" }, "1,5", undefined],
    [{ type: "number" }, '"5"', undefined],
    [{ type: "number" }, "5 apples", undefined],
    [{ type: "integer" }, "10", "10"],
    [{ type: "integer" }, "9007199254740993", "9007199254740993"],
    [{ type: "integer" }, "5.0", "5"],
    [{ type: "integer" }, "1e3", "1000"],
    [{ type: "integer" }, "1.5", undefined],
    [{ type: "integer" }, "true", undefined],
    [{ enum: [1, 2] }, "2", "2"],
    [{ type: "INTEGER" }, "2.0", "2"],
    [{ type: ["number", "integer"] }, "2.0", "2.0"],
    [{ type: ["integer", "null"] }, "null", "null"],
    [{ type: ["integer", "null"] }, "None", undefined],
    [{ type: "integer" }, "null", undefined],
    [{ type: "null" }, " null ", "null"],
    [{ type: "null" }, "", undefined],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json]));
});

describe("V6: arrays and objects", () => {
  const strings = { type: "array", items: { type: "string" } };
  test.each<Row>([
    [strings, '["a","b"]', '["a","b"]'],
    [strings, "[]", "[]"],
    [strings, "\n [ 1.0, 12345678901234567890 ]\n", "[ 1.0, 12345678901234567890 ]"],
    [{ type: "object" }, '{"k":{"n":1.50}}', '{"k":{"n":1.50}}'],
    [{ type: "object" }, '{"__proto__":{"a":1},"a":1,"a":2}', '{"__proto__":{"a":1},"a":1,"a":2}'],
    [{ type: "object" }, '{"a":"\ud83d"}', '{"a":"\\ud83d"}'],
    [{ properties: { n: { type: "integer" } } }, '{"n":"5"}', '{"n":"5"}'],
    [{ type: ["array", "object"] }, "{}", "{}"],
    [{ type: ["array", "null"] }, "null", "null"],
    [strings, "['a', 'b']", '["a","b"]'],
    [strings, "('a', 'b')", '["a","b"]'],
    [{ type: "object" }, "{'lang': 'ts', 'deep': [1, None, True]}", '{"lang":"ts","deep":[1,null,true]}'],
    [{ type: "object" }, '{"a": [1, 2,],}', '{"a":[1,2]}'],
    [{ type: "object" }, "[1]", undefined],
    [{ type: "object" }, "['a']", undefined],
    [strings, "{}", undefined],
    [strings, "{'a': 1}", undefined],
    [strings, "('a')", undefined],
    [strings, '"[1]"', undefined],
    [strings, "a, b", undefined],
    [strings, "", undefined],
    [strings, "[1, 2", undefined],
    [strings, "null", undefined],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json]));
});

describe("V6: nested elements", () => {
  const strings = { type: "array", items: { type: "string" } };
  const steps = {
    type: "array",
    items: {
      type: "object",
      properties: { title: { type: "string" }, done: { type: "boolean" }, n: { type: "integer" } },
    },
  };
  test.each<Row>([
    [strings, "<item>a</item>", '["a"]'],
    [strings, "<item>1</item>\n<item>null</item>", '["1","null"]'],
    [strings, "<item><![CDATA[<b>]]></item><item>&lt;b&gt;</item>", '["<b>","<b>"]'],
    [strings, "<item><b>bold</b></item>", '["<b>bold</b>"]'],
    [strings, "<item/><item></item>", '["",""]'],
    [steps, "<item><title><![CDATA[dig]]></title><done>true</done></item>", '[{"title":"dig","done":true}]'],
    [{ type: "array", items: { type: "integer" } }, "<item>5.0</item><item> 6 </item>", "[5,6]"],
    [{ type: "array", items: strings }, '<item><item>a</item></item><item>["b"]</item>', '[["a"],["b"]]'],
    [{ type: "array" }, "<item>1</item><item>x</item><item><![CDATA[1]]></item>", '[1,"x","1"]'],
    [{ type: "object" }, "<a>1</a><b>x</b>", '{"a":1,"b":"x"}'],
    [{ type: "object" }, "<item>1</item>", '{"item":1}'],
    [{ type: "object", additionalProperties: { type: "string" } }, "<a>1</a>", '{"a":"1"}'],
    [{ type: "object" }, "<__proto__>1</__proto__>", '{"__proto__":1}'],
    [{ type: "object" }, "<a>1</a><a>2</a>", '{"a":[1,2]}'],
    [{ properties: { a: strings } }, "<a>1</a><b>x</b><a>2</a>", '{"a":["1","2"],"b":"x"}'],
    [{ properties: { a: { type: "string" } } }, "<a>1</a><a>2</a>", undefined],
    [strings, "<a>1</a><a>2</a>", undefined],
    [strings, "<item>a</item> and <item>b</item>", undefined],
    [{ type: "integer" }, "<item>5</item>", undefined],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json]));

  test("one that does not fit is text in its place, and counted", () => {
    const text = "<item><title>0042</title><n>5.5</n></item>";
    expect(typedJson(text, "bare", shapeOf(steps))).toEqual({ json: '[{"title":"0042","n":"5.5"}]', fits: false });
  });

  test("sections that were unwrapped in the text are verbatim in its elements", () => {
    const text = "<item></item></item><item>5</item>";
    const marked = "<item><![CDATA[</item>]]></item><item><![CDATA[5]]></item>";
    expect(typedJson(text, "bare", shapeOf({ type: "array" }), marked).json).toBe('["</item>","5"]');
  });
});

describe("V6: beside a string, another member is taken when the whole text is of its type", () => {
  test.each<Row>([
    [{ type: ["string", "null"] }, "null", "null"],
    [{ type: ["string", "null"] }, " null\n", "null"],
    [{ type: ["string", "null"] }, "4", '"4"'],
    [{ type: ["string", "null"] }, "Null", '"Null"'],
    [{ type: ["string", "null"] }, "", '""'],
    [{ type: ["string", "integer"] }, "5", "5"],
    [{ type: ["string", "integer"] }, " 5 ", "5"],
    [{ type: ["string", "integer"] }, "0042", '"0042"'],
    [{ type: ["string", "integer"] }, "1.5", '"1.5"'],
    [{ type: ["string", "integer"] }, "5 apples", '"5 apples"'],
    [{ type: ["string", "integer"] }, '"5"', '"\\"5\\""'],
    [{ type: ["string", "number"] }, "1.50", "1.50"],
    [{ type: ["string", "boolean"] }, "True", "true"],
    [{ type: ["string", "boolean"] }, "truest", '"truest"'],
    [{ anyOf: [{ type: "string" }, { type: "array" }] }, '["a"]', '["a"]'],
    [{ anyOf: [{ type: "string" }, { type: "array" }] }, "{}", '"{}"'],
    [{ anyOf: [{ type: "string" }, { type: "object" }] }, ' {"a":1} ', '{"a":1}'],
    [{ anyOf: [{ type: "string" }, { type: "object" }] }, '{"a":1', '"{\\"a\\":1"'],
    // A repair is for where nothing else can be meant.
    [{ anyOf: [{ type: "string" }, { type: "object" }] }, "<p>hi</p>", '"<p>hi</p>"'],
    [{ anyOf: [{ type: "string" }, { type: "object" }] }, "{'a': 1}", `"{'a': 1}"`],
    [{ anyOf: [{ type: "string" }, { type: "array" }] }, "('a', 'b')", `"('a', 'b')"`],
    // Listed values decide.
    [{ enum: ["4", 5] }, "4", '"4"'],
    [{ enum: ["4", 5] }, "5", "5"],
    [{ enum: ["null", 4] }, "null", '"null"'],
    [{ enum: ["a", null] }, "null", "null"],
    [{ enum: ["true", 1, false] }, "true", '"true"'],
    [{ enum: ["[1]", [2]] }, "[1]", '"[1]"'],
    [{ enum: ["4.0", 4] }, "4.0", '"4.0"'],
    // Where a string and what it reads like are both listed, it is the latter: the string would come in CDATA.
    [{ enum: ["4", 4] }, "4", "4"],
    [{ enum: ["4", 4] }, " 4 ", "4"],
    [{ enum: ["null", null] }, "null", "null"],
    [{ enum: ["null"], type: "string", nullable: true }, "null", "null"],
    [{ enum: [true, "true"] }, "true", "true"],
    [{ enum: [true, "True"] }, "True", '"True"'],
    [{ enum: ["[1]", [1]] }, "[1]", "[1]"],
    [{ anyOf: [{ const: "4" }, { const: 4 }] }, "4", "4"],
    [{ anyOf: [{ const: "1" }, { const: "2" }] }, "1", '"1"'],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json, "bare"]));
});

describe("V7: without a schema", () => {
  test.each<Row>([
    [undefined, "5", "5"],
    [{}, "5", "5"],
    [{ description: "anything" }, " 1.50\n", "1.50"],
    [{ type: "any" }, "true", "true"],
    [{}, "null", "null"],
    [{}, '"hello"', '"hello"'],
    [{}, '{"a":[1.0]}', '{"a":[1.0]}'],
    [{}, "True", '"True"'],
    [{}, "0042", '"0042"'],
    [{}, "hello world", '"hello world"'],
    [{}, " hello ", '" hello "'],
    [{}, "", '""'],
    [{}, "{'a': 1}", `"{'a': 1}"`],
    [{}, "<item>1</item><item>x</item>", '[1,"x"]'],
    [{}, "<a><b>1</b></a>", '{"a":{"b":1}}'],
    [{}, "<p>see <b>this</b></p>", '{"p":"see <b>this</b>"}'],
    [{}, "see <b>this</b>", '"see <b>this</b>"'],
  ])("%j, %s: %s", (schema, text, json) => judge([schema, text, json, "bare"]));
});

describe("cases", () => {
  interface Line {
    id: string;
    tools: { name: string; parameters: JsonObject }[];
    input: string;
    expect: { calls: { arguments?: JsonObject; input?: JsonObject }[] };
  }
  const lines = `${faultsFile}\n${rulesFile}`
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));
  const ids = /^(?:(?:type|schema)-\d+|c29|c30)$/;
  const cases = lines.filter(({ id, expect }) => ids.test(id) && expect.calls.length > 0);

  test.each(cases.map((each) => [each.id, each] as const))("%s", (_id, { tools, input, expect: { calls } }) => {
    const [, name] = /<invoke name="(\w+)">/.exec(input) ?? [];
    const tool = readToolSchema(tools.find((each) => each.name === name)?.parameters);
    const parameters = [...input.matchAll(/<parameter name="(\w+)">([\s\S]*?)<\/parameter>/g)].map(
      ([, key = "", value = ""]) => {
        const section = /^<!\[CDATA\[([\s\S]*)\]\]>$/.exec(value);
        const typed = typedJson(section?.[1] ?? value, section ? "string" : "bare", tool.property(key));
        expect(typed.fits).toBe(true);
        return [key, JSON.parse(typed.json)];
      },
    );
    expect(Object.fromEntries(parameters)).toEqual(calls[0]?.arguments ?? calls[0]?.input);
  });
});
