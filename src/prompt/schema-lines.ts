import type { Tool } from "../conversation.ts";
import { createInliner } from "../schema/inline.ts";
import { quoteMembers } from "./quoted-json.ts";
import type { Quoting } from "./quoting.ts";

/** Characters of all schemas of a list together. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Tools as the client declared them: a JSON object a line, with their schemas as they are but for references, which are
 * followed, and what only serves generators. Quoted, and valid JSON all the same.
 */
export function renderSchemas(tools: readonly Tool[], quoting: Quoting): string {
  const inline = createInliner(MAX_CHARACTERS);
  const lines = tools.map(({ name, description = "", parameters }) => {
    // A description before the parameters, be it empty, tells the sieve a definition from a call, should a model repeat it.
    const line = { name, description, parameters: inline(parameters) };
    return JSON.stringify(quoteMembers(line, quoting));
  });
  return lines.join("\n");
}
