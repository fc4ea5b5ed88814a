import { A1, A2, type Given, inForm, PING_JSON, read, tagged, text } from "./json-case.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, EARLY, ping } from "./rule-case.ts";

const TOOL_CALLS: Record<string, Given> = {
  "M5: anywhere in the text": {
    input: `I call {"tool_calls": [${A1}]} now.`,
    expect: { calls: [a("1")], text: "I call  now.", sawToolCallSyntax: true },
  },
  "M5: on many lines, other members behind": read(
    `{\n  "tool_calls": [\n    ${A1}\n  ],\n  "content": null, "role": "assistant"\n}`,
    [a("1")],
  ),
  "M5: in Python's quotes": read(
    `{'tool_calls': [{'name': 'ping', 'arguments': {}}]}`,
    [ping],
    ["single-quotes", "single-quotes", "single-quotes", "single-quotes"],
  ),
  "N1: an undeclared name passes here, too": read('{"tool_calls": [{"name": "zz", "input": {}}]}', [
    { name: "zz", arguments: {} },
  ]),
  "T4: objects without a list": read(`{"tool_calls": ${A1}, ${A2}}`, [a("1"), a("2")], ["missing-bracket"]),
  "T4: one object": read(`{"tool_calls": ${A1}}`, [a("1")]),
  "M2: the brace is missing at the end": read(`{"tool_calls": [${A1}]`, [a("1")], ["wrapper-close-missing"]),
  "M2: or all brackets of the list": read(`{"tool_calls": [${A1}`, [a("1")], ["wrapper-close-missing"]),
  "M2: something else than the list's end": {
    input: `{"tool_calls": [${A1} … and so on`,
    expect: { calls: [a("1")], text: "… and so on", repairs: ["wrapper-close-missing"] },
  },
  "T2: half a call": {
    input: `{"tool_calls": [${A1}, {"name": "a", "arguments": {"b": "2"`,
    expect: { calls: [], text: `{"tool_calls": [${A1}, {"name": "a", "arguments": {"b": "2"` },
    but: [
      {
        levels: EARLY,
        expect: { calls: [a("1")], open: { name: "a", prefix_of: '{"b":"2"' }, text: "", finish: "length" },
      },
    ],
  },
  "M5: no list of calls": text('{"tool_calls": "none"} {"tool_calls": [1]} {"tool_calls": } {"tool_calls"}'),
  "A6: a mention does not cost the call behind it": {
    input: `I write {"tool_calls": [ and [TOOL_CALLS]a[ARGS]{"b": "1"}`,
    expect: { calls: [a("1")], text: 'I write {"tool_calls": [ and' },
  },
  "A6: the key alone": {
    input: `I write {"tool_calls" [TOOL_CALLS]a[ARGS]{"b": "1"}`,
    expect: { calls: [a("1")], text: 'I write {"tool_calls"' },
  },
  "M5: another first key": text(`{"calls": [], "tool_calls": [${A1}]}`),
  "M5: a message of a transcript": text(`{"role": "assistant", "tool_calls": [${A1}], "x": {"tool_calls": [${A1}]}}`),
  "M5: whatever stands in it": text(
    `So {"content": "<tool_call>{'name': 'ping'}</tool_call>", "n": {"tool_calls": [${A1}]}}.`,
  ),
  "M5: behind it calls live again": {
    input: `{"role": "user", "content": "}"} ${tagged(A1)}`,
    expect: { calls: [a("1")], text: '{"role": "user", "content": "}"}' },
  },
  "M5: a transcript that does not end": text(`{"role": "user", "content": "x ${tagged(A1)}`),
  "M5: no message without a colon": {
    input: `{"content"} and ${tagged(A1)}`,
    expect: { calls: [a("1")], text: '{"content"} and' },
  },
};

