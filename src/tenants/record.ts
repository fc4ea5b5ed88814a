import * as v from "valibot";
import { Settings, strict } from "./settings.ts";

/** Names of tenants: they stand in paths, host names and keys of the store. */
export const TENANT_ID = /^[a-z0-9][a-z0-9-]{1,38}$/;

/** A key of a tenant's clients: what is kept of it. */
const Key = strict({
  id: v.string(),
  /** SHA-256 of the key, in hex. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "takes 64 hexadecimal digits")),
  /** Disabled rather than deleted: it is known, and refused. */
  status: v.optional(v.picklist(["active", "disabled"]), "active"),
  /** Seconds since 1970 from which on it is refused. */
  expires: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  label: v.optional(v.string()),
  /** Absent: as many as the tenant has. */
  tokens_per_day: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** What a new key may use in a day, unless whoever makes it says otherwise: one that leaks costs no more than that. */
export const NEW_KEY_TOKENS_PER_DAY = 1_000_000;

export type StoredKey = v.InferOutput<typeof Key>;

/** Of a tenant whatever its settings are worth: who is let in is known, also where nothing else is. */
export const Envelope = v.object({
  v: v.literal(1),
  /** Goes up with every change. */
  rev: v.pipe(v.number(), v.integer(), v.minValue(1)),
  status: v.picklist(["active", "disabled"]),
  keys: v.array(Key),
  /** Each request asks for the latest revision: what changes holds at once. */
  strict: v.optional(v.boolean(), false),
  settings: v.unknown(),
});

/** The whole record of a tenant, as it stands in the store (docs/storage-schema.md). */
export const TenantRecord = strict({ ...Envelope.entries, settings: Settings });
