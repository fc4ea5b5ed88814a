import type { Json } from "../conversation.ts";
import { toolElements } from "../sieve/grammars/tool-elements.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

const text = (value: Json) => (typeof value === "string" ? value : spacedJson(value));

/** Cline, Roo and Kilo's prompts: an element named like the tool, its parameters in elements of their own, as they are. */
export const cline: Dialect = {
  id: "cline",
  aliases: ["roo"],
  models: "models under the prompts of Cline, Roo and Kilo",
  source: "xml",
  openers: [toolElements("lines")],
  closers: [],
  results: [],
  write: {
    calls: (calls) =>
      calls
        .map(({ name, input }) => {
          const parameters = Object.entries(input).map(([key, value]) => `<${key}>\n${text(value)}\n</${key}>\n`);
          return `<${name}>\n${parameters.join("")}</${name}>`;
        })
        .join("\n"),
    carries: ({ name, input }) =>
      !/[/]/.test(name) && Object.entries(input).every(([key, value]) => isName(key) && !mentions(text(value), key)),
  },
  reserved: [],
};

const isName = (key: string) => /^[\p{L}\p{M}\p{N}._:$-]+$/u.test(key);

/** Its own tag in a value could open or close it, and CDATA is taken off. */
const mentions = (value: string, key: string) =>
  value.toLowerCase().includes(`<${key}`.toLowerCase()) ||
  value.toLowerCase().includes(`</${key}`.toLowerCase()) ||
  /^\s*<!\[CDATA\[/i.test(value);