const WHOLE: Record<string, Given> = {
  "M5: the whole reply": read(A1, [a("1")]),
  "M5: with blanks and stop tokens around it": read(`\n ${A1}\n<|eot_id|>\n<|im_end|>`, [a("1")]),
  "M5: as a list": read(`[${A1}, ${PING_JSON}]`, [a("1"), ping]),
  "M5: behind reasoning": {
    input: `<think>x</think>\n${A1}`,
    expect: { calls: [a("1")], text: "", reasoning: "x" },
  },
  "M5: with another key for the name": read('{"tool": "a", "params": {"b": "1"}}', [a("1")]),
  "M5: anything behind it": text(`${A1} x`),
  "M5: two objects": text(`${A1}\n${A2}`),
  "M5: anything before it": text(`x ${A1}`),
  "M5: an undeclared name": text('{"name": "zz", "arguments": {}}'),
  "M5: an undeclared name in a list": text(`[${A1}, {"name": "zz", "arguments": {}}]`),
  "M5: no key for arguments": text('{"name": "ping", "version": "1.0.0"}'),
  "M5: no call in a list of calls": text(`[${A1}, {"x": 1}]`),
  "M5: a role": text('{"role": "tool", "name": "ping", "arguments": {}}'),
  "M5: a tool's definition": text(
    '{"name": "a", "parameters": {"type": "object", "properties": {"b": {"type": "string"}}}}',
  ),
  "M5: a tool's definition, its name last": text('{"parameters": {"properties": {"b": {}}}, "name": "a"}'),
  "M5: a description beside parameters": text('{"name": "a", "description": "x", "parameters": {"b": "1"}}'),
  "M5: arguments with the name of a keyword": read('{"name": "ping", "parameters": {"type": "x", "title": "y"}}', [
    { name: "ping", arguments: { type: "x", title: "y" } },
  ]),
  "T2: cut": {
    input: '{"name": "a", "arguments": {"b": "1',
    upstreamFinish: "length",
    expect: { calls: [], text: '{"name": "a", "arguments": {"b": "1' },
  },
  "A6: a call behind JSON that is none": {
    input: `{"answer": 42}\n${tagged(A1)}`,
    expect: { calls: [a("1")], text: '{"answer": 42}' },
  },
};

/** Where the route asks for it by name. */
const PINNED: Record<string, Given> = {
  "M5: text behind it": {
    input: `${A1} x`,
    expect: { calls: [a("1")], text: "x" },
  },
  "M5: more than one": read(`${A1}; ${A2}\n[${PING_JSON}]`, [a("1"), a("2"), ping]),
  "M5: in the shape of an API": read('{"functionCall": {"name": "a", "args": {"b": "1"}}}', [a("1")]),
  "M5: as an action": read('{"action": "a", "action_input": {"b": "1"}}', [a("1")]),
  "M5: no call in a list of calls": {
    input: `[${A1}, {"x": 1}, {"name": "ping"}, ${A2}]`,
    expect: { calls: [a("1"), a("2")], text: "" },
  },
  "N1: an undeclared name": text('{"name": "zz", "parameters": {}}'),
  "M5: further keys make it data": {
    input: '{"tool": "ping", "arguments": {}, "note": "an example of the log"}',
    expect: { calls: [], text: '{"tool": "ping", "arguments": {}, "note": "an example of the log"}' },
  },
  "M5: before the name": text('{"arguments": {"b": "1"}, "note": 1, "name": "a"}'),
  "M5: in the first object of a list": text(`[{"title": "x", "items": [${A1}]}, ${A2}]`),
  "M5: a key behind arguments that may be out is passed over": read(
    '{"name": "a", "arguments": {"b": "1"}, "note": [1], "role": "x", "content": "y"}',
    [a("1")],
  ),
  "M5: keys of an API": read('{"type": "function", "id": "1", "function": {"name": "a", "arguments": {"b": "1"}}}', [
    a("1"),
  ]),
  "M5: data behind a good call": {
    input: `${A1}\n{"content": [${A2}]} x`,
    expect: { calls: [a("1")], text: `{"content": [${A2}]} x` },
  },
  "M5: an undeclared name behind a good call": {
    input: `${A1}; {"name": "zz", "arguments": {}} x`,
    expect: { calls: [a("1")], text: '; {"name": "zz", "arguments": {}} x' },
  },
};

/** Calls as JSON with nothing around it (sieve.md M5, N1). */
export const bareJson: readonly RuleCase[] = [
  ...inForm(TOOL_CALLS, "tool_calls"),
  ...inForm(WHOLE, "the whole reply"),
  ...inForm(PINNED, "pinned", { dialects: ["llama3_json"] }),
];
