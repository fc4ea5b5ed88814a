import { describe, expect, test } from "vitest";
import type { Conversation, JsonObject, Part, ResponseFormat } from "../../src/conversation.ts";
import { planExchange } from "../../src/plan.ts";
import { loadConfig } from "../../src/tenants/variables.ts";
import { conversationOf, text, user } from "./prompt/conversations.ts";

function configured(env: object) {
  const { config } = loadConfig(env);
  if (!config) throw new Error("the configuration is invalid");
  return config;
}

const config = configured({});
const tool = { name: "ping", parameters: {} };
const image: Part = { type: "media", mediaType: "image/png", data: "AAAA" };
const result = (...parts: Part[]): Part => ({ type: "tool-result", callId: "c1", failed: false, parts });

function plan(fields: Partial<Conversation>, parts: Part[], settings = config) {
  return planExchange(settings, conversationOf({ turns: [user(text("hi"), ...parts)], ...fields }));
}

describe("asked natively", () => {
  const native = configured({ TOOLCALL_TEACH: "native" });
  const other = { name: "pong", parameters: {} };
  const choice = (toolChoice: Conversation["toolChoice"], fields: Partial<Conversation> = {}) =>
    plan({ tools: [tool, other], toolChoice, ...fields }, [], native).upstream.native;

  test("tools go upstream, the format with them, and no word of either stands in the prompt", () => {
    const responseFormat = { type: "json" as const };
    const { upstream, sieve, quoting, warnings } = plan({ tools: [tool], responseFormat }, [], native);
    expect(upstream).toMatchObject({
      messages: [{ role: "user", content: "hi" }],
      native: { tools: [tool], choice: { mode: "auto" }, parallel: true },
      responseFormat,
    });
    expect(sieve.tools).toEqual([tool]);
    expect([quoting, warnings]).toEqual([undefined, []]);
  });

  test("with calls switched off they go upstream all the same, but none is looked for in the text", () => {
    const off = configured({ TOOLCALL_TEACH: "native", TOOLCALL_MODE: "off" });
    const { upstream, sieve } = plan({ tools: [tool] }, [], off);
    expect(upstream.native?.tools).toEqual([tool]);
    expect([sieve.mode, sieve.tools]).toEqual(["off", []]);
  });

  test.each<[string, Conversation["toolChoice"], object]>([
    ["any tool", { mode: "required" }, { tools: [tool, other], choice: { mode: "required" } }],
    [
      "one tool",
      { mode: "required", only: ["pong"] },
      { tools: [tool, other], choice: { mode: "required", only: "pong" } },
    ],
    [
      "one of several",
      { mode: "required", only: ["pong", "ping"] },
      { tools: [tool, other], choice: { mode: "required" } },
    ],
    ["one if any", { mode: "auto", only: ["pong"] }, { tools: [other], choice: { mode: "auto" } }],
    ["whatever it likes: the set is empty", { mode: "auto", only: [] }, { tools: [tool, other] }],
  ])("is asked to call %s", (_what, toolChoice, expected) => {
    expect(choice(toolChoice)).toMatchObject({ ...expected, parallel: true });
  });

  test("one call at most", () => {
    expect(choice({ mode: "auto" }, { parallelToolCalls: false })).toMatchObject({ parallel: false });
  });

  test("where calls are forbidden the tools stay as long as the history uses them", () => {
    expect(choice({ mode: "none" })).toBeUndefined();
    const turns = [
      { role: "assistant" as const, parts: [{ type: "tool-call" as const, id: "c", name: "ping", input: {} }] },
    ];
    expect(choice({ mode: "none" }, { turns })).toMatchObject({ tools: [tool, other], choice: { mode: "none" } });
  });

  test("its prompt's tokens count the tools and the calls", () => {
    const turns = (input: object): Conversation["turns"] => [
      { role: "assistant", parts: [{ type: "tool-call", id: "c", name: "ping", input: input as JsonObject }] },
    ];
    const tokens = (fields: Partial<Conversation>) => plan(fields, [], native).promptTokens();
    const short = tokens({ turns: turns({}) });
    expect(tokens({ turns: turns({ text: "many words in a row" }) })).toBeGreaterThan(short);
    expect(tokens({ turns: turns({}), tools: [tool] })).toBeGreaterThan(short);
  });
});

