import { a, inFeatureMatch, ping, pinned, type RuleCase, textInFeatureMatch } from "./rule-case.ts";

const BEGIN = "<|tool_call_begin|>";
const ARGUMENTS = "<|tool_call_argument_begin|>";
const END = "<|tool_call_end|>";
const kimi = (name: string, json: string) => `${BEGIN}${name}${ARGUMENTS}${json}${END}`;
const inSection = (...calls: string[]) => `<|tool_calls_section_begin|>${calls.join("")}<|tool_calls_section_end|>`;

const v3 = (name: string, rest: string) =>
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}${rest}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const inFence = '\n```json\n{"b": "1"}\n```';
const asciiOf = (text: string, joint: string) => text.replaceAll("｜", "|").replaceAll("▁", joint);

/** A name with JSON behind it: names, separators, ends; sieve.md N2, T4, A4, M5 for those notations. */
export const named: readonly RuleCase[] = [
  inFeatureMatch("N2: Kimi's prefix and counter are cut", kimi("functions.a:12", '{"b":"1"}'), {
    calls: [a("1")],
    repairs: [],
  }),
  inFeatureMatch("N2: so is a counter of another spelling", kimi("a_0", '{"b":"1"}'), { calls: [a("1")] }),
  inFeatureMatch(
    "N2: a name that is declared as it is written is whole",
    kimi("functions.a:0", "{}"),
    {
      calls: [{ name: "functions.a:0", arguments: {} }],
    },
    { options: { tools: [{ name: "a" }, { name: "functions.a:0" }] } },
  ),
  inFeatureMatch("N1: an undeclared name is passed on without them", kimi("functions.zz:0", "{}"), {
    calls: [{ name: "zz", arguments: {} }],
  }),
  inFeatureMatch("blanks around names and separators", `${BEGIN} functions.a:0 ${ARGUMENTS} {"b":"1"} ${END} `, {
    calls: [a("1")],
  }),
  inFeatureMatch(
    "two calls in a section",
    inSection(kimi("functions.a:0", '{"b":"1"}'), kimi("functions.ping:1", "{}")),
    {
      calls: [a("1"), ping],
      repairs: [],
    },
  ),
  inFeatureMatch(
    "M2: the section's closer is missing",
    inSection(kimi("functions.a:0", '{"b":"1"}')).slice(0, -"<|tool_calls_section_end|>".length),
    {
      calls: [a("1")],
      repairs: ["wrapper-close-missing"],
    },
  ),
  inFeatureMatch("T4: a call whose own closer is missing", kimi("functions.a:0", '{"b":"1"}').slice(0, -END.length), {
    calls: [a("1")],
    repairs: ["wrapper-close-missing"],
  }),
  inFeatureMatch("M2: half a closer", kimi("functions.a:0", '{"b":"1"}').slice(0, -3), {
    calls: [a("1")],
    repairs: ["closer-cut", "wrapper-close-missing"],
  }),
  inFeatureMatch("T4: the closer tells of a missing brace", kimi("a", '{"b":"1"'), {
    calls: [a("1")],
    repairs: ["missing-brace"],
  }),
  inFeatureMatch("T4: a brace too many", kimi("a", '{"b":"1"}}'), { calls: [a("1")], repairs: ["surplus-brace"] }),
  inFeatureMatch("T4: no arguments at all", kimi("ping", ""), { calls: [ping], repairs: ["arguments-missing"] }),
  inFeatureMatch("T4: arguments that are encoded once more", kimi("a", '"{\\"b\\": \\"1\\"}"'), { calls: [a("1")] }),
  textInFeatureMatch("T1: a missing brace at the end of the reply", `${BEGIN}a${ARGUMENTS}{"b":"1"`, {
    expect: { calls: [], text: `${BEGIN}a${ARGUMENTS}{"b":"1"`, finish: "stop" },
    but: [{ levels: ["high", "low"], expect: { open: { name: "a", prefix_of: '{"b":"1"' }, finish: "length" } }],
  }),
  textInFeatureMatch("A6: a mention of an opener", `The token ${BEGIN} stands before a name, ${ARGUMENTS} before {.`),
  inFeatureMatch("A6: and the call behind it", `The token ${BEGIN} stands before it: ${kimi("ping", "{}")}`, {
    calls: [ping],
    text: `The token ${BEGIN} stands before it:`,
  }),
  inFeatureMatch("G3: a bad sibling is dropped", inSection(kimi("a", '{"b" 1}'), kimi("ping", "{}")), {
    calls: [ping],
  }),
  inFeatureMatch("R8: a JSON object where a name should stand", `${BEGIN}{"name": "ping", "arguments": {}}${END}`, {
    calls: [ping],
  }),
  inFeatureMatch("R18: DeepSeek's separator behind Kimi's opener", `${BEGIN}a<|tool_sep|>{"b":"1"}${END}`, {
    calls: [a("1")],
  }),
  inFeatureMatch("A4: an opener in reasoning suspends it", `<think>x ${inSection(kimi("ping", "{}"))}y</think>z`, {
    calls: [ping],
    reasoning: "x y",
    text: "z",
  }),
  inFeatureMatch("A4: a closer of reasoning in its arguments is data", `<think>x ${kimi("a", '{"b":"</think>"}')}`, {
    calls: [a("</think>")],
    reasoning: "x ",
  }),

  inFeatureMatch("A3: a fence around the arguments", v3("a", inFence), { calls: [a("1")], repairs: [] }),
  inFeatureMatch("A3: a fence in them is data", v3("a", '{"b": "```"}'), { calls: [a("```")] }),
  inFeatureMatch("no fence, no separator", v3("a", ' {"b": "1"}'), { calls: [a("1")] }),
  inFeatureMatch("the word for the type is missing", v3("a", inFence).replace("function<｜tool▁sep｜>", ""), {
    calls: [a("1")],
  }),
  ...["_", " ", "\\_"].map((joint) =>
    inFeatureMatch(`R18: in plain letters, with ${JSON.stringify(joint)}`, asciiOf(v3("a", inFence), joint), {
      calls: [a("1")],
      repairs: [],
    }),
  ),
  inFeatureMatch("W2, W4: results and a stop token behind a section", `${v3("ping", "{}")}<｜tool▁outputs▁begin｜>no`, {
    calls: [ping],
  }),
  inFeatureMatch("W4: a stop token behind a section", `${v3("ping", "{}")}<｜end▁of▁sentence｜>`, { calls: [ping] }),
  textInFeatureMatch("A1: not in a fence of the text", `\`\`\`\n${v3("ping", "{}")}\n\`\`\``),

  inFeatureMatch(
    "Mistral: calls with ids, and text between them",
    '[TOOL_CALLS]a[CALL_ID]x9[ARGS]{"b":"1"} so [TOOL_CALLS]ping{}</s>',
    {
      calls: [a("1"), ping],
      text: "so",
    },
  ),
  inFeatureMatch(
    "A6: a form with a placeholder, and a call behind it",
    "As [TOOL_CALLS]name[ARGS]{arguments}: [TOOL_CALLS]ping[ARGS]{}",
    { calls: [ping], text: "As [TOOL_CALLS]name[ARGS]{arguments}:" },
  ),
  inFeatureMatch(
    "A6: a mention before quotes, and one before braces",
    'The [TOOL_CALLS] token "begins" a call, [TOOL_CALLS] objects {"like": this}. [TOOL_CALLS]ping{}',
    { calls: [ping], text: 'The [TOOL_CALLS] token "begins" a call, [TOOL_CALLS] objects {"like": this}.' },
  ),
  textInFeatureMatch("N1: an undeclared name that nothing sets apart", '[TOOL_CALLS]zz{"b": "1"}'),
  textInFeatureMatch("Mistral: a mention", "The token [TOOL_CALLS] begins a call, [ARGS] its arguments."),
  inFeatureMatch("Mistral: reasoning", "[THINK]r[/THINK][TOOL_CALLS]ping{}", { calls: [ping], reasoning: "r" }),

  inFeatureMatch(
    "residue: names right behind each other",
    'a{"b":"1"}ping{}',
    { calls: [a("1"), ping] },
    pinned("mistral_v11"),
  ),
  inFeatureMatch(
    "residue: Kimi's names",
    ' functions.a:0{"b":"1"}functions.ping:1{} so',
    { calls: [a("1"), ping], text: "so" },
    pinned("kimi_k2"),
  ),
  inFeatureMatch(
    "residue: DeepSeek's type and fences",
    `functiona${inFence}\nfunctionping\n{}`,
    { calls: [a("1"), ping] },
    pinned("deepseek_v3"),
  ),
  inFeatureMatch(
    "residue: behind reasoning",
    "<think>r</think>ping{}",
    { calls: [ping], reasoning: "r" },
    pinned("deepseek_v31"),
  ),
  textInFeatureMatch("residue: only where it is pinned", "ping{}"),
  textInFeatureMatch("residue: only where the reply begins", "So: ping{}", pinned("mistral_v11")),
  textInFeatureMatch("residue: only with a declared name", "zz{}", pinned("mistral_v11")),
  textInFeatureMatch(
    "residue: a name in a sentence",
    "ping is a tool {that answers}",
    pinned("mistral_v11", "kimi_k2"),
  ),
  textInFeatureMatch("residue: a name at the end", "ping", pinned("mistral_v11")),
  inFeatureMatch(
    "residue: other openers live where it does not begin",
    "function.name: ping\nfunction.arguments: {}",
    { calls: [ping] },
    pinned("glm4_old", "kimi_k2"),
  ),
  inFeatureMatch(
    "several residues may be pinned",
    "functionping{}",
    { calls: [ping] },
    pinned("mistral_v11", "glm4_old", "deepseek_v3"),
  ),
];
