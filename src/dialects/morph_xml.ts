import { SIEVE_LIMITS } from "../limits.ts";
import { toolElements } from "../sieve/grammars/tool-elements.ts";
import type { Dialect } from "./dialect.ts";
import { elementWriter } from "./element-writer.ts";

const element = (name: string, content: string) => `<${name}>${content}</${name}>`;

const writer = elementWriter({
  element,
  text: escapeText,
  // A longer one would not be decoded (sieve.md V5).
  carries: (text) => escapeText(text) === text || escapeText(text).length <= SIEVE_LIMITS.entities,
});

/** A line break at the beginning is the notation's own (V4). */
function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/^\r?\n/, (breaks) => breaks.replace(/./gs, (character) => `&#${character.charCodeAt(0)};`));
}

/** Elements all the way: objects are nested, lists are repeated elements or `<item>`s, text is escaped. */
export const morphXml: Dialect = {
  id: "morph_xml",
  models: "any: models that are taught it in a prompt",
  source: "xml",
  openers: [toolElements("markup")],
  write: {
    calls: (calls) =>
      calls.map(({ name, input }) => element(name, `\n${writer.members(input).join("\n")}\n`)).join("\n"),
    carries: ({ input }) => writer.carries(input),
  },
};
