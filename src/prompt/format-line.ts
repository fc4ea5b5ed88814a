import type { ResponseFormat } from "../conversation.ts";
import type { Quoting } from "./quoting.ts";

/**
 * A response format in words, for a request that the upstream cannot be asked to enforce it in: a grammar of the answer
 * would forbid the markup of a call. Empty where none is asked for.
 */
export function formatLine(format: ResponseFormat | undefined, quoting: Quoting): string {
  if (!format) return "";
  // Helpers of the SDKs parse whatever text there is, a note beside a call as well.
  const answer = "A turn with tool calls has no text beside them; an answer without is one JSON value and nothing else";
  if (format.type === "json") return `(${answer}.)`;
  return `(${answer}; it fits this JSON Schema: ${quoting.quote(JSON.stringify(format.schema))})`;
}
