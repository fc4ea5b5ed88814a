import type { ExpectedCall } from "../case-files.ts";
import { A1, A2, broken, type Given, inForm, malformed, PING_JSON, read, tagged, text } from "./json-case.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, EARLY, ping } from "./rule-case.ts";

const set = (json: string): ExpectedCall => ({ name: "set", arguments_json: json });

const ONE_CALL: Record<string, Given> = {
  "dialects: arguments before the name": read(tagged('{"arguments": {"b": "1"}, "name": "a"}'), [a("1")]),
  "dialects: members that mean nothing here": read(
    tagged(
      '{"id": "x}", "type": "function", "index": [0, {"name": "no"}], "name": "a", "arguments": {"b": "1"}, "n": null}',
    ),
    [a("1")],
  ),
  "dialects: name and arguments one object deeper": read(tagged(`{"type": "function", "function": ${A1}}`), [a("1")]),
  "dialects: and two objects deeper": read(tagged(`{"tool_call": {"function": ${A1}}}`), [a("1")]),
  "dialects: but not three": malformed(tagged(`{"tool_call": {"tool_call": {"function": ${A1}}}}`)),
  "dialects: the name one object deeper, the arguments beside it": read(
    tagged('{"function": {"name": "a"}, "arguments": {"b": "1"}}'),
    [a("1")],
  ),
  "G1: of two names the first one counts": read(tagged('{"name": "a", "tool": "ping", "arguments": {"b": "1"}}'), [
    a("1"),
  ]),
  "V8: of two arguments the first ones stand": read(
    tagged('{"name": "a", "arguments": {"b": "1"}, "parameters": {"b": "2"}}'),
    [a("1")],
  ),
  "V10: no arguments": read(tagged('{"name": "ping"}'), [ping]),
  "V10: arguments that are null": read(tagged('{"name": "ping", "arguments": null}'), [ping]),
  "V10: arguments that are an empty text": read(tagged('{"name": "ping", "arguments": ""}'), [ping]),
  "V10: arguments that are the text null": read(tagged('{"name": "ping", "arguments": " null "}'), [ping]),
  "N2: spelt as declared": read(tagged('{"name": "PING", "arguments": {}}'), [ping]),
  "N1: an undeclared name passes": read(tagged('{"name": "zz", "arguments": {"n": 1.0}}'), [
    { name: "zz", arguments_json: '{"n":1.0}' },
  ]),
  "N3: what is no name makes no call": malformed(tagged('{"name": "$TOOL", "arguments": {"b": "1"}}')),
  "N3: an empty name makes no call": malformed(tagged('{"name": "", "arguments": {}}')),
  "A6: an object without a name": malformed(tagged('{"b": "1"}')),
  "A6: no object": text(tagged("[1, 2]")),
  "A6: a mention": text('Put <tool_call>{"name": …}</tool_call> there, or <tool_call>{}. '),
  "A6: a mention does not cost the call behind it": {
    input: `Put <tool_call>{json} there: ${tagged(A1)}`,
    expect: { calls: [a("1")], text: "Put <tool_call>{json} there:" },
  },
  "V9: the source of a value is passed on": read(
    tagged('{"name": "set", "arguments": {"any": [1.0, 1e5, 12345678901234567890, "\\u00e9\\/"]}}'),
    [set('{"any":[1.0, 1e5, 12345678901234567890, "\\u00e9\\/"]}')],
  ),
  "V6: a text where the schema wants something else": read(
    tagged('{"name": "set", "arguments": {"count": "5", "on": "True", "tags": "[\\"x\\"]", "plain": "5", "any": "5"}}'),
    [set('{"count":5,"on":true,"tags":["x"],"plain":"5","any":"5"}')],
  ),
};

