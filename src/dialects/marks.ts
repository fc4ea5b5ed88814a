/** Marks that belong to no one notation. */

/** Channels of reasoning that stand in the text (sieve.md A4). */
export const REASONING_MARKS = [{ open: "<think>", close: "</think>" }] as const;

/**
 * Openers of tool results of other notations (sieve.md W2): whatever notation a model was taught, it invents answers in
 * the one it was trained on. Where nothing stops it at the end of its turn, it goes on with the turn that bears them.
 */
export const FOREIGN_RESULTS = [
  "<tool_response>",
  "<function_results>",
  "<|tool_response>",
  "```tool_output",
  "<|im_start|>user",
  "<|im_start|>tool",
  "<|start_header_id|>ipython",
  "<|start_header_id|>user",
] as const;
