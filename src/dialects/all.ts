import { canonical } from "./canonical.ts";
import type { Dialect } from "./dialect.ts";

/** Every notation that is known: read by the sieve, and quoted in untrusted text. */
export const DIALECTS: readonly Dialect[] = [canonical];

/** Whether there is a notation of this name: an id or an alias. */
export function isDialect(name: string): boolean {
  return DIALECTS.some(({ id, aliases }) => id === name || aliases.includes(name));
}
