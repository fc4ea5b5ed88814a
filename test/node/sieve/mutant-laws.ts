import { DIALECTS } from "../../../src/dialects/all.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { REASONING_MARKS } from "../../../src/dialects/marks.ts";
import { randomChunks } from "../../chunking.ts";
import { isPartOf } from "./conservation.ts";
import type { Mutant } from "./mutants.ts";
import { type Outcome, runSieve } from "./run.ts";

/** A character is looked at so many times (sieve.md P5); what is looked at beyond a short text's end is the constant. */
const LOOKS_PER_CHARACTER = 4;
const LOOKS = 64;

/** What a name may be made of that nobody has declared (sieve.md N3). */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}._:/-]+$/u;

/** Marks of channels and stop tokens: consumed though no call stands in the text (sieve.md A4, W4). */
const VANISHING = [...REASONING_MARKS.flatMap(({ open, close }) => [open, close]), ...DIALECTS.flatMap(channelMarks)]
  .filter((mark) => mark !== undefined)
  .map((mark) => mark.toLowerCase());

/** Where a notation has channels, an opener of its calls may turn out to be the header of one. */
function channelMarks({ channels, openers = [] }: Dialect): (string | undefined)[] {
  if (!channels) return [];
  const { reasoning = [], visible = [], strips = [] } = channels;
  const headers = openers.map(({ spelling }) => spelling);
  return [...headers, ...reasoning.flatMap(({ open, close }) => [open, close]), ...visible, ...strips];
}

/**
 * Holds a mutant against the laws that no text may break. What a delta and an event have to be is asserted by every run.
 * @returns what is broken, or undefined
 */
export function brokenLaw(mutant: Mutant): string | undefined {
  const { input, options } = mutant;
  try {
    const { looks, heldMax: _, ...outcome } = runSieve({ text: [input] }, options);
    if (looks > LOOKS_PER_CHARACTER * input.length + LOOKS) return `P5: ${looks} looks at ${input.length} characters`;
    if (outcome.open && options.earlyEmit === "off") return "E: announced before its block was accepted";
    return conserves(outcome, input) ?? callsOnlyTools(outcome, options) ?? invariant(outcome, mutant);
  } catch (error) {
    return `it throws: ${error}`;
  }
}

/** P2. */
function conserves(outcome: Outcome, input: string): string | undefined {
  const { text, reasoning, calls, open, report } = outcome;
  if (!isPartOf(text, input)) return "P2: the text is no part of the input";
  if (!isPartOf(reasoning, input)) return "P2: the reasoning is no part of the input";
  if (text.length + reasoning.length > input.length) return "P2: more goes out than came in";
  const consumes = calls.length > 0 || open !== undefined || report.ended || vanishes(input);
  return consumes || text === input ? undefined : "P2: no call, and the text is not the input";
}

export function vanishes(input: string): boolean {
  const folded = input.toLowerCase();
  return VANISHING.some((mark) => folded.includes(mark));
}

function callsOnlyTools({ calls, open }: Outcome, { tools }: Mutant["options"]): string | undefined {
  const names = [...calls, ...(open ? [open] : [])].map(({ name }) => name);
  const strange = names.find((name) => !tools.some((tool) => tool.name === name) && !PLAIN_NAME.test(name));
  return strange === undefined ? undefined : `N3: ${JSON.stringify(strange)} is no name`;
}

/** P1. */
function invariant(whole: Outcome, { input, options, seed }: Mutant): string | undefined {
  const { looks: _looks, heldMax: _heldMax, ...cut } = runSieve({ text: randomChunks(input, seed) }, options);
  return JSON.stringify(cut) === JSON.stringify(whole) ? undefined : `P1: cut with seed ${seed}, the reply is another`;
}