describe("the notation that is taught", () => {
  const taught = (env: object, model = "m", fields: Partial<Conversation> = {}) => {
    const { dialect, told, upstream } = plan({ model, tools: [tool], ...fields }, [], configured(env));
    return { id: dialect.id, told, system: upstream.messages[0]?.content ?? "" };
  };

  test.each([
    [{}, "m", "canonical", "<tool_calls>"],
    [{}, "qwen3:8b", "hermes", "<tool_call>"],
    [{ TOOLCALL_TEACH: "canonical" }, "qwen3:8b", "canonical", "<tool_calls>"],
    [{ TOOLCALL_TEACH: "glm47" }, "m", "glm47", "<arg_key>"],
    [{ TOOLCALL_MODE: "canonical" }, "qwen3:8b", "canonical", "<tool_calls>"],
    [{}, "m", "canonical", "<![CDATA[$TEXT]]>"],
    [{ TOOLCALL_STRINGS: "raw" }, "m", "canonical_raw", ">$TEXT<"],
    [{ TOOLCALL_STRINGS: "raw", TOOLCALL_MODE: "canonical" }, "qwen3:8b", "canonical_raw", ">$TEXT<"],
    [{ TOOLCALL_STRINGS: "raw" }, "qwen3:8b", "hermes", "<tool_call>"],
    [{ UPSTREAM_BASE_URL: "http://h/v1", UPSTREAM_MODEL: "gemma3" }, "gpt-5", "bare_json", '"parameters": '],
  ])("%j, asked for %s: %s", (env, model, id, shown) => {
    const plan = taught(env, model);
    expect(plan).toMatchObject({ id, told: id });
    expect(plan.system).toContain(shown);
  });

  test("is named only where tools are told", () => {
    expect(taught({}, "qwen3:8b", { tools: [] }).told).toBeUndefined();
    expect(taught({}, "qwen3:8b", { toolChoice: { mode: "none" } }).told).toBeUndefined();
    expect(taught({ TOOLCALL_MODE: "off" }, "qwen3:8b").told).toBeUndefined();
    expect(taught({ TOOLCALL_TEACH: "native" }, "qwen3:8b").told).toBe("native");
    expect(taught({ TOOLCALL_TEACH: "native" }, "qwen3:8b", { tools: [] }).told).toBeUndefined();
  });
});

describe("notations that are pinned", () => {
  const dialects = (env: object, model = "m") => plan({ model }, [], configured(env)).sieve.dialects;

  test("are the taught one, those of the configuration, then those of the model, each once", () => {
    expect(dialects({})).toEqual(["canonical"]);
    expect(dialects({}, "microsoft/phi-4")).toEqual(["canonical"]);
    expect(dialects({ TOOLCALL_DIALECTS: "cline" }, "gemma3:27b")).toEqual([
      ..."bare_json cline gemma3_tool_code pythonic".split(" "),
    ]);
    expect(dialects({ TOOLCALL_TEACH: "hermes" }, "gpt-oss")).toEqual(["hermes", "canonical", "harmony"]);
  });

  test("natively nothing is taught: only what the model may fall back to", () => {
    expect(dialects({ TOOLCALL_TEACH: "native" })).toEqual([]);
    expect(dialects({ TOOLCALL_TEACH: "native" }, "qwen3:8b")).toEqual(["hermes"]);
  });

  test("go by the name that the upstream is asked for", () => {
    const env = { UPSTREAM_BASE_URL: "http://h/v1", UPSTREAM_MODEL: "phi4:14b" };
    expect(dialects(env, "claude-sonnet-5")).toEqual(["canonical"]);
  });
});

test("with calls switched off the model is told of no tool, whatever the history holds", () => {
  const off = configured({ TOOLCALL_MODE: "off" });
  const call: Part = { type: "tool-call", id: "c1", name: "ping", input: {} };
  const turns = [
    { role: "user" as const, parts: [] },
    { role: "assistant" as const, parts: [call] },
    { role: "user" as const, parts: [result()] },
  ];
  const { upstream, sieve } = plan({ tools: [tool], turns }, [], off);
  expect(JSON.stringify(upstream.messages)).not.toContain("# Tools");
  expect(sieve.tools).toEqual([]);
});

