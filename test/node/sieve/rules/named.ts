import type { RuleCase } from "./rule-case.ts";
import { a, ping } from "./rule-case.ts";

const FM = ["feature_match"] as const;
const pinned = (...dialects: string[]): Pick<RuleCase, "options"> => ({ options: { dialects } });

const textOnly = (rule: string, input: string, more: Partial<RuleCase> = {}): RuleCase => ({
  rule,
  modes: FM,
  input,
  expect: { calls: [], text: input, finish: "stop" },
  ...more,
});

const called = (rule: string, input: string, expect: RuleCase["expect"], more: Partial<RuleCase> = {}): RuleCase => ({
  rule,
  modes: FM,
  input,
  expect: { text: "", finish: "tool", ...expect },
  ...more,
});

const BEGIN = "<|tool_call_begin|>";
const ARGUMENTS = "<|tool_call_argument_begin|>";
const END = "<|tool_call_end|>";
const kimi = (name: string, json: string) => `${BEGIN}${name}${ARGUMENTS}${json}${END}`;
const inSection = (...calls: string[]) => `<|tool_calls_section_begin|>${calls.join("")}<|tool_calls_section_end|>`;

const v3 = (name: string, rest: string) =>
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}${rest}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const inFence = '\n```json\n{"b": "1"}\n```';
const asciiOf = (text: string, joint: string) => text.replaceAll("｜", "|").replaceAll("▁", joint);

const header = (to: string) => `<|channel|>commentary to=${to} <|constrain|>json<|message|>`;