const ENCODED: Record<string, Given> = {
  "V9: arguments as JSON in a text": read(
    tagged('{"name": "a", "arguments": "{\\"b\\": \\"x\\\\ny \\\\\\"z\\\\\\"\\"}"}'),
    [a('x\ny "z"')],
  ),
  "dialects: the same before the name": read(tagged('{"arguments": "{\\"b\\": \\"1\\"}", "name": "a"}'), [a("1")]),
  "T4: a surplus bracket in the text": read(
    tagged('{"name": "a", "arguments": "{\\"b\\": \\"1\\"}}"}'),
    [a("1")],
    ["surplus-brace"],
  ),
  "T4: mended in the text": read(
    tagged(`{"name": "set", "arguments": "{'on': True, 'count': 1,}"}`),
    [set('{"on":true,"count":1}')],
    ["single-quotes", "python-literal", "single-quotes", "trailing-comma"],
  ),
  "G3: anything behind the object in the text makes no call": broken(
    tagged('{"name": "a", "arguments": "{\\"b\\": \\"1\\"} x"}'),
    "malformed",
    '{"b":"1"',
  ),
  "G3: a text that is no object makes no call": malformed(tagged('{"name": "a", "arguments": "Oslo"}')),
  "T1: nor does half an object": broken(
    tagged('{"name": "a", "arguments": "{\\"b\\": \\"1\\""}'),
    "malformed",
    '{"b":"1"',
  ),
  "G3: a list makes no call": malformed(tagged('{"name": "a", "arguments": ["1"]}')),
  "G3: a bad sibling is dropped, whatever stands in its text": {
    input: tagged(A1, '{"name": "write", "arguments": "<tool_call>"}', PING_JSON),
    expect: { calls: [a("1"), ping], text: "", repairs: [] },
  },
};

const MENDED: Record<string, Given> = {
  "T4: a surplus bracket": read(tagged(`${A1}}`), [a("1")], ["surplus-brace"]),
  "T4: more of them": read(tagged(`[${A1}]] }`), [a("1")], ["surplus-brace"]),
  "T4: brackets missing where the wrapper closes": read(
    tagged('{"name": "set", "arguments": {"tags": ["x"'),
    [set('{"tags":["x"]}')],
    ["missing-brace", "missing-brace"],
  ),
  "T4: the list's bracket missing where the wrapper closes": read(
    tagged(`[${A1}, ${A2}`),
    [a("1"), a("2")],
    ["missing-brace"],
  ),
  "T4: a comma behind the last call": read(tagged(`[${A1},]`), [a("1")], ["trailing-comma"]),
  "T4: a comma missing between two calls": read(tagged(`[${A1} ${A2}]`), [a("1"), a("2")], ["missing-comma"]),
  "T4: a comma missing between two members": read(
    tagged('{"name": "set" "arguments": {"any": {"x": 1} "plain": "p"}}'),
    [set('{"any":{"x": 1},"plain":"p"}')],
    ["missing-comma", "missing-comma"],
  ),
  "T4: keys without quotes": read(
    tagged('{name: "set", arguments: {any: {x: 1}}}'),
    [set('{"any":{"x":1}}')],
    ["unquoted-key", "unquoted-key", "unquoted-key", "unquoted-key"],
  ),
  "T4: characters that JSON wants escaped": read(
    tagged('{"name": "a", "arguments": {"b": "x\ny\tC:\\Users\\me"}}'),
    [a("x\ny\tC:\\Users\\me")],
    ["control-character", "lone-backslash"],
  ),
  "T1: a text that is open is never closed": broken(
    tagged('{"name": "a", "arguments": {"b": "1}}'),
    "truncated",
    '{"b":"1}}</tool_call>',
  ),
  "T4: a quote in the midst of a text is no missing comma": broken(
    tagged('{"name": "a", "arguments": {"b": "say "hi""}}'),
    "malformed",
    '{"b":"say "',
  ),
};

