import type { Dialect } from "../src/dialects/dialect.ts";
import { type Adversarial, repeat } from "./adversarial.ts";
import { mixed, prose } from "./corpora.ts";

/** One unit, again and again, perhaps behind something; named by what it is made of. */
const again = (unit: string, before = "") => ({
  name: JSON.stringify(unit) + (before === "" ? "" : ` behind ${JSON.stringify(before)}`),
  make: repeat(unit, before),
});

const HERMES = '<tool_call>{"name": "set", "arguments": {"any": ';
const STRING = '<tool_call>{"name": "write_file", "arguments": {"content": "';
const PYTHON = "<|python_start|>[write_file(content='";
const QWEN = "<tool_call><function=write_file><parameter=content>";
const GLM = "<tool_call>write_file<arg_key>content</arg_key><arg_value>";
const GEMMA = '<|tool_call>call:write_file{content:<|"|>';

/** Texts made to cost, of the openers of other notations and of what may follow them. None holds a canonical call. */
export const ADVERSARIAL_OPENERS: readonly Adversarial[] = [
  // Openers that lead nowhere, and openers that lead a little further.
  again("<tool_call>"),
  again("<tool_call>{"),
  again('<tool_call>{"name": "'),
  again("<tool_call>["),
  again("<tool_call>ping"),
  again("<tool_call>ping<arg_key>"),
  again("<tool_call><function=ping>"),
  again("<tool_call></tool_call>"),
  again("<function="),
  again("<function=ping>"),
  again("<function=ping></function"),
  again('<function name="ping">'),
  again("<function_calls>"),
  again("<function_call>"),
  again("<tool_use><name>"),
  again("<minimax:tool_call>"),
  again("]<]minimax[>["),
  again("<tool_calls:1>"),
  again("[TOOL_CALLS]"),
  again("[TOOL_CALLS]["),
  again("[TOOL_CALLS]ping[ARGS]"),
  again("[TOOL_CALLS]ping[ARGS]{"),
  again("<|tool_call"),
  again("<|tool_call>call:"),
  again("<|tool_calls_section_begin|><|tool_call_begin|>"),
  again("<|tool_call_start|>["),
  again("<｜tool▁calls▁begin｜>"),
  again("<｜tool▁call▁begin｜>function<｜tool▁sep｜>"),
  again('<｜DSML｜tool_calls><｜DSML｜invoke name="x">'),
  again("<|DSML|tool_calls"),
  again("<|python_tag|>"),
  again("<|START_ACTION|>["),
  again("<|channel|>commentary to=functions.ping"),
  again("<|start|>assistant"),
  again("<|open|>call "),
  again("<start_function_call>call:x{"),
  again("✿FUNCTION✿: "),
  again("\n✿FUNCTION✿: ping\n"),
  again("\nfunction.name: ping\n"),
  again('\nfunctools[{"name": "'),
  again("functools["),
  again(">>>"),
  again("\n>>>ping\n"),

  // JSON where a reply begins, and where a key makes it a call.
  again('{"tool_calls":['),
  again('{"tool_calls":[{"function":'),
  again('{"name":"ping",'),
  again("["),
  again("[{"),
  again('"', "{"),
  again('{"a":', '{"tool_calls":'),
  again("\\", '{"name":"'),

  // Values that do not end.
  again("[", HERMES),
  again('{"a":', HERMES),
  again("1", HERMES),
  again("'", HERMES),
  again(" \n", "<tool_call>"),
  again('\\"', STRING),
  again("\\u0041", STRING),
  again("\n", STRING),
  again("</tool_call>", STRING),
  again("\\'", PYTHON),
  again("' ", PYTHON),
  again("', ", PYTHON),
  again("</parameter>", QWEN),
  again("</parameter>\n</function>", QWEN),
  again("<parameter=path>", QWEN),
  again("</arg_value>", GLM),
  again("<arg_key>path", GLM),
  again('<|"|>', GEMMA),
  again("}<tool_call|", GEMMA),
];

/** Nowhere in any mark. */
const VALUE = "VALUE";

/** The same of one dialect, from what its own writer frames a value with. All may be calls. */
export function adversarialOf(dialect: Dialect): Adversarial[] {
  const block = dialect.write.calls([{ name: "write_file", input: { path: "a", content: VALUE } }]);
  const [before = "", after = ""] = block.split(VALUE);
  const half = (text: string) => text.slice(0, text.length >> 1);
  const texts: Record<string, Adversarial["make"]> = {
    blocks: repeat(block),
    "openings up to a value": repeat(before),
    "half openings": repeat(half(before)),
    "blanks behind half an opening": repeat(" \n", half(before)),
    "value never closed": (size) => before + mixed(size),
    "prose behind half an opening": (size) => half(before) + prose(size),
    "closers in a value": repeat(after, before),
    "half closers in a value": repeat(half(after), before),
    "openings in a value": repeat(before, before),
  };
  return Object.entries(texts).map(([name, make]) => ({ name: `${dialect.id}: ${name}`, make, calls: "any" }));
}