describe("what the model does not get is told", () => {
  const media = expect.stringContaining("images and files");
  const format = expect.stringContaining("response format");

  test.each<[string, Partial<Conversation>, Part[], unknown[]]>([
    ["nothing to tell", { tools: [tool] }, [result({ type: "text", text: "x" })], []],
    ["an image", {}, [image], [media]],
    ["an image in a result, and another one", {}, [result(image), image], [media]],
    ["a response format", { responseFormat: { type: "json" } }, [], []],
    [
      "a response format beside tools that may not be called",
      { responseFormat: { type: "json" }, tools: [tool], toolChoice: { mode: "none" } },
      [],
      [],
    ],
    ["a response format beside tools", { responseFormat: { type: "json" }, tools: [tool] }, [], [format]],
  ])("%s", (_what, fields, parts, warnings) => {
    const { upstream, warnings: told } = plan(fields, parts);
    expect(told).toEqual(warnings);
    expect(upstream.responseFormat).toEqual(warnings.includes(format) ? undefined : fields.responseFormat);
    expect(JSON.stringify(upstream.messages).includes("one JSON value")).toBe(warnings.includes(format));
  });

  const described = {
    name: "ping",
    description: "Ping a host. Tells how long the answer took, or that none came.",
    parameters: {},
  };
  const docs = (env: object) => plan({ tools: [described] }, [], configured(env));

  test.each([
    ["whole descriptions", {}, []],
    ["whole descriptions within the budget", { TOOLCALL_DOCS_BUDGET: "100" }, []],
    ["cut ones", { TOOLCALL_DOCS_BUDGET: "12" }, [expect.stringContaining("descriptions of tools are cut")]],
    ["more than the budget", { TOOLCALL_DOCS_BUDGET: "1" }, [expect.stringContaining("none is left out")]],
    ["schemas in place of signatures", { TOOLCALL_DOCS: "schema" }, []],
    ["native tools, which have no budget", { TOOLCALL_TEACH: "native", TOOLCALL_DOCS_BUDGET: "1" }, []],
  ])("%s", (_what, env, warnings) => {
    expect(docs(env).warnings).toEqual(warnings);
  });

  test("the prompt has the tools as the configuration wants them", () => {
    const system = (env: object) => docs(env).upstream.messages[0]?.content;
    expect(system({})).toContain(`// ${described.description}\nping()`);
    expect(system({ TOOLCALL_DOCS: "schema" })).toContain(`\n${JSON.stringify(described)}\n`);
    expect(system({ TOOLCALL_DOCS_BUDGET: "12" })).toContain("// Ping a host.\nping()");
    expect(docs({ TOOLCALL_DOCS_BUDGET: "1" }).promptTokens()).toBeLessThan(docs({}).promptTokens());
  });
});

describe("stop strings", () => {
  const server = (env: object = {}) => configured({ UPSTREAM_BASE_URL: "https://h/v1", ...env });
  const stops = (stop: string[], settings = server(), fields: Partial<Conversation> = {}) =>
    plan({ tools: [tool], sampling: { stop }, ...fields }, [], settings);
  const own = "<tool_results>";

  test("the gateway's own stands behind the client's, and the sieve knows it", () => {
    const { upstream, sieve } = stops(["a", "b"]);
    expect([upstream.stop, sieve.gatewayStop]).toEqual([["a", "b", own], [own]]);
  });

  test.each([
    ["qwen3:8b", "<tool_response>"],
    ["deepseek-v3.2", "<function_results>"],
    ["llama3.1", own],
  ])("the gateway's own is what results of the taught notation begin with: %s", (model, opener) => {
    expect(stops([], server(), { model }).upstream.stop).toEqual([opener]);
  });

  test.each<[string, ReturnType<typeof stops>, string[]]>([
    ["without tools", stops([], server(), { tools: [] }), []],
    ["where no tool may be called", stops([], server(), { toolChoice: { mode: "none" } }), []],
    ["with calls switched off", stops([], server({ TOOLCALL_MODE: "off" })), []],
    ["asked natively", stops([], server({ TOOLCALL_TEACH: "native" })), []],
    ["of the demo, which says what it is told", stops([], config), []],
    ["where the client has it already", stops([own]), [own]],
    ["where the client's leave no room", stops(["a", "b", "c", "d"]), ["a", "b", "c", "d"]],
  ])("there is none of its own %s", (_when, { upstream, sieve }, expected) => {
    expect([upstream.stop, sieve.gatewayStop]).toEqual([expected, []]);
  });

  test("those that the upstream has no room for are left out, and told", () => {
    const { upstream, warnings } = stops(["a", "b", "c", "d", "e"], server({ UPSTREAM_KIND: "groq" }));
    expect([upstream.stop, warnings]).toEqual([["a", "b", "c", "d"], [expect.stringContaining("4 stop strings")]]);
    expect(stops(["a", "b", "c", "d", "e"]).warnings).toEqual([]);
  });
});

describe("a response format that the upstream does not enforce", () => {
  const deepseek = (env: object = {}) =>
    configured({ UPSTREAM_BASE_URL: "https://h/v1", UPSTREAM_KIND: "deepseek", ...env });
  const schema: ResponseFormat = { type: "json-schema", name: "n", schema: { enum: ["<tool_calls>"] } };

  test.each([
    ["in words", deepseek(), '"<~tool_calls>"'],
    ["natively", deepseek({ TOOLCALL_TEACH: "native" }), '"<tool_calls>"'],
  ])("is asked for in the prompt, and that is told: %s", (_how, settings, quoted) => {
    const { upstream, warnings } = plan({ responseFormat: schema }, [], settings);
    expect(upstream.responseFormat).toBeUndefined();
    expect(upstream.messages.at(-1)?.content).toContain(`JSON Schema: {"enum":[${quoted}]}`);
    expect(warnings).toEqual([expect.stringContaining("the upstream does not enforce it")]);
  });

  test("while one that it does enforce goes upstream", () => {
    const { upstream, warnings } = plan({ responseFormat: { type: "json" } }, [], deepseek());
    expect([upstream.responseFormat, warnings]).toEqual([{ type: "json" }, []]);
  });
});

