import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Conversation, JsonSchema, Part, Tool, Turn } from "../../../src/conversation.ts";
import type { WrittenCall } from "../../../src/dialects/dialect.ts";
import type { UpstreamEvent } from "../../../src/reply.ts";
import { createBodyReader } from "../../../src/stream/body-reader.ts";
import { createDecode } from "../../../src/upstreams/decode.ts";
import { makeArguments } from "../../../src/upstreams/demo/make-arguments.ts";
import { readWords } from "../../../src/upstreams/demo/words.ts";
import { createDemo } from "../../../src/upstreams/demo.ts";
import type { UpstreamRequest } from "../../../src/upstreams/upstream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A notation as plain as can be: a mark, then the calls as JSON. */
const MARK = "CALLS ";
const WRITER = { calls: (calls: readonly WrittenCall[]) => MARK + JSON.stringify(calls), results: () => "" };

const tool = (name: string, description: string, properties: object, required?: string[]): Tool => ({
  name,
  description,
  parameters: { type: "object", properties, ...(required && { required }) } as JsonSchema,
});
const WEATHER = tool(
  "get_weather",
  "Current weather of a city",
  { city: { type: "string" }, unit: { enum: ["celsius", "fahrenheit"] } },
  ["city"],
);
const READ = tool("read_file", "Read a file", { path: { type: "string" }, lines: { type: "integer", minimum: 10 } }, [
  "path",
  "lines",
]);
const TOOLS = [WEATHER, READ];

const user = (text: string): Turn => ({ role: "user", parts: [{ type: "text", text }] });
const called = (id: string, name: string): Turn => ({
  role: "assistant",
  parts: [{ type: "tool-call", id, name, input: {} }],
});
const result = (callId: string, text: string, more: Partial<Part & { type: "tool-result" }> = {}): Turn => ({
  role: "user",
  parts: [{ type: "tool-result", callId, failed: false, parts: [{ type: "text", text }], ...more }],
});

function converse(turns: Turn[], more: Partial<Conversation> = {}): Conversation {
  return {
    model: "demo",
    system: "",
    turns,
    tools: TOOLS,
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    sampling: {},
    reasoning: { expose: false },
    stream: true,
    ...more,
  };
}

async function ask(conversation: Conversation, more: Partial<UpstreamRequest> = {}) {
  const request = {
    model: "demo",
    clientNamed: true,
    messages: [{ role: "user" as const, content: "two words" }],
    sampling: {},
    stop: [],
    ...more,
  };
  const { body } = await createDemo(conversation, WRITER).open(request, new AbortController().signal);
  const events: UpstreamEvent[] = [];
  let reads = 0;
  const decode = createDecode(
    { promptTokens: () => 0, maxCharacters: 1e6, maxCalls: 10, maxHeld: 1e6, lenientEof: false, stop: [] },
    (event) => events.push(event),
  );
  const reader = createBodyReader({ event: 1e6, collected: 1e6 }, decode.push);
  const read = (async () => {
    for await (const bytes of body) {
      reads += 1;
      reader.push(bytes);
    }
  })();
  await vi.runAllTimersAsync();
  await read;
  reader.end();
  decode.end();
  const text = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
  return { events, reads, text, calls: callsOf(text) };
}

const callsOf = (text: string): WrittenCall[] =>
  text.includes(MARK) ? JSON.parse(text.slice(text.indexOf(MARK) + MARK.length)) : [];

