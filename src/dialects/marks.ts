/** Marks that belong to no one notation. */

/** Channels of reasoning that stand in the text (sieve.md A4). */
export const REASONING_MARKS = [{ open: "<think>", close: "</think>" }] as const;

/**
 * Openers of tool results of other notations (sieve.md W2): whatever notation a model was taught, it invents answers in
 * the one it was trained on.
 */
export const FOREIGN_RESULTS = ["<tool_response>", "<function_results>", "<|tool_response>", "```tool_output"] as const;