const MANY_CALLS: Record<string, Given> = {
  "dialects: several objects in one wrapper": read(tagged(A1, "\n", A2, ";", PING_JSON, ",", A1), [
    a("1"),
    a("2"),
    ping,
    a("1"),
  ]),
  "dialects: lists and objects in one wrapper": read(tagged(`[${A1}]\n`, A2), [a("1"), a("2")]),
  "G3: what is cut is dropped behind a good call": read(tagged(A1, '{"name": "a", "arguments": {"b": '), [a("1")]),
  "G3: a nameless sibling is dropped": read(tagged(`[${A1}, {"x": 1}, ${PING_JSON}]`), [a("1"), ping]),
  "G3: no object among the calls": {
    input: tagged(`[${A1}, "x", ${PING_JSON}]`),
    expect: { calls: [a("1")], text: "", repairs: [] },
  },
  ...Object.fromEntries(
    ["{", '{"', '{"t', '{"tool_calls":', '{"tool_calls": [', "["].map((cut): [string, Given] => [
      `T5: a further call cut in its head: ${cut}`,
      {
        input: `<tool_call>${A1}\n${cut}`,
        upstreamFinish: "length",
        expect: { calls: [], text: `<tool_call>${A1}\n${cut}`, outcomes: ["truncated"], finish: "length" },
        but: [
          {
            levels: EARLY,
            expect: { calls: [a("1")], text: "", repairs: ["wrapper-close-missing"], finish: "length" },
          },
        ],
      },
    ]),
  ),
  "M2: the wrapper's closer is missing at the end": read(`<tool_call>${A1}`, [a("1")], ["wrapper-close-missing"]),
  "M2: or the list's, too": read(`<tool_call>[${A1}, `, [a("1")], ["wrapper-close-missing"]),
  "M2: a cut closer": read(`<tool_call>${A1}\n</tool`, [a("1")], ["closer-cut", "wrapper-close-missing"]),
  "T2: half a closer behind a missing bracket": broken(`<tool_call>${A1.slice(0, -1)}</tool`, "truncated", '{"b":"1"}'),
  "T1: a closer that the gateway had set as a stop string": {
    input: `<tool_call>${A1}`,
    options: { gatewayStop: ["</tool_call>"] },
    expect: { calls: [a("1")], text: "", repairs: [] },
  },
  "A3: a fence inside the wrapper": read(tagged(`\n\`\`\`json\n${A1}\n\`\`\`\n`), [a("1")], ["fence-in-wrapper"]),
  "A3: without an info word, the wrapper's closer missing": read(
    `<tool_call>\`\`\`\n[${A1}]\n\`\`\``,
    [a("1")],
    ["fence-in-wrapper", "wrapper-close-missing"],
  ),
  "A3: a fence of something else": text("Put <tool_call>```xml\n{} there."),
  "W4: a surplus closer": read(`${tagged(A1)}</tool_call>`, [a("1")]),
  "T4: in the wrapper of another notation": read(`<tool_calls>${A1}${A2}</tool_calls>`, [a("1"), a("2")]),
  "T4: behind a mark that nothing closes": {
    input: `So: [TOOL_CALLS][${A1}, ${A2}] x`,
    expect: { calls: [a("1"), a("2")], text: "So:  x", repairs: [] },
  },
  "A6: an example in a broken call behind such a mark does not run": broken(
    `[TOOL_CALLS][{"name": "a", "arguments": {"b": "say "${tagged(A2)}"}}]`,
    "malformed",
    '{"b":"say "',
  ),
  "T4: nor may brackets be missing there": broken(`[TOOL_CALLS][${A1.slice(0, -1)} !`, "malformed", '{"b":"1"}'),
};

const behind = (wrapped: string, text: string, repairs: readonly string[] = []): Given => ({
  input: `${wrapped}\n\n${text}`,
  expect: { calls: [a("1")], text, finish: "tool", repairs },
});

