import type { JsonObject } from "../conversation.ts";
import { isObject } from "../json.ts";

/** Reading an upstream's JSON without trusting its shape: what is not as expected is absent. */
const NONE: JsonObject = Object.freeze({});

export function fields(value: unknown): JsonObject {
  return isObject(value) ? value : NONE;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** No model has that many tokens of anything, and sums of them over a day are whole numbers still. */
const LARGEST_COUNT = 1_000_000_000_000;

/** A number of something: whole, and neither negative nor absurd. */
export function count(value: unknown): number | undefined {
  const whole = typeof value === "number" ? Math.trunc(value) : -1;
  return whole >= 0 && whole <= LARGEST_COUNT ? whole : undefined;
}
