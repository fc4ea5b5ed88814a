import { call, flat, mixed, prose, writeFile } from "./corpora.ts";

/** Texts made to cost more than they are long. None holds a call that is to be run, unless `calls` says so. */
export interface Adversarial {
  name: string;
  make(size: number): string;
  /** How many calls it gives with early emission off, where not 0. */
  calls?: number | "any";
}

const PING = '<tool_calls><invoke name="ping"/></tool_calls>';
const VALUE = '<tool_calls><invoke name="write_file"><parameter name="content">';
const CDATA = `${VALUE}<![CDATA[`;
const PYTHON = "<|tool_call_start|>";
const DELIMITED = "<|tool_call>call:";
const VALUE_END = "</parameter></invoke></tool_calls>";

export const repeat =
  (unit: string, before = "", after = "") =>
  (size: number) =>
    flat(before + unit.repeat(Math.ceil(size / unit.length)).slice(0, size) + after);

/** A parameter of the tool `set` whose value is one unit, again and again. */
const typed = (name: string, unit: string) =>
  repeat(unit, `<tool_calls><invoke name="set"><parameter name="${name}">`, VALUE_END);

/** Runs of one, two, three … backticks, so that none closes another. */
function backtickRuns(size: number, between: string): string {
  const runs: string[] = [];
  for (let length = 0, run = 1; length < size; run++) {
    runs.push("`".repeat(run), between);
    length += run + between.length;
  }
  return flat(runs.join(""));
}

