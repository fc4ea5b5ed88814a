import type { ResponseFormat } from "../conversation.ts";

/**
 * A response format in words, for a request that the upstream cannot be asked to enforce it in: a grammar of the answer
 * would forbid the markup of a call, or the upstream knows no such grammar. Empty where none is asked for.
 *
 * @param quote how untrusted text is kept from looking like a call; as it is where nothing is quoted
 */
export function formatLine(format: ResponseFormat | undefined, quote = (text: string) => text): string {
  if (!format) return "";
  // Helpers of the SDKs parse whatever text there is, a note beside a call as well.
  const answer = "A turn with tool calls has no text beside them; an answer without is one JSON value and nothing else";
  if (format.type === "json") return `(${answer}.)`;
  return `(${answer}; it fits this JSON Schema: ${quote(JSON.stringify(format.schema))})`;
}
