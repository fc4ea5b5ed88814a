import { type Opener, tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { INVOKE, INVOKE_BODY, INVOKE_CLOSERS, invokeWriter, prefixed } from "./invoke-tags.ts";

const { opens, closes } = prefixed("function_calls");
const wrappers = opens.map((open) => ({ open, closes }));

/** Calls whose wrapper is missing; without a prefix they are read as the canonical notation has them. */
const unwrapped = wrappers.slice(-1).flatMap((wrapper) =>
  prefixed("invoke")
    .opens.slice(-1)
    .map((opener): Opener => ({ ...opener, evidence: "wrapper-missing", read: INVOKE.behind(opener, wrapper) })),
);

/** Some proxies turn the wrapper's opener into one of these words, on a line of its own. */
const STRAY_WORDS = ["court", "call", "count"];

const behindStrayWord = wrappers.slice(-1).flatMap((wrapper) =>
  STRAY_WORDS.flatMap((word) =>
    prefixed("invoke").opens.map((opener): Opener => {
      const read = INVOKE.behind(opener, wrapper);
      return {
        ...tag(`${word}\n${opener.spelling}`),
        at: "line",
        pinned: true,
        evidence: "wrapper-missing",
        *read(block, head) {
          block.repaired("stray-word");
          return yield* read(block, head);
        },
      };
    }),
  ),
);

/** Claude's tags, as proxies let them through and as models imitate them. */
export const claudeXml: Dialect = {
  id: "claude_xml",
  aliases: ["claude_xml_ns"],
  models: "Claude behind proxies that lose its calls, and models that imitate it",
  source: "xml",
  openers: [...unwrapped, ...behindStrayWord],
  wrappers,
  bodies: [INVOKE_BODY],
  closers: INVOKE_CLOSERS,
  results: ["<function_results>"],
  write: invokeWriter("function_calls"),
  reserved: prefixed("parameter").opens.map(({ spelling }) => spelling),
};