export const ADVERSARIAL: readonly Adversarial[] = [
  // Openers that lead nowhere.
  { name: "wrapper never closed, then prose", make: (size) => `<tool_calls>\n${prose(size)}` },
  { name: "invoke never closed, then mixed text", make: (size) => `${PING.slice(0, -15)}>${mixed(size)}` },
  { name: "wrapper openings", make: repeat("<tool_calls>") },
  { name: "pairs of wrapper tags", make: repeat("<tool_calls></tool_calls>") },
  { name: "wrapper openings that never end", make: repeat("<tool_calls text with ") },
  { name: "wrapper opening of endless attributes", make: repeat(' a="b"', "<tool_calls") },
  { name: "invoke openings", make: repeat('<invoke name="x">') },
  { name: "bare invokes", make: repeat('<invoke name="x"></invoke>') },
  { name: "invoke openings in a wrapper", make: repeat('<invoke name="ping">', "<tool_calls>") },
  { name: "nameless invokes in a wrapper", make: repeat("<invoke></invoke>", "<tool_calls>", "</tool_calls>") },
  { name: "bad invokes in a wrapper", make: repeat('<invoke name="ping">x</invoke>', "<tool_calls>", "</tool_calls>") },
  { name: "comments in a wrapper", make: repeat("<!-- x -->", "<tool_calls>") },
  { name: "comment openings in a wrapper", make: repeat("<!--", "<tool_calls>") },
  { name: "blanks in a wrapper", make: repeat(" \n", "<tool_calls>", "x") },
  { name: "closers", make: repeat("</parameter></invoke></tool_calls>") },
  { name: "result openings", make: repeat("<tool_results>") },
  { name: "many blocks", make: repeat(PING), calls: "any" },

  // JSON.
  { name: "JSON calls that hold none", make: repeat('<tool_call>{"x": 1}') },
  { name: "JSON that nests", make: repeat('{"a":[', '<tool_call>{"name":"ping","arguments":{"x":') },
  { name: "JSON that nests name and arguments", make: repeat('{"function":', "<tool_call>") },
  { name: "brackets in tags", make: repeat("[", "<tool_call>") },
  { name: "closing brackets behind a call", make: repeat("}", '<tool_call>{"name":"ping"}'), calls: "any" },
  { name: "calls in JSON", make: repeat('{"name":"ping"},', "<tool_call>["), calls: "any" },
  { name: "bad calls in JSON", make: repeat('{"name":"$X","arguments":[1]},', "<tool_call>["), calls: 0 },
  { name: "JSON escapes", make: repeat("\\u0041\\", '<tool_call>{"name":"ping","arguments":{"x":"') },
  { name: "JSON escapes twice", make: repeat('\\\\\\"', '<tool_call>{"name":"ping","arguments":"{\\"x\\":\\"') },
  { name: "JSON members without end", make: repeat('"a":1,', '<tool_call>{"name":"ping","arguments":{') },
  { name: "arguments before the name", make: repeat('"a":1,', '<tool_call>{"arguments":{') },
  { name: "a key without end", make: repeat("key", '<tool_call>{"') },
  { name: "objects of calls", make: repeat('{"tool_calls":') },
  { name: "lists of calls", make: repeat('{"tool_calls":[') },
  { name: "objects of calls in objects", make: repeat('{"tool_calls":[{"x":') },
  { name: "messages", make: repeat('{"role":') },
  { name: "messages of strings", make: repeat('{"content":"x') },
  { name: "beginnings of a key", make: repeat('{ "tool_call') },
  { name: "a list that may be all", make: repeat('{"name":"ping","arguments":{}},', "[") },
  { name: "marks of lists", make: repeat("[TOOL_CALLS] [{") },

  // Text that is none of these.
  { name: "angle brackets", make: repeat("<") },
  { name: "braces", make: repeat("{") },
  { name: "blanks", make: repeat(" \n\t") },
  { name: "carriage returns", make: repeat("\r") },
  { name: "emoji", make: repeat("👩‍👩‍👧") },
  { name: "lone surrogates", make: repeat("\ud83d") },

  // Markdown.
  { name: "backticks", make: repeat("`") },
  { name: "backtick runs of growing length", make: (size) => backtickRuns(size, " ") },
  { name: "backtick runs between openers", make: (size) => backtickRuns(size, "<tool_calls>") },
  { name: "spans around blocks", make: repeat(`\`${PING}\` `) },
  { name: "an open span before many blocks", make: repeat(`\`\`\` ${PING} \`\` `, "x "), calls: "any" },
  { name: "an open span before bare undeclared invokes", make: repeat('<invoke name="u"/>x', "` "), calls: "any" },
  { name: "an open span before bad blocks", make: repeat("<tool_calls><invoke/></tool_calls>", "` ") },
  {
    name: "an open span before undeclared calls",
    make: repeat('<tool_calls><invoke name="u"/></tool_calls>', "` "),
    calls: "any",
  },
  {
    name: "backtick runs, then mentions",
    make: (size) => backtickRuns(size / 2, " ") + repeat("<tool_calls>x")(size / 2),
  },
  {
    name: "backtick runs, then bare invokes",
    make: (size) => backtickRuns(size / 2, " ") + repeat('<invoke name="u"/>')(size / 2),
  },
  { name: "fence openers", make: repeat("```x\n") },
  { name: "block quotes", make: repeat(">") },
  { name: "list items", make: repeat("- ") },
  {
    name: "deep list items, then deep indents",
    make: (size) => `${"- ".repeat(size / 4)}x\n${repeat(`${" ".repeat(200)}y\n`)(size / 2)}`,
  },

  // Reasoning.
  { name: "reasoning openers", make: repeat("<think>", "x") },
  { name: "pairs of reasoning tags", make: repeat("<think></think>", "x") },
  { name: "blocks in reasoning, then an answer", make: repeat(PING, "<think>", "</think>Done."), calls: "any" },

  // CDATA values.
  { name: "argument never closed", make: (size) => writeFile(size).slice(0, -60) },
  { name: "CDATA ends", make: repeat("]]>", CDATA) },
  { name: "brackets", make: repeat("]", CDATA) },
  { name: "CDATA ends and blanks", make: repeat(`]]>${" ".repeat(3000)}`, CDATA) },
  { name: "CDATA ends and closers", make: repeat("]]></parameter>", CDATA) },
  { name: "CDATA ends, closers and half a head", make: repeat("]]></parameter><invok ", CDATA) },
  { name: "CDATA openers", make: repeat("<![CDATA[ ]] ", CDATA) },
  { name: "nested CDATA", make: repeat('<parameter name="x"><![CDATA[', CDATA) },
  { name: "joined CDATA", make: repeat("]]]]><![CDATA[>", CDATA, `]]>${VALUE_END}`), calls: "any" },

  // Bare values.
  { name: "closers in a bare value", make: repeat("</parameter> ", VALUE) },
  { name: "closers and blanks in a bare value", make: repeat(`</parameter>${" ".repeat(3000)}`, VALUE) },
  { name: "parameter heads in a bare value", make: repeat('<parameter name="x">', VALUE) },
  { name: "half heads in a bare value", make: repeat("<parameter ", VALUE) },
  { name: "an endless head in a bare value", make: repeat(' a="b"', `${VALUE}<parameter`) },
  { name: "CDATA openers in a bare value", make: repeat("<![CDATA[ x ", `${VALUE}x`) },
  { name: "CDATA openers and heads in a bare value", make: repeat('<![CDATA[<parameter name="x">', `${VALUE}x`) },
  { name: "CDATA openers and closers in a bare value", make: repeat("<![CDATA[</parameter>", `${VALUE}x`) },
  { name: "ampersands", make: repeat("&", VALUE) },
  { name: "half references", make: repeat("&amp", VALUE) },
  { name: "references", make: repeat("&amp;", VALUE, VALUE_END), calls: 1 },
  { name: "an endless reference", make: repeat("1", `${VALUE}&#`, VALUE_END), calls: 1 },

  // Typed values.
  { name: "brackets in an array", make: typed("tags", "["), calls: 1 },
  { name: "nested objects", make: typed("options", '{"a":'), calls: 1 },
  { name: "nested Python", make: typed("options", "{'a':["), calls: 1 },
  { name: "a Python tuple of tuples", make: typed("tags", "(1,"), calls: 1 },
  { name: "quotes in a Python list", make: typed("tags", "['"), calls: 1 },
  { name: "CDATA openers in an array", make: typed("tags", "<![CDATA[a") },
  { name: "nested elements", make: typed("options", "<a>"), calls: 1 },
  { name: "items", make: typed("tags", "<item>x</item>"), calls: 1 },
  { name: "digits", make: typed("count", "1"), calls: 1 },
  {
    name: "zeros behind a point",
    make: repeat("0", '<tool_calls><invoke name="set"><parameter name="count">1.', VALUE_END),
    calls: 1,
  },
  { name: "blanks in a typed value", make: typed("count", " "), calls: 1 },
  { name: "null, almost", make: typed("note", "nul"), calls: 1 },
  {
    name: "items by repeated parameters",
    make: repeat('<parameter name="tags">x</parameter>', '<tool_calls><invoke name="set">', "</invoke></tool_calls>"),
    calls: "any",
  },
  {
    name: "a dropped parameter again and again",
    make: (size) =>
      call("read_file", { path: "x" }).replace(
        "</invoke>",
        `${repeat('<parameter name="path">y</parameter>\n')(size)}</invoke>`,
      ),
    calls: "any",
  },

  // Calls as Python writes them, and as objects with bare keys.
  { name: "Python calls in a list", make: repeat("ping(), ", `${PYTHON}[`) },
  { name: "quotes in a Python string", make: repeat("'", `${PYTHON}[write_file(content='`) },
  { name: "ends of a Python string, almost", make: repeat("'), write_file ", `${PYTHON}[write_file(content='`) },
  { name: "strings of a Python list", make: repeat("''", `${PYTHON}[set(tags=['`) },
  { name: "printed calls", make: repeat("print(ping(", `${PYTHON}[`) },
  { name: "half delimiters", make: repeat('<|"|', `${DELIMITED}write_file{content:<|"|>`) },
  { name: "words without delimiters", make: repeat("x, y ", `${DELIMITED}write_file{content:`) },
  { name: "nested bare objects", make: repeat("{k:", `${DELIMITED}set{options:`) },
  { name: "calls that only begin", make: repeat("call:", DELIMITED) },
];
