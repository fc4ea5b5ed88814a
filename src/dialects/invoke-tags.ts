import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { propertyElements } from "../sieve/grammars/property-elements.ts";
import { type Body, tag } from "../sieve/notation.ts";
import type { TagSyntax } from "../sieve/tag-rest.ts";
import { attribute } from "./attribute.ts";
import type { CallWriter } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** What notations share whose calls are `<invoke name="…">` with text as it stands in `<parameter name="…">`. */

/** Claude's tags have it; models leave it off one of them or all. */
export const PREFIX = "antml:";
const PREFIXES = ["", PREFIX];

export function prefixed(name: string, syntax?: TagSyntax) {
  return {
    opens: PREFIXES.map((prefix) => ({ ...tag(`<${prefix}${name}`), ...(syntax && { syntax }) })),
    closes: PREFIXES.map((prefix) => tag(`</${prefix}${name}`)),
  };
}

export function invokeTags(syntax?: TagSyntax) {
  const call = prefixed("invoke", syntax);
  const parameter = prefixed("parameter", syntax);
  return parameterTags({
    call,
    parameter,
    style: "verbatim",
    bodies: [objectBody, propertyElements((name) => name === "invoke")],
  });
}

export const INVOKE = invokeTags();

/** Whatever a wrapper was made for, this is what many models put in it. */
export const INVOKE_BODY: Body = { source: "xml", roams: true, leads: INVOKE.leads, in: INVOKE.in };

/** Closers of theirs. */
export const INVOKE_CLOSERS = [...prefixed("invoke").closes, ...prefixed("parameter").closes];

/** Calls in a wrapper, a line for each tag. */
export function invokeWriter(wrapper: string): CallWriter {
  return pairWriter({
    block: (calls) => `<${wrapper}>\n${calls}\n</${wrapper}>`,
    call: (name, parameters) => `<invoke name="${attribute(name)}">\n${parameters}</invoke>`,
    pair: (key, value) => `<parameter name="${attribute(key)}">${value}</parameter>\n`,
    separator: "\n",
    marks: /^[ \t\r\n]*<!\[CDATA\[|<\/?(?:antml:)?(?:invoke|parameter)[\s/>]/i,
  });
}
