import * as v from "valibot";
import { NO_OBJECT, Settings, strict } from "./settings.ts";
import { isPublicName } from "./upstream-address.ts";

/** Names of tenants: they stand in paths, host names and keys of the store. */
export const TENANT_ID = /^[a-z0-9][a-z0-9-]{1,38}$/;
export const TENANT_NAMES = 'A tenant\'s name has 2 to 39 of a-z, 0-9 and "-", and begins with none of these dashes';

/** No message shows what was given: somebody may have put a key in its place. */
const LIST = "takes a list";
const TEXT = "takes a text";
const SECONDS = "takes whole seconds since 1970";
const STATUS = "takes active or disabled";

const TOKENS = "takes whole tokens, 1 or more";
export const TokensPerDay = v.pipe(v.number(TOKENS), v.safeInteger(TOKENS), v.minValue(1, TOKENS));

const Time = v.pipe(v.number(SECONDS), v.integer(SECONDS), v.minValue(0, SECONDS));

/** What whoever makes a key may say of it. */
export const KEY_TERMS = {
  /** Seconds since 1970 from which on it is refused. */
  expires: v.optional(Time),
  label: v.optional(v.string(TEXT)),
  /** Absent: as many as the tenant has. */
  tokens_per_day: v.optional(TokensPerDay),
};

/** A key of a tenant's clients: what is kept of it. */
const Key = strict({
  id: v.string(TEXT),
  /** SHA-256 of the key, in hex. */
  hash: v.pipe(v.string(TEXT), v.regex(/^[0-9a-f]{64}$/, "takes 64 hexadecimal digits")),
  /** Disabled rather than deleted: it is known, and refused. */
  status: v.optional(v.picklist(["active", "disabled"], STATUS), "active"),
  /** The same, since another key has taken its place: no term of it, or that one would end with it when it is rotated once more. */
  replaced: v.optional(Time),
  ...KEY_TERMS,
});

/** What a new key may use in a day, unless whoever makes it says otherwise: one that leaks costs no more than that. */
export const NEW_KEY_TOKENS_PER_DAY = 10_000_000;

export type StoredKey = v.InferOutput<typeof Key>;

/** Whether it lets anybody in: neither disabled nor at its end. */
export function isGoodKey({ status, expires = Infinity, replaced = Infinity }: StoredKey, now: number): boolean {
  return status === "active" && now < Math.min(expires, replaced);
}

/** A name under which clients reach the gateway as this tenant's. */
const HOST = "takes public host names in lower case, such as ai.acme.example";
const Host = v.pipe(v.string(HOST), v.check(isPublicName, HOST));

/** Of a tenant whatever its settings are worth: who is let in is known, also where nothing else is. */
export const Envelope = v.object(
  {
    v: v.literal(1, "takes 1"),
    /** Goes up with every change. */
    rev: v.pipe(v.number("takes a revision"), v.safeInteger("takes a revision"), v.minValue(1, "takes a revision")),
    status: v.picklist(["active", "disabled"], STATUS),
    keys: v.array(Key, LIST),
    hosts: v.optional(v.array(Host, LIST), []),
    /** Each request asks for the latest revision: what changes holds at once. */
    strict: v.optional(v.boolean("takes true or false"), false),
    settings: v.unknown(),
  },
  NO_OBJECT,
);

/** The whole record of a tenant, as it stands in the store (docs/storage-schema.md). */
export const TenantRecord = strict({ ...Envelope.entries, settings: Settings });
