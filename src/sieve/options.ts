import type { JsonSchema } from "../conversation.ts";
import type { EarlyEmit, Mode } from "./plan.ts";

/** What is looked for in a reply, and what becomes of it. All but the tools may be left out. */
export interface SieveOptions {
  /** The tools that the model may call. `parameters` is JSON Schema: it gives the arguments their types (sieve.md V6). */
  tools: readonly { name: string; parameters?: JsonSchema }[];
  /** Which notations are read; default `feature_match`. Without tools it is `off` (sieve.md M1). */
  mode?: Mode;
  /** How sure it must be that a call is one before its first event; default `high` (sieve.md E). */
  earlyEmit?: EarlyEmit;
  /** Ids or aliases of dialects that are armed besides, as the model is known to write them. */
  dialects?: readonly string[];
  /** The prompt has opened the model's reasoning: the reply begins inside. Default false. */
  startsInReasoning?: boolean;
  /** Stop strings of the request that may stand for a call's closer, since the upstream cuts them off (sieve.md T1). */
  gatewayStop?: readonly string[];
  /** What a block of undeclared names alone becomes; default `pass`: calls (sieve.md N1). */
  undeclared?: "pass" | "text";
  /** What a block that broke or was cut becomes; default `text` (sieve.md T2). */
  malformed?: "text" | "drop";
  /** Whether a call in the reasoning counts; default `when_answer_empty` (sieve.md A4). */
  reasoningCalls?: "when_answer_empty" | "never";
  /** `sole`: a reply that is one code fence and nothing else is read as what stands in it; default `text` (sieve.md A5). */
  fenced?: "text" | "sole";
  /** `end`: the reply ends at the first visible text behind a block of calls; default `keep` (sieve.md W3). */
  afterCalls?: "keep" | "end";
  /** The reply ends behind so many calls; default: none is too many. */
  maxCalls?: number;
  /**
   * Calls of one reply, behind which blocks are text, and characters that are held of a block that is not announced; default
   * and most: those of `SIEVE_LIMITS`.
   */
  limits?: { calls: number; block: number };
  /** The id of a call by its place in the reply; default `call_0`, `call_1` … */
  newId?: (index: number) => string;
}

const CHOICES = {
  mode: ["off", "canonical", "feature_match"],
  earlyEmit: ["high", "low", "off"],
  undeclared: ["pass", "text"],
  malformed: ["text", "drop"],
  reasoningCalls: ["when_answer_empty", "never"],
  fenced: ["text", "sole"],
  afterCalls: ["keep", "end"],
} as const satisfies Partial<{ [Name in keyof SieveOptions]-?: readonly SieveOptions[Name][] }>;

/**
 * A word that means nothing would be a default in silence, and the tools misspelled would be none.
 * @throws RangeError for a value that an option does not take, TypeError where there is no list of tools
 */
export function checkOptions(options: SieveOptions): void {
  if (!Array.isArray(options?.tools)) throw new TypeError("The option `tools` has to be a list of tools.");
  for (const [name, legal] of Object.entries(CHOICES)) {
    const given: unknown = options[name as keyof typeof CHOICES];
    if (given === undefined || legal.some((value) => value === given)) continue;
    throw new RangeError(`The option \`${name}\` takes ${legal.join(", ")}, not ${JSON.stringify(given)}.`);
  }
}