/** A bracket that begins no calls is none of the block's, before the first call and behind the last. */
const OTHER_BRACKETS: Record<string, Given> = {
  "E1: a list of something else behind a list of calls": behind(`[TOOL_CALLS] [${A1}]`, "[1] see above."),
  "E1: a link": behind(`functools[${A1}]`, "[See](https://example.org) {more}."),
  "E1: a word in braces": behind(`<|tool_call|>[${A1}]`, "{curly} text"),
  "E1: an empty list": behind(`<|tool_calls|>[${A1}]`, "[ ] to do"),
  "E1: behind one object": behind(`<|python_tag|>${A1}`, "[note] ok"),
  "E1: in a wrapper, as any text": behind(`<tool_call>${A1}`, "[1] text\n</tool_call>", ["wrapper-close-missing"]),
  "E1: data": behind(`[TOOL_CALLS] [${A1}]`, '{"result": 1} was the output, [{"n": 1}] before.'),
  "E1: a message of a transcript": behind(`[TOOL_CALLS] [${A1}]`, `{"content": [${A2}]} x`),
  "E1: data that breaks": behind(`<|python_tag|>${A1}`, '{"a": oops} x'),
  "E1: behind a separator": {
    input: `[TOOL_CALLS][${A1}]; [1] x`,
    expect: { calls: [a("1")], text: "; [1] x", finish: "tool" },
  },
  "G4: a further block whose opener begins with the bracket": read(
    `[TOOL_CALLS] [${A1}]\n\n[TOOL_CALLS] [${PING_JSON}]`,
    [a("1"), ping],
  ),
  "W4: a surplus closer and a stop token": read(`[TOOL_CALLS][${A1}][/TOOL_CALLS]</s>`, [a("1")]),
  "W2: results": {
    input: `[TOOL_CALLS] [${A1}]\n[TOOL_RESULTS]{"content": "x"}[/TOOL_RESULTS]`,
    expect: { calls: [a("1")], text: "", finish: "tool" },
  },
  "A6: an opener twice": {
    input: '[TOOL_CALLS]\n\n[TOOL_CALLS]a[ARGS]{"b": "1"}',
    expect: { calls: [a("1")], text: "[TOOL_CALLS]" },
  },
  "A6: another opener behind a mention": {
    input: 'I close <|tool_call>\n[TOOL_CALLS]a[ARGS]{"b": "1"}',
    expect: { calls: [a("1")], text: "I close <|tool_call>" },
  },
  "A6: a brace and the same opener": {
    input: `<tool_call>{ is it. ${tagged(A1)}`,
    expect: { calls: [a("1")], text: "<tool_call>{ is it." },
  },
  ...Object.fromEntries(
    ["All done.", ", was it", ', "x" Done.', ", [1]", "; then"].map((text): [string, Given] => [
      `E1: text behind a call of a list that nothing closes: ${text}`,
      { input: `[TOOL_CALLS][${A1} ${text}`, expect: { calls: [a("1")], text, repairs: [] } },
    ]),
  ),
  "T4: what goes back is not mended": {
    input: `[TOOL_CALLS][${A1}] {b: 'x'}`,
    expect: { calls: [a("1")], text: "{b: 'x'}", repairs: [] },
  },
  "T4: what is called is": read(
    `[TOOL_CALLS][${A1}] {name: "ping", arguments: {}}`,
    [a("1"), ping],
    ["unquoted-key", "unquoted-key"],
  ),
  "A6: another opener behind such a call": {
    input: `[TOOL_CALLS][${A1}, [TOOL_CALLS][${PING_JSON}]`,
    expect: { calls: [a("1"), ping], text: ",", repairs: [] },
  },
  "T2: cut behind the bracket": {
    input: `<tool_call>[`,
    upstreamFinish: "length",
    expect: { calls: [], text: "<tool_call>[", finish: "length", outcomes: ["truncated"] },
  },
};

/** The object of the vendor's own messages, in a wrapper. */
const ENVELOPES: Record<string, Given> = {
  "M5: tool_calls in a wrapper": read(tagged(`\n{"tool_calls": [${A1}, ${PING_JSON}]}\n`), [a("1"), ping]),
  "M5: in a wrapper of wrappers": read(`<tool_calls>{"tool_calls": [${A1}]}</tool_calls>`, [a("1")]),
  "M5: behind a mark that nothing closes": read(`[TOOL_CALLS] {"tool_calls": [${A1}]}`, [a("1")]),
  "A6: behind a mention of the wrapper": read(
    `<tool_call>\n{"tool_calls": [${A1}]}`,
    [a("1")],
    ["wrapper-close-missing"],
  ),
  "T4: a surplus brace behind it": read(tagged(`{"tool_calls": [${A1}]}}`), [a("1")], ["surplus-brace"]),
  "G3: no object among its calls": {
    input: `${tagged(`{"tool_calls": [${A1} oops]}`)} x`,
    expect: { calls: [a("1")], text: "x", repairs: [] },
  },
  "G3: the same behind a call": {
    input: `${tagged(`${PING_JSON}\n{"tool_calls": [${A1} oops]}`)} x`,
    expect: { calls: [ping, a("1")], text: "x", repairs: [] },
  },
  "E1: the same where nothing closes": {
    input: `[TOOL_CALLS]{"tool_calls": [${A1} oops]} x`,
    expect: { calls: [a("1")], text: "oops]} x", repairs: [] },
  },
  "M2: cut behind a call of it": read(
    `<tool_call>${PING_JSON}\n{"tool_calls": [${A1}`,
    [ping, a("1")],
    ["wrapper-close-missing"],
  ),
  "T4: its brace missing": read(tagged(`{"tool_calls": [${A1}]`), [a("1")], ["missing-brace"]),
  "M5: no list of calls in a wrapper": text(tagged('{"tool_calls": "none"}')),
};

/** Calls as JSON objects in wrappers, and behind marks that nothing closes (sieve.md T1, T4, V9). */
export const json: readonly RuleCase[] = [
  ...inForm(ONE_CALL, "JSON"),
  ...inForm(ENCODED, "JSON in JSON"),
  ...inForm(MENDED, "mended JSON"),
  ...inForm(MANY_CALLS, "calls in JSON"),
  ...inForm(OTHER_BRACKETS, "brackets"),
  ...inForm(ENVELOPES, "envelopes"),
];
