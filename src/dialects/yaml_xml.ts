import type { Json } from "../conversation.ts";
import { toolElements } from "../sieve/grammars/tool-elements.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";

/** An element named like the tool, its arguments as YAML. */
export const yamlXml: Dialect = {
  id: "yaml_xml",
  models: "any: models that are taught it in a prompt",
  source: "xml",
  openers: [toolElements("lines")],
  write: {
    calls: (calls) => calls.map(element).join("\n"),
    // The name of a parameter stands without quotes.
    carries: ({ input }) => Object.keys(input).every((key) => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.$-]*$/u.test(key)),
  },
};

function element({ name, input }: WrittenCall): string {
  const members = Object.entries(input).map(([key, value]) => `${key}: ${written(value)}\n`);
  return `<${name}>\n${members.join("")}</${name}>`;
}

/** JSON is YAML; a text of whole lines is written as such. */
function written(value: Json): string {
  if (typeof value !== "string" || !/^[^ \n\r][^\r]*\n$/.test(value) || value.endsWith("\n\n"))
    return JSON.stringify(value);
  const lines = value.slice(0, -1).split("\n");
  return `|\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}`;
}
