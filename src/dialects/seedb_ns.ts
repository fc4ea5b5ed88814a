import { attributedCalls } from "../sieve/grammars/element-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { ELEMENT_NAMES } from "./element-names.ts";
import { spacedJson } from "./json-spacing.ts";

/** The namespace of Claude's tags: proxies lose it, and models leave it out of some of them. */
const PREFIXES = ["", "antml:"];
const prefixed = (...names: readonly string[]) => PREFIXES.flatMap((prefix) => names.map((name) => prefix + name));

const around = (name: string) => {
  const closes = prefixed(name).map((each) => tag(`</${each}`));
  return prefixed(name).map((each) => ({ open: tag(`<${each}`), closes }));
};

const body = attributedCalls(
  {
    ...ELEMENT_NAMES,
    containers: prefixed(...ELEMENT_NAMES.containers),
    arguments: prefixed(...ELEMENT_NAMES.arguments),
    // As Claude's own notation has it.
    style: "verbatim",
  },
  prefixed("function_call"),
);

/** A call that names its tool in its tag, in Claude's namespace or in none. */
export const seedbNs: Dialect = {
  id: "seedb_ns",
  aliases: ["seedb_antml"],
  models: "models that imitate Claude",
  source: "xml",
  wrappers: [
    ...around("function_calls").map((wrapper) => ({ ...wrapper, nests: true as const })),
    ...around("function_call"),
  ],
  bodies: [body],
  closers: prefixed(...ELEMENT_NAMES.arguments, ...ELEMENT_NAMES.containers).map((name) => tag(`</${name}`)),
  write: { calls: (calls) => calls.map(written).join("\n") },
  reserved: prefixed("argument", "parameters").map((name) => `<${name}`),
};

function written({ name, input }: WrittenCall): string {
  return `<${PREFIXES[1]}function_call name="${name}"><${PREFIXES[1]}parameters>${spacedJson(input)}</${PREFIXES[1]}parameters></${PREFIXES[1]}function_call>`;
}
