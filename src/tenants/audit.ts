import { randomCharacters } from "../ids.ts";
import { ADMIN_LIMITS } from "../limits.ts";
import type { KeyValueBinding } from "./key-value.ts";
import { auditKey } from "./stored-keys.ts";

/** What was done by an operator: whom it was about, and never a value that was set. */
export interface Deed {
  /** The operator: how the hash of the token begins. */
  by: string;
  what: "put" | "delete" | "key-create" | "key-rotate" | "key-disable" | "batch";
  /** Revisions: 0 is none; `after` of a deletion is its own. */
  changes: readonly { tenant: string; before: number; after: number }[];
  /** Ids of keys that were made, or changed. */
  keys?: readonly string[];
}

/** Writes it down for a while. */
export async function writeAudit(kv: KeyValueBinding, deed: Deed, now: number): Promise<void> {
  const at = new Date(now).toISOString();
  await kv.put(auditKey(at, randomCharacters(8)), JSON.stringify({ v: 1, at, ...deed }), {
    expirationTtl: ADMIN_LIMITS.audit,
  });
}
