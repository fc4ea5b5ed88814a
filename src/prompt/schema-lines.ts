import type { Tool } from "../conversation.ts";
import { PROMPT_LIMITS } from "../limits.ts";
import { createInliner } from "../schema/inline.ts";
import { quoteMembers } from "./quoted-json.ts";
import type { Quoting } from "./quoting.ts";

/**
 * Tools as the client declared them: a JSON object a line, with their schemas as they are but for references, which are
 * followed, and what only serves generators. Quoted, and valid JSON all the same.
 */
export function renderSchemas(tools: readonly Tool[], quoting: Quoting): string {
  const inline = createInliner(PROMPT_LIMITS.tools);
  const lines = tools.map(({ name, description = "", parameters }) => {
    // A description before the parameters, be it empty, tells the sieve a definition from a call, should a model repeat it.
    const line = { name, description, parameters: inline(parameters) };
    return JSON.stringify(quoteMembers(line, quoting));
  });
  return lines.join("\n");
}
