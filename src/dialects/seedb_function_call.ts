import { trailingParameters } from "../sieve/grammars/trailing-parameters.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { ELEMENT_CALL } from "./element-names.ts";
import { spacedJson } from "./json-spacing.ts";

const PARAMETER = { open: "<function parameter", close: "</function parameter" };

/** The name in one element, each parameter in one of its own behind it: the blank in their name is meant. */
export const seedbFunctionCall: Dialect = {
  id: "seedb_function_call",
  models: "any: models that are taught it in a prompt",
  source: "xml",
  wrappers: [{ open: tag("<function_call"), closes: [tag("</function_call")] }],
  bodies: [trailingParameters({ callClose: "</function_call", parameter: PARAMETER }), ELEMENT_CALL],
  closers: [tag(PARAMETER.close)],
  write: {
    calls: (calls) => calls.map(written).join("\n"),
    carries: ({ input }) =>
      Object.entries(input).every(([key, value]) => /^[^\s"&<>]+$/.test(key) && isCarried(text(value))),
  },
  reserved: [PARAMETER.open],
};

function written({ name, input }: WrittenCall): string {
  const parameters = Object.entries(input).map(
    ([key, value]) => `<function parameter name="${key}">${text(value)}</function parameter>`,
  );
  return `<function_call>${name}</function_call>${parameters.join("")}`;
}

const text = (value: WrittenCall["input"][string]) => (typeof value === "string" ? value : spacedJson(value));

/** Text as it stands: nothing in it may look like a mark, nor like what is taken off a value. */
function isCarried(value: string): boolean {
  return !/<\/?function parameter[\s/>]|^\s*<!\[CDATA\[/i.test(value) && !/^\r?\n/.test(value);
}
