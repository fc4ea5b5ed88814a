import { mark, type Opener, tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { INVOKE, INVOKE_BODY, INVOKE_CLOSERS, invokeWriter, PREFIX, prefixed } from "./invoke-tags.ts";

const { opens, closes } = prefixed("function_calls");
const unopened = { open: tag(`<${PREFIX}function_calls`), closes };

/** Invokes without the prefix are the canonical notation's, where nothing stands around them. */
const bare = tag(`<${PREFIX}invoke`);

/** Some proxies turn the wrapper's opener into one of these words, on a line of its own. */
const strayWords = ["court", "call", "count"].map((word): Opener => {
  const read = INVOKE.in(unopened);
  return {
    ...mark(`${word}\n`),
    at: "line",
    pinned: true,
    evidence: "wrapper-missing",
    leads: INVOKE.leads,
    *read(block, head) {
      block.repaired("stray-word");
      return yield* read(block, head);
    },
  };
});

/** Claude's tags, as proxies let them through and as models imitate them. */
export const claudeXml: Dialect = {
  id: "claude_xml",
  aliases: ["claude_xml_ns"],
  models: "Claude behind proxies that lose its calls, and models that imitate it",
  source: "xml",
  openers: [{ ...bare, evidence: "wrapper-missing", read: INVOKE.behind(bare, unopened) }, ...strayWords],
  wrappers: opens.map((open) => ({ open, closes })),
  bodies: [INVOKE_BODY],
  closers: INVOKE_CLOSERS,
  results: ["<function_results>"],
  write: invokeWriter("function_calls"),
  reserved: prefixed("parameter").opens.map(({ spelling }) => spelling),
};