describe("the demo model, asked with tools", () => {
  test.each<[string, WrittenCall[]]>([
    ["What is the weather in Paris?", [{ name: "get_weather", input: { city: "Paris" } }]],
    ["weather in paris, in fahrenheit", [{ name: "get_weather", input: { city: "paris", unit: "fahrenheit" } }]],
    [
      "Weather in New York and London?",
      [
        { name: "get_weather", input: { city: "New York" } },
        { name: "get_weather", input: { city: "London" } },
      ],
    ],
    ["Read 25 lines of src/app.ts", [{ name: "read_file", input: { path: "src/app.ts", lines: 25 } }]],
    ["Read 'my notes'", [{ name: "read_file", input: { path: "my notes", lines: 10 } }]],
    [
      "Read a.md, and tell the weather in Rome",
      [
        { name: "get_weather", input: { city: "Rome" } },
        { name: "read_file", input: { path: "a.md", lines: 10 } },
      ],
    ],
  ])("%s", async (question, calls) => {
    const answer = await ask(converse([user(question)]));
    expect(answer.calls).toEqual(calls);
    expect(answer.text).toMatch(/^I will use /);
  });

  test("natively, calls natively", async () => {
    const native = { tools: TOOLS, choice: { mode: "auto" as const }, parallel: true };
    const conversation = converse([user("Weather in New York and London?")]);
    const { text, events } = await ask(conversation, { native });
    expect(text).toBe("I will use two calls for this.");
    expect(events.flatMap((event) => (event.type === "native-call" ? [event.json] : []))).toEqual([
      '{"city":"New York"}',
      '{"city":"London"}',
    ]);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "tool" });
    const cut = await ask(conversation, { native, sampling: { maxTokens: 2 } });
    expect(cut.events.map(({ type }) => type)).not.toContain("native-call");
    expect(cut.events.at(-1)).toEqual({ type: "finish", reason: "length" });
  });

  test("calls something even where nothing fits", async () => {
    expect((await ask(converse([user("hi")]))).calls).toHaveLength(1);
  });

  test("obeys tool_choice and parallel_tool_calls", async () => {
    const turns = [user("Weather in New York and London?")];
    expect((await ask(converse(turns, { toolChoice: { mode: "none" } }))).calls).toEqual([]);
    const only = { mode: "required" as const, only: ["read_file"] };
    expect((await ask(converse(turns, { toolChoice: only }))).calls[0]?.name).toBe("read_file");
    expect((await ask(converse(turns, { parallelToolCalls: false }))).calls).toHaveLength(1);
  });

  test("makes arguments of every type", async () => {
    const parameters: JsonSchema = {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "string" } },
        nested: { type: "object", properties: { flag: { type: "boolean" } }, required: ["flag"] },
        choice: { enum: ["x", "y"] },
        preset: { type: "string", default: "d" },
        nothing: { type: "null" },
        either: { anyOf: [{ type: "number", maximum: 5 }, { type: "string" }] },
        nullable: { type: ["null", "integer"] },
        anything: {},
      },
    };
    const { calls } = await ask(converse([user("go 7 8")], { tools: [{ name: "f", parameters }] }));
    expect(calls[0]?.input).toEqual({
      list: ["go"],
      nested: { flag: true },
      choice: "x",
      preset: "d",
      nothing: null,
      either: 5,
      nullable: 8,
      anything: "go 7 8",
    });
  });

  test("a schema that holds itself, or none, comes to an end", async () => {
    const recursive: JsonSchema = {
      type: "object",
      properties: { child: { $ref: "#" }, children: { type: "array", items: { $ref: "#" } } },
    };
    for (const parameters of [recursive, true, {}]) {
      expect((await ask(converse([user("go")], { tools: [{ name: "f", parameters }] }))).calls).toHaveLength(1);
    }
  });
});

describe("a schema that asks for too much", () => {
  const keyed = (count: number, property: JsonSchema) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, property]));
  const CHARACTERS = 100_000;

  test.each<[string, JsonSchema]>([
    ["branches at every level", { type: "object", properties: keyed(300, { $ref: "#" }) }],
    [
      "branches through lists",
      { type: "object", properties: keyed(300, { type: "array", items: { anyOf: [{ $ref: "#" }] } }) },
    ],
    [
      "requires a few of many",
      {
        type: "object",
        properties: keyed(300, { $ref: "#" }),
        required: ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"],
      },
    ],
    [
      "has one long default everywhere",
      { type: "object", properties: keyed(300, { $ref: "#/$defs/d" }), $defs: { d: { default: "x".repeat(20_000) } } },
    ],
    [
      "has one long list of values everywhere",
      {
        type: "object",
        properties: keyed(300, { $ref: "#/$defs/d" }),
        $defs: { d: { enum: Array.from({ length: 1_000 }, (_, index) => `${index}`.repeat(50)) } },
      },
    ],
    [
      "has long names that come again",
      { type: "object", properties: { ["x".repeat(9_000)]: {}, ...keyed(20, { $ref: "#" }) } },
    ],
  ])("and %s is filled in as far as the budget goes", (_how, parameters) => {
    const input = makeArguments(parameters, readWords("go"));
    expect(Object.keys(input)).not.toEqual([]);
    expect(JSON.stringify(input).length).toBeLessThan(CHARACTERS);
  });
});