describe("a required call is forced", () => {
  const other = { name: "pong", parameters: {} };
  const required: Partial<Conversation> = { tools: [tool, other], toolChoice: { mode: "required" } };
  const on = (kind: string, variables: object = {}) =>
    configured({ UPSTREAM_BASE_URL: "https://h/v1", UPSTREAM_KIND: kind, ...variables });
  const forcedBy = (settings: typeof config, fields: Partial<Conversation> = {}, refused: string[] = []) => {
    const conversation = conversationOf({ turns: [user(text("hi"))], ...required, ...fields });
    return planExchange(settings, conversation, () => new Set(refused)).forced?.upstream.forced;
  };

  test("once it has not come; from the start; or never", () => {
    const { forced, unforced, upstream } = plan(required, [], on("llamacpp"));
    expect([forced?.upstream.forced?.by, unforced, upstream.forced]).toEqual(["grammar", undefined, undefined]);
    const always = plan(required, [], on("llamacpp", { TOOLCALL_FORCE: "always" }));
    expect([always.forced, always.unforced?.upstream.forced, always.upstream.forced?.by]).toEqual([
      undefined,
      undefined,
      "grammar",
    ]);
    const never = plan(required, [], on("llamacpp", { TOOLCALL_FORCE: "never" }));
    expect([never.forced, never.unforced, never.upstream.forced]).toEqual([undefined, undefined, undefined]);
  });

  test("counts in the prompt what was written of the answer", () => {
    const always = plan(required, [], on("groq", { TOOLCALL_FORCE: "always" }));
    expect(always.promptTokens()).toBeGreaterThan(always.unforced?.promptTokens() ?? 0);
  });

  test.each<[string, typeof config, Partial<Conversation>]>([
    ["by a server of no known kind", on("generic"), {}],
    ["by the demo", config, {}],
    ["where tools are passed on", on("llamacpp", { TOOLCALL_TEACH: "native" }), {}],
    ["where none is looked for", on("llamacpp", { TOOLCALL_MODE: "off" }), {}],
    ["where none is required", on("llamacpp"), { toolChoice: { mode: "auto" } }],
    ["where none may come", on("llamacpp"), { toolChoice: { mode: "none" } }],
    ["without tools", on("llamacpp"), { tools: [] }],
    ["of a tool that is not there", on("llamacpp"), { toolChoice: { mode: "required", only: ["zip"] } }],
    ["as JSON where that is no call", on("ollama", { TOOLCALL_MODE: "canonical" }), {}],
    ["by a prefix outside of DeepSeek's beta", on("deepseek"), {}],
    ["by a prefill behind the model's own words", on("groq"), { turns: [{ role: "assistant", parts: [text("I")] }] }],
    ["by a prefill where the model is to think", on("groq"), { reasoning: { effort: "low", expose: true } }],
    ["by a prefill where the template has opened the thinking", on("groq", { TOOLCALL_REASONING: "open" }), {}],
  ])("not %s", (_what, settings, fields) => {
    expect(forcedBy(settings, fields)).toBeUndefined();
  });

  test("by the next best where the best has been refused", () => {
    const help = (...refused: string[]) => forcedBy(on("vllm"), {}, refused)?.by;
    expect(help()).toBe("structural-tag");
    expect(help("a call forced by structural-tag")).toBe("prefill");
    expect(help("a call forced by structural-tag", "a call forced by prefill")).toBeUndefined();
  });

  test.each([
    ["one of several", {}, '<tool_calls>\n<invoke name="'],
    ["one that is named", { toolChoice: { mode: "required", only: ["ping"] } }, '<tool_calls>\n<invoke name="ping">\n'],
    ["the only one there is", { tools: [tool] }, '<tool_calls>\n<invoke name="ping">\n'],
    ["one whose name could forge a mark", { tools: [{ ...tool, name: "[INST]" }] }, '<tool_calls>\n<invoke name="'],
  ] as [string, Partial<Conversation>, string][])("by the beginning of a call of %s", (_what, fields, begun) => {
    expect(forcedBy(on("deepseek", { UPSTREAM_BASE_URL: "https://h/beta/" }), fields)?.prefill).toEqual({
      text: begun,
      mark: { prefix: true },
    });
  });

  test("by the schema of its arguments, which refers to nothing outside of it", () => {
    const parameters = {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "string" } },
    };
    const { fields } = forcedBy(on("lmstudio"), { tools: [{ name: "ping", parameters }] }) ?? {};
    expect(JSON.stringify(fields)).toContain('"arguments":{"type":"object","properties":{"a":{"type":"string"}}}');
  });
});
