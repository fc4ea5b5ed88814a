import { random } from "../test/random.ts";

/** What a model might write, in any size; the same characters at every run. Shared by the benchmark and the tests. */

const SEED = 20_261_130;

const WORDS =
  "the a of to in that it for on with as this by from or an be not can value call file line list name path test which when more than only each other where first last build read write text model stream tool result error change should would after before without between number order system".split(
    " ",
  );

const CODE = [
  "import { readFile } from 'node:fs/promises';",
  "export function find<T>(items: readonly T[], test: (item: T) => boolean): T | undefined {",
  "  for (let i = 0; i < items.length && items[i] !== null; i++) {",
  "    if (test(items[i]!)) return items[i]; // first <one> wins",
  "  const at = map[keys[0]]>limit ? 1 : 0;",
  '  console.log("a \\"quoted\\" word", `and $name & more`);',
  '    <li class="item">{items.map((item) => <b key={item.id}>{item.name}</b>)}</li>',
  "  return /^\\s*(\\d+)\\s*$/.exec(line)?.[1] ?? '';",
  "\t\treturn naïve + '日本語' + \"🚀\";",
  "  }",
  "}",
  "",
];

/** A source of what the corpora are made of. */
function writer(seed: number) {
  const next = random(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const sentence = () => {
    const words = Array.from({ length: 5 + Math.floor(next() * 14) }, () => pick(WORDS)).join(" ");
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}${pick([".", ".", ",", ":", "?"])} `;
  };
  const paragraph = () =>
    `${Array.from({ length: 2 + Math.floor(next() * 4) }, sentence)
      .join("")
      .trimEnd()}\n\n`;
  return { pick, sentence, paragraph, line: () => `${pick(CODE)}\n` };
}

/** Pieces up to a size in characters, as one flat string: a rope would be flattened inside the time that is measured. */
function fill(size: number, piece: () => string): string {
  const pieces: string[] = [];
  for (let length = 0; length < size; ) {
    const next = piece();
    pieces.push(next);
    length += next.length;
  }
  return flat(pieces.join("").slice(0, size));
}

export const flat = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

export function prose(size: number): string {
  return fill(size, writer(SEED).paragraph);
}

/** Prose with what looks like markup and is none: code, fences, spans, comparisons, JSON, tags of other kinds. */
export function mixed(size: number): string {
  const { pick, sentence, paragraph, line } = writer(SEED + 1);
  const kinds = [
    paragraph,
    paragraph,
    () => `\`\`\`ts\n${line()}${line()}${line()}\`\`\`\n\n`,
    () => `Where a < b and c > d, \`items[i]<limit\` holds. ${sentence()}\n`,
    () => `<tool_calls_log> and <invoker name="x"> are ${sentence()}\n`,
    () => `{"name": "read", "arguments": {"path": "src/index.ts"}}\n`,
    () => `- ${sentence()}\n- use \`<tool_calls>\`, ${sentence()}\n`,
    () => `<div class="note"><p>${sentence()}</p></div>\n`,
    () => `> ${sentence()}\n`,
  ];
  return fill(size, () => pick(kinds)());
}

/** JSON, lists and literals: wherever a bracket stands, some notation could begin. */
export function braces(size: number): string {
  const { pick, sentence, line } = writer(SEED + 5);
  const kinds = [
    sentence,
    line,
    () => `{"id": 7, "tags": ["${pick(WORDS)}", "${pick(WORDS)}"], "at": {"x": 1.5, "y": null}}\n`,
    () => `[[1, 2], [3, 4], {"${pick(WORDS)}": []}]\n`,
    () => `{"role": "user", "content": "${sentence()}"}\n`,
    () => `const { ${pick(WORDS)}, ${pick(WORDS)} } = await read([a, b], {});\n`,
  ];
  return fill(size, () => pick(kinds)());
}

/** Writes a call in some notation. */
export type WriteCall = (name: string, strings: Readonly<Record<string, string>>) => string;

/** One `write_file` whose content has as many characters. */
export function writeFile(size: number, write: WriteCall = call): string {
  return write("write_file", { path: "src/find.ts", content: fill(size, writer(SEED + 2).line) });
}

/** Short calls with a sentence before each. */
export function manyCalls(count: number, write: WriteCall = call): string {
  const { sentence } = writer(SEED + 3);
  const calls = Array.from({ length: count }, () => `${sentence()}\n${write("read_file", { path: "src/a.ts" })}\n`);
  return flat(calls.join(""));
}

/** Calls shown and not meant. */
export function fencedExamples(size: number): string {
  const { paragraph } = writer(SEED + 4);
  const example = call("read_file", { path: "src/a.ts" });
  return fill(size, () => `${paragraph()}\`\`\`xml\n${example}\n\`\`\`\n\n`);
}

export function call(name: string, strings: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(strings).map(
    ([key, value]) =>
      `<parameter name="${key}"><![CDATA[${value.replaceAll("]]>", "]]]]><![CDATA[>")}]]></parameter>\n`,
  );
  return `<tool_calls>\n<invoke name="${name}">\n${parameters.join("")}</invoke>\n</tool_calls>`;
}

export const TOOLS = [
  tool("read_file", { path: { type: "string" } }),
  tool("write_file", { path: { type: "string" }, content: { type: "string" } }),
  tool("set", {
    note: { type: ["string", "null"] },
    count: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
    options: { type: "object" },
    any: {},
  }),
];

function tool(name: string, properties: Record<string, Record<string, string | string[] | Record<string, string>>>) {
  return { name, parameters: { type: "object", properties } };
}
