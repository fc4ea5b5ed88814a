import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { propertyElements } from "../sieve/grammars/property-elements.ts";
import { type Body, type Head, mark, tag } from "../sieve/notation.ts";
import type { CallWriter } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** What notations share whose calls are `<function=…>` or `<function name="…">`, whichever parameters stand in them. */

const equals = (spelling: string): Head => ({ ...mark(spelling), syntax: { equals: true } });

/** A call that begins with it may have lost its wrapper. */
export const FUNCTION_EQUALS = equals("<function=");
export const FUNCTION_NAMED = tag("<function");

export const FUNCTION = parameterTags({
  call: { opens: [FUNCTION_EQUALS, FUNCTION_NAMED], closes: [tag("</function")] },
  parameter: {
    opens: [equals("<parameter="), tag("<parameter"), tag("<param")],
    closes: [tag("</parameter"), tag("</param")],
  },
  cutOpens: [equals("function=")],
  wrapperEndsCall: true,
  style: "lines",
  bodies: [objectBody, propertyElements((name) => name === "function")],
});

export const FUNCTION_BODY: Body = { source: "xml", roams: true, leads: FUNCTION.leads, in: FUNCTION.in };

export const FUNCTION_CLOSERS = ["</function", "</parameter", "</param"].map(tag);

/** A wrapper around each call, every value on lines of its own. */
export function functionWriter(wrapper: string): CallWriter {
  return pairWriter({
    call: (name, parameters) => `<${wrapper}>\n<function=${name}>\n${parameters}</function>\n</${wrapper}>`,
    pair: (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`,
    separator: "\n",
    // Together with the line break behind it, a carriage return at the end would be one.
    marks: /^[ \t\r\n]*<!\[CDATA\[|<\/?(?:function|param)|\r$/i,
  });
}
