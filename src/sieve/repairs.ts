/**
 * The closed list of repairs (sieve.md T4, where each is told in words). They are made in `feature_match` alone, named in the
 * block's report, and none of them guesses content.
 */
export const REPAIRS = [
  // What stands around calls.
  "wrapper-open-missing",
  "wrapper-close-missing",
  "closer-cut",
  "call-close-missing",
  "opener-cut",
  "stray-word",
  "fence-in-wrapper",
  // Parameters, keys and values.
  "param-close-missing",
  "parameter-repeated",
  "kv-open-missing",
  "property-tags",
  "arguments-unwrapped",
  "arguments-missing",
  // JSON.
  "missing-brace",
  "missing-bracket",
  "surplus-brace",
  "missing-comma",
  "trailing-comma",
  "unquoted-key",
  "single-quotes",
  "python-literal",
  "control-character",
  "lone-backslash",
  // Pythonic and delimited arguments.
  "lenient-quotes",
  "string-delimiters",
  "paren-form",
  // Special tokens.
  "doubled-bars",
  "doubled-bracket",
  "lost-bars",
  "lost-underscore",
  "stray-bar",
] as const;

export type Repair = (typeof REPAIRS)[number];
