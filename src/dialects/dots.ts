import { type Body, tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { INVOKE_CLOSERS, invokeTags, invokeWriter } from "./invoke-tags.ts";

const tags = invokeTags({ unquoted: true });
const body: Body = { source: "xml", leads: tags.leads, in: tags.in };

/** dots: a wrapper of its own around invokes, whose names may do without quotes. */
export const dots: Dialect = {
  id: "dots",
  models: "dots",
  source: "xml",
  wrappers: [{ open: tag("<dots_function_call"), closes: [tag("</dots_function_call")] }],
  bodies: [body],
  closers: INVOKE_CLOSERS,
  write: invokeWriter("dots_function_call"),
  reserved: ["<parameter"],
};
