import { expect } from "vitest";
import type { WireError } from "./wire-reply.ts";

/** The error object of both OpenAI wires: all four keys, always (docs/wires.md). */
export function readOpenAiError(error: object): WireError {
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  const { message, type, code } = error as { message: string; type: string; code: string | null };
  return { message, type, code };
}