/** A name with JSON behind it: names, separators, ends; sieve.md N2, T4, A4, M5 for those notations. */
export const named: readonly RuleCase[] = [
  called("N2: Kimi's prefix and counter are cut", kimi("functions.a:12", '{"b":"1"}'), {
    calls: [a("1")],
    repairs: [],
  }),
  called("N2: so is a counter of another spelling", kimi("a_0", '{"b":"1"}'), { calls: [a("1")] }),
  called(
    "N2: a name that is declared as it is written is whole",
    kimi("functions.a:0", "{}"),
    {
      calls: [{ name: "functions.a:0", arguments: {} }],
    },
    { options: { tools: [{ name: "a" }, { name: "functions.a:0" }] } },
  ),
  called("N1: an undeclared name is passed on without them", kimi("functions.zz:0", "{}"), {
    calls: [{ name: "zz", arguments: {} }],
  }),
  called("blanks around names and separators", `${BEGIN} functions.a:0 ${ARGUMENTS} {"b":"1"} ${END} `, {
    calls: [a("1")],
  }),
  called("two calls in a section", inSection(kimi("functions.a:0", '{"b":"1"}'), kimi("functions.ping:1", "{}")), {
    calls: [a("1"), ping],
    repairs: [],
  }),
  called(
    "M2: the section's closer is missing",
    inSection(kimi("functions.a:0", '{"b":"1"}')).slice(0, -"<|tool_calls_section_end|>".length),
    {
      calls: [a("1")],
      repairs: ["wrapper-close-missing"],
    },
  ),
  called("T4: a call whose own closer is missing", kimi("functions.a:0", '{"b":"1"}').slice(0, -END.length), {
    calls: [a("1")],
    repairs: ["wrapper-close-missing"],
  }),
  called("M2: half a closer", kimi("functions.a:0", '{"b":"1"}').slice(0, -3), {
    calls: [a("1")],
    repairs: ["closer-cut", "wrapper-close-missing"],
  }),
  called("T4: the closer tells of a missing brace", kimi("a", '{"b":"1"'), {
    calls: [a("1")],
    repairs: ["missing-brace"],
  }),
  called("T4: a brace too many", kimi("a", '{"b":"1"}}'), { calls: [a("1")], repairs: ["surplus-brace"] }),
  called("T4: no arguments at all", kimi("ping", ""), { calls: [ping], repairs: ["arguments-missing"] }),
  called("T4: arguments that are encoded once more", kimi("a", '"{\\"b\\": \\"1\\"}"'), { calls: [a("1")] }),
  textOnly("T1: a missing brace at the end of the reply", `${BEGIN}a${ARGUMENTS}{"b":"1"`, {
    expect: { calls: [], text: `${BEGIN}a${ARGUMENTS}{"b":"1"`, finish: "stop" },
    but: [{ levels: ["high", "low"], expect: { open: { name: "a", prefix_of: '{"b":"1"' }, finish: "length" } }],
  }),
  textOnly("A6: a mention of an opener", `The token ${BEGIN} stands before a name, ${ARGUMENTS} before {.`),
  called("A6: and the call behind it", `The token ${BEGIN} stands before it: ${kimi("ping", "{}")}`, {
    calls: [ping],
    text: `The token ${BEGIN} stands before it:`,
  }),
  called("G3: a bad sibling is dropped", inSection(kimi("a", "{b"), kimi("ping", "{}")), { calls: [ping] }),
  called("R8: a JSON object where a name should stand", `${BEGIN}{"name": "ping", "arguments": {}}${END}`, {
    calls: [ping],
  }),
  called("R18: DeepSeek's separator behind Kimi's opener", `${BEGIN}a<|tool_sep|>{"b":"1"}${END}`, { calls: [a("1")] }),
  called("A4: an opener in reasoning suspends it", `<think>x ${inSection(kimi("ping", "{}"))}y</think>z`, {
    calls: [ping],
    reasoning: "x y",
    text: "z",
  }),
  called("A4: a closer of reasoning in its arguments is data", `<think>x ${kimi("a", '{"b":"</think>"}')}`, {
    calls: [a("</think>")],
    reasoning: "x ",
  }),

  called("A3: a fence around the arguments", v3("a", inFence), { calls: [a("1")], repairs: [] }),
  called("A3: a fence in them is data", v3("a", '{"b": "```"}'), { calls: [a("```")] }),
  called("no fence, no separator", v3("a", ' {"b": "1"}'), { calls: [a("1")] }),
  called("the word for the type is missing", v3("a", inFence).replace("function<｜tool▁sep｜>", ""), {
    calls: [a("1")],
  }),
  ...["_", " ", "\\_"].map((joint) =>
    called(`R18: in plain letters, with ${JSON.stringify(joint)}`, asciiOf(v3("a", inFence), joint), {
      calls: [a("1")],
      repairs: [],
    }),
  ),
  called("W2, W4: results and a stop token behind a section", `${v3("ping", "{}")}<｜tool▁outputs▁begin｜>no`, {
    calls: [ping],
  }),
  called("W4: a stop token behind a section", `${v3("ping", "{}")}<｜end▁of▁sentence｜>`, { calls: [ping] }),
  textOnly("A1: not in a fence of the text", `\`\`\`\n${v3("ping", "{}")}\n\`\`\``),

  called(
    "Mistral: calls with ids, and text between them",
    '[TOOL_CALLS]a[CALL_ID]x9[ARGS]{"b":"1"} so [TOOL_CALLS]ping{}</s>',
    {
      calls: [a("1"), ping],
      text: "so",
    },
  ),
  textOnly("Mistral: a mention", "The token [TOOL_CALLS] begins a call, [ARGS] its arguments."),
  called("Mistral: reasoning", "[THINK]r[/THINK][TOOL_CALLS]ping{}", { calls: [ping], reasoning: "r" }),

  called(
    "residue: names right behind each other",
    'a{"b":"1"}ping{}',
    { calls: [a("1"), ping] },
    pinned("mistral_v11"),
  ),
  called(
    "residue: Kimi's names",
    ' functions.a:0{"b":"1"}functions.ping:1{} so',
    { calls: [a("1"), ping], text: "so" },
    pinned("kimi_k2"),
  ),
  called(
    "residue: DeepSeek's type and fences",
    `functiona${inFence}\nfunctionping\n{}`,
    { calls: [a("1"), ping] },
    pinned("deepseek_v3"),
  ),
  called(
    "residue: behind reasoning",
    "<think>r</think>ping{}",
    { calls: [ping], reasoning: "r" },
    pinned("deepseek_v31"),
  ),
  textOnly("residue: only where it is pinned", "ping{}"),
  textOnly("residue: only where the reply begins", "So: ping{}", pinned("mistral_v11")),
  textOnly("residue: only with a declared name", "zz{}", pinned("mistral_v11")),
  textOnly("residue: a name in a sentence", "ping is a tool {that answers}", pinned("mistral_v11", "kimi_k2")),
  textOnly("residue: a name at the end", "ping", pinned("mistral_v11")),
  called(
    "residue: other openers live where it does not begin",
    "function.name: ping\nfunction.arguments: {}",
    { calls: [ping] },
    pinned("glm4_old", "kimi_k2"),
  ),
  called(
    "several residues may be pinned",
    "functionping{}",
    { calls: [ping] },
    pinned("mistral_v11", "glm4_old", "deepseek_v3"),
  ),

  textOnly("M5: text-KV in mid-line", "Say function.name: ping\nfunction.arguments: {}"),
  textOnly("M5: text-KV without the arguments' line", "function.name: ping\n{}"),
  textOnly("N1: text-KV with an undeclared name", "function.name: zz\nfunction.arguments: {}"),
  called("text-KV with an id", 'So\nfunction.name: a\nid: c_1\nfunction.arguments: {"b":"1"}\nthen', {
    calls: [a("1")],
    text: "So\n\nthen",
  }),

  called("W2: Qwen-Agent's results", "✿FUNCTION✿: ping\n✿ARGS✿: {}\n✿RESULT✿: no\n✿RETURN✿: x", { calls: [ping] }),
  textOnly("Qwen-Agent's mark in a sentence", "✿FUNCTION✿ begins a call, ✿ARGS✿ its arguments."),

  called(
    "Functionary: for whom a part is",
    '>>>all\nHi\n>>>a\n{"b":"1"}>>>ping\n{}',
    { calls: [a("1"), ping], text: "Hi" },
    pinned("functionary_v32"),
  ),
  called(
    "Functionary: the first mark stood in the prompt",
    "all\nHi>>>ping\n{}",
    { calls: [ping], text: "Hi" },
    pinned("functionary_v32"),
  ),
  textOnly("Functionary: a transcript", ">>> ping\n<tool ping>\n>>> 1", pinned("functionary_v32")),
  textOnly("Functionary: only where it is pinned", ">>>all\nHi\n>>>ping\n{}"),
  called(
    "Functionary 2",
    "<|from|>assistant\n<|recipient|>all\n<|content|>Hi\n<|from|>assistant\n<|recipient|>ping\n<|content|>{}\n<|stop|>",
    { calls: [ping], text: "Hi" },
    pinned("functionary_v2"),
  ),
  textOnly("Functionary 2: a part that is prose", "Hi <|recipient|>ping\n<|content|>later", pinned("functionary_v2")),

  called(
    "ReAct: text for the one string of a tool",
    "Action: a\nAction Input: x {1}\n  y\nObservation: no",
    { calls: [a("x {1}\n  y")] },
    pinned("react"),
  ),
  called("ReAct: the reply's end closes a line", "Action: a\nAction Input: x\n", { calls: [a("x")] }, pinned("react")),
  textOnly("T1: ReAct, half a line", "Action: a\nAction Input: x", {
    ...pinned("react"),
    expect: { calls: [], text: "Action: a\nAction Input: x" },
  }),
  textOnly("T1: ReAct, a line that the limit may have cut", "Action: a\nAction Input: x\n", {
    ...pinned("react"),
    upstreamFinish: "length",
    expect: { calls: [], text: "Action: a\nAction Input: x\n", finish: "length" },
  }),
  called(
    "T1: ReAct, the gateway's own stop string",
    "Action: a\nAction Input: x",
    { calls: [a("x")] },
    { options: { dialects: ["react"], gatewayStop: ["\nObservation:"] } },
  ),
  called(
    "ReAct: a string as JSON has it",
    'Action: a\nAction Input: "x\\ny"\n',
    { calls: [a("x\ny")] },
    pinned("react"),
  ),
  called(
    "ReAct: no input",
    "Action: ping\nAction Input:\nObservation: no",
    { calls: [ping], repairs: ["arguments-missing"] },
    pinned("react"),
  ),
  textOnly(
    "ReAct: text for a tool that takes more",
    "Action: write\nAction Input: x\nObservation: no",
    pinned("react"),
  ),
  textOnly("ReAct: a sentence", "Action: ping the host.\nAction Input: none", pinned("react")),
  textOnly("ReAct: only at a line's start", "My Action: ping\nAction Input: {}", pinned("react")),
  called("W2: what ReAct calls results is text behind other calls", "[TOOL_CALLS]ping{}\nObservation: x", {
    calls: [ping],
    text: "Observation: x",
  }),

  called(
    "harmony: the channels",
    `<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>commentary<|message|>Hi<|end|><|start|>assistant${header("functions.a")}{"b":"<|call|>"}<|call|>`,
    { calls: [a("<|call|>")], text: "Hi", reasoning: "r" },
  ),
  textOnly(
    "harmony: the answer",
    "<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
    { expect: { calls: [], text: "Hi", reasoning: "r", finish: "stop" } },
  ),
  textOnly(
    "harmony: the closer of analysis is missing",
    "<|channel|>analysis<|message|>r<|start|>assistant<|channel|>final<|message|>Hi",
    { expect: { calls: [], text: "Hi", reasoning: "r" } },
  ),
  called(
    "harmony: a recipient tells a call on any channel",
    '<|channel|>analysis to=functions.a code<|message|>{"b":"1"}',
    { calls: [a("1")] },
  ),
  called(
    "harmony: or before it",
    '<|start|>assistant to=functions.a<|channel|>commentary json<|message|>{"b":"1"}<|call|>',
    { calls: [a("1")] },
  ),
  textOnly("harmony: one that is given prose is none", `${header("functions.a")}I should call it.<|end|>`, {
    expect: { calls: [], text: "I should call it." },
  }),
  textOnly(
    "harmony: and on analysis it is a thought",
    "<|channel|>analysis to=functions.a<|message|>Should I?<|end|>",
    { expect: { calls: [], text: "", reasoning: "Should I?" } },
  ),
  textOnly("harmony: tools that are built in are not ours", `${header("python")}{"x": 1}<|call|>`, {
    expect: { calls: [], text: '{"x": 1}' },
  }),
  textOnly("A4: a header behind text is text", "Hi <|channel|>final<|message|>x"),
  textOnly("harmony: a mention", "The <|channel|> token opens a header, <|start|>assistant a message."),
  called(
    "W2: a message of a tool",
    `${header("functions.ping")}{}<|call|><|start|>functions.ping to=assistant<|channel|>commentary<|message|>x`,
    { calls: [ping] },
  ),
  textOnly(
    "harmony: the channels of a pinned one in canonical",
    `<|channel|>analysis<|message|>r<|end|><|channel|>final<|message|>Hi`,
    { modes: ["canonical", "off"], ...pinned("harmony"), expect: { calls: [], text: "Hi", reasoning: "r" } },
  ),
  called(
    "harmony without tokens",
    'analysisr.assistantcommentaryHi.assistantcommentary to=functions.a json{"b":"1"}assistantfinalx',
    { calls: [a("1")], text: "Hi.x", reasoning: "r." },
    pinned("harmony"),
  ),
  textOnly("harmony without tokens: only where it is pinned", "analysisr.assistantfinalx"),
  textOnly("harmony without tokens: a sentence", "Analysis of it: assistantfinal is a word.", pinned("harmony")),
];
