import * as v from "valibot";
import { fail } from "../errors.ts";
import { isObject, parseJson } from "../json.ts";
import { ADMIN_LIMITS } from "../limits.ts";
import { describeFaults, faultOf } from "./faults.ts";
import type { NewKey } from "./gateway-key.ts";
import { Envelope, isGoodKey, KEY_TERMS, NEW_KEY_TOKENS_PER_DAY, type StoredKey, TokensPerDay } from "./record.ts";
import { noTenant } from "./record-changes.ts";
import { strict } from "./settings.ts";

/** What is said of a key that is to be made: `null` for its tokens are as many as its tenant has. */
export const KeyTerms = v.pipe(
  strict({ ...KEY_TERMS, tokens_per_day: v.optional(v.nullable(TokensPerDay), NEW_KEY_TOKENS_PER_DAY) }),
  v.transform(({ tokens_per_day: tokens, ...terms }) => ({
    ...terms,
    ...(tokens !== null && { tokens_per_day: tokens }),
  })),
);
export type KeyTerms = Pick<StoredKey, keyof typeof KEY_TERMS>;

/** A record with its keys. Its settings may be wrong: that must not keep anybody from disabling a key. */
export type WithKeys = object & { readonly keys: readonly StoredKey[] };

/** @param text of a record; undefined: there is none */
export function readKeys(text: string | undefined): WithKeys {
  const record = text === undefined ? noTenant() : parseJson(text);
  const read = v.safeParse(Envelope, record);
  if (read.success && isObject(record)) return { ...record, keys: read.output.keys };
  return refuse(`The record as it stands is invalid. ${describeFaults((read.issues ?? []).map(faultOf))}`);
}

export function addKey(record: WithKeys, { id, hash }: NewKey, terms: KeyTerms): WithKeys {
  if (record.keys.length >= ADMIN_LIMITS.keys) refuse(`A tenant has at most ${ADMIN_LIMITS.keys} keys.`);
  return { ...record, keys: [...record.keys, { id, hash, status: "active", ...terms }] };
}

/** A new key on the terms of an old one, which is good until then and no longer; once more, where the new one never arrived. */
export function rotateKey(record: WithKeys, old: string, made: NewKey, until: number, now: number): WithKeys {
  const key = keyOf(record, old);
  if (!isGoodKey(key, now)) refuse("This key is disabled, or has expired.");
  const { id: _id, hash: _hash, status: _status, replaced = Infinity, ...terms } = key;
  return addKey(withKey(record, old, { replaced: Math.min(until, replaced) }), made, terms);
}

export function disableKey(record: WithKeys, id: string): WithKeys {
  keyOf(record, id);
  return withKey(record, id, { status: "disabled" });
}

function withKey(record: WithKeys, id: string, change: Partial<StoredKey>): WithKeys {
  return { ...record, keys: record.keys.map((key) => (key.id === id ? { ...key, ...change } : key)) };
}

export function keyOf({ keys }: WithKeys, id: string): StoredKey {
  const message = "This tenant has no key of this id.";
  return keys.find((key) => key.id === id) ?? fail({ kind: "unknown-path", message });
}

function refuse(message: string): never {
  return fail({ kind: "invalid-request", message });
}