describe("the demo model, answering", () => {
  test("uses the results of tools, and calls nothing", async () => {
    const turns = [user("weather?"), called("c1", "get_weather"), result("c1", "18 degrees", { name: "get_weather" })];
    const { text, calls } = await ask(converse(turns));
    expect(text).toContain("get_weather answered: 18 degrees");
    expect(calls).toEqual([]);
  });

  test("keeps what a tool sent in a code span on one line", async () => {
    const turns = [
      user("go"),
      called("c1", "f"),
      result("c1", `a\`b\n\n${"x".repeat(500)}`, { name: "f", failed: true }),
    ];
    const { text } = await ask(converse(turns));
    expect(text).toMatch(/^Here is what came back\. `f failed with: a b x+ …`\.$/);
  });

  test("says what it is where there are no tools", async () => {
    expect((await ask(converse([user("hi")], { tools: [] }))).text).toContain("demo model");
  });

  test("keeps to a format that was asked for", async () => {
    const json = await ask(converse([user("hi")], { tools: [], responseFormat: { type: "json" } }));
    expect(JSON.parse(json.text)).toHaveProperty("answer");
    const schema: JsonSchema = { type: "object", properties: { n: { type: "integer" } } };
    const typed = await ask(
      converse([user("hi")], { tools: [], responseFormat: { type: "json-schema", name: "s", schema } }),
    );
    expect(JSON.parse(typed.text)).toEqual({ n: 1 });
  });
});

describe("the echo model", () => {
  const markup = "  <tool_calls>\r\n😀é [x]  ";

  test("says what the user said last, byte for byte", async () => {
    expect((await ask(converse([user("before"), user(markup)]), { model: "echo" })).text).toBe(markup);
  });

  test("says what a tool answered where the user said nothing", async () => {
    const turns = [user(markup), called("c1", "f"), result("c1", "done")];
    expect((await ask(converse(turns), { model: "echo" })).text).toBe("done");
  });

  test("has nothing to say to nobody", async () => {
    const { events } = await ask(converse([]), { model: "echo" });
    expect(events.map((event) => event.type)).toEqual(["usage", "finish"]);
  });
});

describe("its stream", () => {
  test("comes in pieces of about a token, and is the same every time", async () => {
    const conversation = converse([user("What is the weather in Paris?")]);
    const [first, second] = [await ask(conversation), await ask(conversation)];
    expect(first.reads).toBeGreaterThan(first.text.length / 5);
    expect(first.events).toEqual(second.events);
  });

  test("never cuts a character in two", async () => {
    const text = "a😀b😀😀cde😀".repeat(5);
    const { events } = await ask(converse([user(text)]), { model: "echo" });
    for (const event of events) if (event.type === "text") expect(event.text.isWellFormed()).toBe(true);
  });

  test("counts its tokens", async () => {
    const { events } = await ask(converse([user("one two three")]), { model: "echo" });
    expect(events.at(-2)).toEqual({ type: "usage", usage: { input: 6, output: 3 } });
  });

  test("is cut at the most tokens and at stop strings", async () => {
    const turns = [user("one two three four")];
    const short = await ask(converse(turns), { model: "echo", sampling: { maxTokens: 2 } });
    expect([short.text, short.events.at(-1)]).toEqual(["one two ", { type: "finish", reason: "length" }]);
    expect(short.events.at(-2)).toMatchObject({ type: "usage", usage: { output: 2 } });
    const stopped = await ask(converse(turns), { model: "echo", stop: ["zz", "r", "ee"] });
    expect([stopped.text, stopped.events.at(-1)]).toEqual(["one two th", { type: "finish", reason: "stop" }]);
  });

  test("stops when it is cancelled, and does not begin for a client that is gone", async () => {
    const { body } = await createDemo(converse([user("hi")]), WRITER).open(
      { model: "echo", clientNamed: true, messages: [], sampling: {}, stop: [] },
      new AbortController().signal,
    );
    await body.cancel();
    const request = { model: "echo", clientNamed: true, messages: [], sampling: {}, stop: [] };
    await expect(createDemo(converse([]), WRITER).open(request, AbortSignal.abort("gone"))).rejects.toBe("gone");
  });
});
