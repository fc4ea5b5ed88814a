import { a, inFeatureMatch, ping, pinned, type RuleCase, textInFeatureMatch } from "./rule-case.ts";

const header = (to: string) => `<|channel|>commentary to=${to} <|constrain|>json<|message|>`;

/** Calls in lines of text and in messages for whom they are: sieve.md M5, T1, W2, A4 for those notations. */
export const lines: readonly RuleCase[] = [
  textInFeatureMatch("M5: text-KV in mid-line", "Say function.name: ping\nfunction.arguments: {}"),
  textInFeatureMatch("M5: text-KV without the arguments' line", "function.name: ping\n{}"),
  inFeatureMatch("A6: a text-KV label without a name", "function.name:\nfunction.name: ping\nfunction.arguments: {}", {
    calls: [ping],
    text: "function.name:",
  }),
  inFeatureMatch(
    "A6: a text-KV name without arguments",
    "function.name: a\nfunction.name: ping\nfunction.arguments: {}",
    {
      calls: [ping],
      text: "function.name: a",
    },
  ),
  inFeatureMatch(
    "RWKV: a line break may be CR LF",
    '**Tool Call:**\r\n```json\r\n{"name":"a","arguments":{"b":"1"}}\r\n```\r\nSo',
    { calls: [a("1")], text: "So" },
    pinned("rwkv"),
  ),
  inFeatureMatch(
    "A6: an action without a name",
    "Action:\nAction: ping\nAction Input: {}",
    { calls: [ping], text: "Action:" },
    pinned("react"),
  ),
  textInFeatureMatch("N1: text-KV with an undeclared name", "function.name: zz\nfunction.arguments: {}"),
  inFeatureMatch("text-KV with an id", 'So\nfunction.name: a\nid: c_1\nfunction.arguments: {"b":"1"}\nthen', {
    calls: [a("1")],
    text: "So\n\nthen",
  }),

  inFeatureMatch("W2: Qwen-Agent's results", "✿FUNCTION✿: ping\n✿ARGS✿: {}\n✿RESULT✿: no\n✿RETURN✿: x", {
    calls: [ping],
  }),
  textInFeatureMatch("Qwen-Agent's mark in a sentence", "✿FUNCTION✿ begins a call, ✿ARGS✿ its arguments."),

  inFeatureMatch(
    "Functionary: for whom a part is",
    '>>>all\nHi\n>>>a\n{"b":"1"}>>>ping\n{}',
    { calls: [a("1"), ping], text: "Hi" },
    pinned("functionary_v32"),
  ),
  inFeatureMatch(
    "Functionary: the first mark stood in the prompt",
    "all\nHi>>>ping\n{}",
    { calls: [ping], text: "Hi" },
    pinned("functionary_v32"),
  ),
  textInFeatureMatch("Functionary: a transcript", ">>> ping\n<tool ping>\n>>> 1", pinned("functionary_v32")),
  textInFeatureMatch("Functionary: only where it is pinned", ">>>all\nHi\n>>>ping\n{}"),
  inFeatureMatch(
    "Functionary 2",
    "<|from|>assistant\n<|recipient|>all\n<|content|>Hi\n<|from|>assistant\n<|recipient|>ping\n<|content|>{}\n<|stop|>",
    { calls: [ping], text: "Hi" },
    pinned("functionary_v2"),
  ),
  textInFeatureMatch(
    "Functionary 2: a part that is prose",
    "Hi <|recipient|>ping\n<|content|>later",
    pinned("functionary_v2"),
  ),

  inFeatureMatch(
    "ReAct: text for the one string of a tool",
    "Action: a\nAction Input: x {1}\n  y\nObservation: no",
    { calls: [a("x {1}\n  y")] },
    pinned("react"),
  ),
  inFeatureMatch(
    "ReAct: text that begins with a brace",
    "Action: a\nAction Input: {x} + 1\nObservation: no",
    { calls: [a("{x} + 1")] },
    pinned("react"),
  ),
  inFeatureMatch(
    "ReAct: the reply's own end closes a line",
    "Action: a\nAction Input: x",
    { calls: [a("x")] },
    pinned("react"),
  ),
  textInFeatureMatch("T1: ReAct, a line that the limit may have cut", "Action: a\nAction Input: x\n", {
    ...pinned("react"),
    upstreamFinish: "length",
    expect: { calls: [], text: "Action: a\nAction Input: x\n", finish: "length" },
  }),
  inFeatureMatch(
    "ReAct: a string as JSON has it",
    'Action: a\nAction Input: "x\\ny"\n',
    { calls: [a("x\ny")] },
    pinned("react"),
  ),
  inFeatureMatch(
    "ReAct: no input",
    "Action: ping\nAction Input:\nObservation: no",
    { calls: [ping], repairs: ["arguments-missing"] },
    pinned("react"),
  ),
  textInFeatureMatch(
    "ReAct: text for a tool that takes more",
    "Action: write\nAction Input: x\nObservation: no",
    pinned("react"),
  ),
  textInFeatureMatch("ReAct: a sentence", "Action: ping the host.\nAction Input: none", pinned("react")),
  textInFeatureMatch("ReAct: only at a line's start", "My Action: ping\nAction Input: {}", pinned("react")),
  inFeatureMatch("W2: what ReAct calls results is text behind other calls", "[TOOL_CALLS]ping{}\nObservation: x", {
    calls: [ping],
    text: "Observation: x",
  }),

  inFeatureMatch(
    "harmony: the channels",
    `<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>commentary<|message|>Hi<|end|><|start|>assistant${header("functions.a")}{"b":"<|call|>"}<|call|>`,
    { calls: [a("<|call|>")], text: "Hi", reasoning: "r" },
  ),
  textInFeatureMatch(
    "harmony: the answer",
    "<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
    { expect: { calls: [], text: "Hi", reasoning: "r", finish: "stop" } },
  ),
  textInFeatureMatch(
    "harmony: the closer of analysis is missing",
    "<|channel|>analysis<|message|>r<|start|>assistant<|channel|>final<|message|>Hi",
    { expect: { calls: [], text: "Hi", reasoning: "r" } },
  ),
  inFeatureMatch(
    "harmony: a recipient tells a call on any channel",
    '<|channel|>analysis to=functions.a code<|message|>{"b":"1"}',
    { calls: [a("1")] },
  ),
  inFeatureMatch(
    "harmony: or before it",
    '<|start|>assistant to=functions.a<|channel|>commentary json<|message|>{"b":"1"}<|call|>',
    { calls: [a("1")] },
  ),
  textInFeatureMatch("harmony: one that is given prose is none", `${header("functions.a")}I should call it.<|end|>`, {
    expect: { calls: [], text: "I should call it." },
  }),
  textInFeatureMatch(
    "harmony: and on analysis it is a thought",
    "<|channel|>analysis to=functions.a<|message|>Should I?<|end|>",
    { expect: { calls: [], text: "", reasoning: "Should I?" } },
  ),
  textInFeatureMatch("harmony: and braces alone are none", `${header("functions.a")}{b} is what it takes.<|end|>`, {
    expect: { calls: [], text: "{b} is what it takes." },
  }),
  inFeatureMatch("harmony: a message without a body", `${header("functions.ping")}<|call|>`, {
    calls: [ping],
    repairs: ["arguments-missing"],
  }),
  textInFeatureMatch("N1: nor is one a call of a tool that is not declared", `Hi${header("functions.zz")}<|call|> x`),
  inFeatureMatch("harmony: arguments as a string", `${header("functions.a")}"{\\"b\\":\\"1\\"}"<|call|>`, {
    calls: [a("1")],
  }),
  inFeatureMatch(
    "W4: harmony's marks in the upstream's reasoning",
    "",
    { calls: [ping], reasoning: "r" },
    { reasoning: `r${header("functions.ping")}{}<|call|>` },
  ),
  textInFeatureMatch(
    "A4: only its own closers end reasoning that a mark has opened",
    "<|channel|>analysis<|message|>r </think> [/THINK]<|end|><|channel|>final<|message|>Hi",
    { expect: { calls: [], text: "Hi", reasoning: "r </think> [/THINK]" } },
  ),
  textInFeatureMatch("A4: and those of all reasoning that the prompt has opened", "r[/THINK]Hi", {
    options: { startsInReasoning: true },
    expect: { calls: [], text: "Hi", reasoning: "r" },
  }),
  textInFeatureMatch(
    "W4: marks behind the head of a channel are no text",
    "<|channel|>analysis<|message|>r<|end|>Hi <|end|>you",
    { expect: { calls: [], text: "Hi you", reasoning: "r" } },
  ),
  textInFeatureMatch(
    "A4: a mark of others behind text of a channel is text",
    "<|channel|>final<|message|>The <think> tag</think> x",
    { expect: { calls: [], text: "The <think> tag</think> x", reasoning: "" } },
  ),
  inFeatureMatch(
    "A4: of the openers that suspend reasoning the longest counts",
    '<|channel|>analysis<|message|>r<|start|>assistant to=functions.a<|channel|>commentary json<|message|>{"b":"1"}<|call|>',
    { calls: [a("1")], reasoning: "r" },
  ),
  inFeatureMatch(
    "A4: what was read behind a head that ends reasoning is said",
    '<think>r<|start|>assistant to=ping<|message|><atem:function_calls><atem:invoke name="ping"></atem:invoke></atem:function_calls>',
    { calls: [ping], reasoning: "r", repairs: [] },
  ),
  textInFeatureMatch("harmony: tools that are built in are not ours", `${header("python")}{"x": 1}<|call|>`, {
    expect: { calls: [], text: '{"x": 1}' },
  }),
  textInFeatureMatch("A4: a header behind text is text", "Hi <|channel|>final<|message|>x"),
  textInFeatureMatch("harmony: a mention", "The <|channel|> token opens a header, <|start|>assistant a message."),
  inFeatureMatch(
    "W2: a message of a tool",
    `${header("functions.ping")}{}<|call|><|start|>functions.ping to=assistant<|channel|>commentary<|message|>x`,
    { calls: [ping] },
  ),
  textInFeatureMatch(
    "harmony: the channels of a pinned one in canonical",
    `<|channel|>analysis<|message|>r<|end|><|channel|>final<|message|>Hi`,
    { modes: ["canonical", "off"], ...pinned("harmony"), expect: { calls: [], text: "Hi", reasoning: "r" } },
  ),
  inFeatureMatch(
    "harmony without tokens",
    'analysisr.assistantcommentaryHi.assistantcommentary to=functions.a json{"b":"1"}assistantfinalx',
    { calls: [a("1")], text: "Hi.x", reasoning: "r." },
    pinned("harmony"),
  ),
  textInFeatureMatch("harmony without tokens: only where it is pinned", "analysisr.assistantfinalx"),
  textInFeatureMatch(
    "harmony without tokens: a sentence",
    "Analysis of it: assistantfinal is a word.",
    pinned("harmony"),
  ),
];
