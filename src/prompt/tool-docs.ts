import type { Tool } from "../conversation.ts";
import { Recent } from "../recent.ts";
import { estimateTokens } from "../tokens.ts";
import type { Quoting } from "./quoting.ts";
import { renderSchemas } from "./schema-lines.ts";
import { readSignatures } from "./signatures.ts";

/** How an operator wants tools told. */
export interface ToolDocsSettings {
  readonly form: "signatures" | "schema";
  /** Tokens that the list may have; undefined: any number. */
  readonly budget?: number | undefined;
}

/**
 * How much of the tools is told, from the most to the least: JSON Schema; signatures with every note; signatures with
 * descriptions cut at one length for all; one line each.
 */
export type DocsLevel = "schema" | "signatures" | "shortened" | "brief";

/** The list of tools as the model reads it. */
export interface ToolDocs {
  readonly level: DocsLevel;
  /** Says what the list is; stands before it. */
  readonly heading: string;
  /** Quoted. Every tool is in it, also where that is too much. */
  readonly list: string;
  /** The list is within the budget. */
  readonly fits: boolean;
}

const SIGNATURES = `# Tools
Tools you can call, as signatures. \`?\` marks an optional parameter, \`=\` its default, \`//\` a note.`;

const SCHEMAS = `# Tools
Tools you can call, each on a line of its own in JSON; its parameters are a JSON Schema.`;

/**
 * Tells tools in the fullest way that is within the budget. It depends on nothing but the list and the settings, so that
 * every turn of a conversation has the same bytes.
 */
export function describeTools(tools: readonly Tool[], settings: ToolDocsSettings, quoting: Quoting): ToolDocs {
  const key = JSON.stringify([settings, tools]);
  if (key.length > LONGEST_KEY) return fullestWithin(tools, settings, quoting);
  const known = kept.get(quoting) ?? new Recent<ToolDocs>(MOST_KEPT);
  kept.set(quoting, known);
  return known.get(key, () => fullestWithin(tools, settings, quoting));
}

/** An agent sends the same list with every turn. A few megabytes at most: an isolate has 128, and serves many. */
const MOST_KEPT = 8;
const LONGEST_KEY = 200_000;
const kept = new WeakMap<Quoting, Recent<ToolDocs>>();

function fullestWithin(tools: readonly Tool[], { form, budget }: ToolDocsSettings, quoting: Quoting): ToolDocs {
  const made = (level: DocsLevel, list: string): ToolDocs => ({
    level,
    heading: level === "schema" ? SCHEMAS : SIGNATURES,
    list,
    fits: budget === undefined || estimateTokens(list) <= budget,
  });
  if (form === "schema") {
    const schemas = made("schema", renderSchemas(tools, quoting));
    if (schemas.fits) return schemas;
  }
  const signatures = readSignatures(tools);
  const whole = made("signatures", quoting.quote(signatures.full()));
  if (whole.fits) return whole;
  const shortened = (cap: number) => made("shortened", quoting.quote(signatures.full(cap)));
  const cap = largestCap((length) => shortened(length).fits);
  return cap === undefined ? made("brief", quoting.quote(signatures.brief())) : shortened(cap);
}

/** A sentence or so. */
const FIRST_CAP = 64;

/**
 * The largest one that fits; undefined where none does. Searched from below: then no try is much longer than what fits,
 * however long the descriptions are. With no cap at all it does not fit, so the search ends.
 */
function largestCap(fits: (cap: number) => boolean): number | undefined {
  if (!fits(0)) return undefined;
  let low = 0;
  let high = FIRST_CAP;
  while (fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
