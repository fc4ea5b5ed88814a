import type { ExpectedCall } from "../case-files.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, EARLY, ping } from "./rule-case.ts";

type Options = Partial<Omit<RuleCase, "rule" | "input" | "expect">>;

const modes = ["feature_match"] as const;
const pinned = (dialect: string) => ({ options: { dialects: [dialect] } });

const calls = (rule: string, input: string, expected: readonly ExpectedCall[], text = "", options: Options = {}) =>
  ({ rule, input, modes, ...options, expect: { calls: expected, text, finish: "tool" } }) satisfies RuleCase;

const none = (rule: string, input: string, options: Options = {}) =>
  ({ rule, input, modes, ...options, expect: { calls: [], text: input, finish: "stop" } }) satisfies RuleCase;

const repaired = (rule: string, input: string, expected: readonly ExpectedCall[], repairs: readonly string[]) =>
  ({ rule, input, modes, expect: { calls: expected, text: "", repairs } }) satisfies RuleCase;

const d = (text: string) => `<|"|>${text}<|"|>`;
const marked = (calls: string) => `<|tool_call>${calls}<tool_call|>`;
const X = `call:a{b:${d("x")}}`;
const set = (input: ExpectedCall["arguments"]): ExpectedCall => ({ name: "set", arguments: input ?? {} });

/** Calls as objects with bare keys and delimited strings (dialects of family G). */
export const delimited: readonly RuleCase[] = [
  calls("G, Gemma: no arguments", marked("call:ping{}"), [ping]),
  calls("G, Gemma: blanks", marked(` call:a { b : ${d("x")} , } `), [a("x")]),
  calls("G, Gemma: several calls in a pair", marked(`call:ping{}${X}, call:ping{}`), [ping, a("x"), ping]),
  calls("G, Gemma: text around", `One ${marked("call:ping{}")} two`, [ping], "One  two"),
  calls(
    "G, Gemma: values of all kinds",
    marked(`call:set{count:1,on:true,note:null,tags:[${d("x")},${d("y")}],options:{k:{l:[1.5,${d("}")}]}}}`),
    [set({ count: 1, on: true, note: null, tags: ["x", "y"], options: { k: { l: [1.5, "}"] } } })],
  ),
  calls("V10: digits", marked("call:set{any:12345678901234567890}"), [
    { name: "set", arguments_text: '{"any":12345678901234567890}' },
  ]),
  calls("A6: closers in a string are data", marked(`call:a{b:${d("}<tool_call|>")}}`), [a("}<tool_call|>")]),
  calls("N1: an undeclared name", marked("call:other{}"), [{ name: "other", arguments: {} }]),
  calls("N2: a namespace", marked(`call:google:mcp:x:a{b:${d("x")}}`), [a("x")]),
  calls("N2: a namespace before an undeclared name", marked("call:x:other{}"), [{ name: "x:other", arguments: {} }]),
  calls("N2: a declared name with a namespace", marked("call:x:a{}"), [{ name: "x:a", arguments: {} }], "", {
    options: { tools: [{ name: "x:a" }, { name: "a" }] },
  }),
  repaired("R23: other quotes", marked(`call:a{b:"x"}`), [a("x")], ["string-delimiters"]),
  repaired("R23: no quotes", marked("call:a{b:x y}"), [a("x y")], ["string-delimiters"]),
  repaired("R23: the brace is missing", marked(`call:a{b:${d("x")}`), [a("x")], ["missing-brace"]),
  repaired("T4: brackets as in Python", marked(`call:a(b=${d("x")})`), [a("x")], ["paren-form"]),
  repaired("M2: the closer is missing", `<|tool_call>${X}`, [a("x")], ["wrapper-close-missing"]),
  calls("R8: the whole object is JSON", marked('call:set{"plain": "a\\/b", "tags": ["x"]}'), [
    set({ plain: "a/b", tags: ["x"] }),
  ]),
  calls("R8: a JSON object instead of a call", marked('{"name": "a", "arguments": {"b": "x"}}'), [a("x")]),
  calls("W4: surplus closers", `${marked(X)}<tool_call|><turn|>`, [a("x")]),
  {
    rule: "W2: an invented result",
    input: `${marked(X)}<|tool_response>response:a{b:1}<tool_response|> So`,
    modes,
    expect: { calls: [a("x")], text: "", finish: "tool" },
  },
  {
    rule: "A4: Gemma's channel of thoughts",
    input: "<|channel>thought\nHm.\n<channel|>So.<turn|>",
    modes,
    expect: { calls: [], reasoning: "\nHm.\n", text: "So." },
  },
  {
    rule: "A4: a call in Gemma's channel",
    input: `<|channel>thought\nHm.${marked(X)}\n<channel|>So.`,
    modes,
    expect: { calls: [a("x")], reasoning: "\nHm.\n", text: "So." },
  },
  {
    rule: "A4: a call that lost its wrapper is a thought in reasoning",
    input: "So.",
    reasoning: `${X}\n`,
    modes,
    ...pinned("gemma4"),
    expect: { calls: [], reasoning: `${X}\n`, text: "So." },
  },
  none("A6: a mention", "The mark <|tool_call> opens a call:a{b} or so."),
  none("A6: a name alone", marked("call:a")),
  none("G, Gemma: no value", marked("call:a{b}")),
  none("A1: in a fence", `\`\`\`\n${marked(X)}\n\`\`\``),
  {
    rule: "G3: a bad call",
    input: `${marked(`call:a{b:${d("x")} c}`)}!`,
    modes,
    expect: { calls: [], text: `${marked(`call:a{b:${d("x")} c}`)}!`, outcomes: ["malformed"] },
    but: [{ levels: EARLY, expect: { open: { name: "a", prefix_of: '{"b":"x"' } } }],
  },
  {
    rule: "G3: a bad call beside a good one",
    input: `${marked(`call:ping{}call:ping{1}${X}`)}!`,
    modes,
    expect: { calls: [ping], text: "!", finish: "tool" },
  },
  {
    rule: "T1: cut in a string",
    input: '<|tool_call>call:ping{}call:a{b:<|"|>x<|"',
    upstreamFinish: "length",
    modes,
    expect: { calls: [], text: '<|tool_call>call:ping{}call:a{b:<|"|>x<|"', finish: "length" },
    but: [{ levels: EARLY, expect: { calls: [ping], open: { name: "a", prefix_of: '{"b":"x' } } }],
  },
  calls("M5, pinned: without its wrapper", `${X}call:ping{}<tool_call|>`, [a("x"), ping], "", pinned("gemma4")),
  calls("M5, pinned: without any mark", `So:\n${X}\nDone.`, [a("x")], "So:\n\nDone.", pinned("gemma4")),
  ...["call:me{later}", "call:a{later}", "call:a is right.", "Please call:a{b:1}", "call:other{}"].map((input) =>
    none(`M5, pinned: ${input}`, input, pinned("gemma4")),
  ),
  none("M5: not pinned", X),
  calls(
    "G, FunctionGemma: its marks",
    "<start_function_call>call:a{b:<escape>x <|<escape>}<end_function_call><start_function_response>response:a{}",
    [a("x <|")],
  ),
];
