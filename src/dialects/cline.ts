import type { Json } from "../conversation.ts";
import { toolElements } from "../sieve/grammars/tool-elements.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

const text = (value: Json) => (typeof value === "string" ? value : spacedJson(value));

/** Cline, Roo and Kilo's prompts: an element named like the tool, its parameters in elements of their own, as they are. */
export const cline: Dialect = {
  id: "cline",
  aliases: ["roo"],
  models: "models under the prompts of Cline, Roo and Kilo",
  source: "xml",
  openers: [toolElements("lines")],
  write: {
    calls: (calls) => calls.map(element).join("\n"),
    carries: ({ input }) =>
      Object.entries(input).every(([key, value]) => NAME.test(key) && isCarried(text(value), key)),
  },
};

function element({ name, input }: WrittenCall): string {
  const parameters = Object.entries(input).map(([key, value]) => `<${key}>\n${text(value)}\n</${key}>\n`);
  return `<${name}>\n${parameters.join("")}</${name}>`;
}

const NAME = /^[\p{L}\p{M}\p{N}._:$-]+$/u;

/** Its own tag in a value could open or close it; CDATA is taken off, and what belongs to the line break behind it. */
function isCarried(value: string, key: string): boolean {
  const hasTag = [`<${key}`, `</${key}`].some((tag) => value.toLowerCase().includes(tag.toLowerCase()));
  return !hasTag && !/^\s*<!\[CDATA\[|\r$/i.test(value);
}
