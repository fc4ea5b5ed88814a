import { isObject, parseJson } from "../json.ts";
import { TENANT_ID } from "./record.ts";

/** Under which keys things stand in the key-value store (docs/storage-schema.md). */

export const TENANT_PREFIX = "v1:tenant:";
export const tenantKey = (id: string) => TENANT_PREFIX + id;
/** @param hash SHA-256 of a client's key, in hex */
export const keyKey = (hash: string) => `v1:key:${hash}`;
export const hostKey = (hostname: string) => `v1:host:${hostname}`;
/** @param time in ISO 8601: so they stand in their order */
export const auditKey = (time: string, id: string) => `v1:audit:${time}-${id}`;

/** What stands under the key of a client's key, or of a host: whose it is. */
export function writeOwner(id: string): string {
  return JSON.stringify({ t: id });
}

/** Empty, which is nobody's name, for whatever was put there that makes no sense. */
export function readOwner(text: string): string {
  const owner = parseJson(text);
  return isObject(owner) && typeof owner.t === "string" && TENANT_ID.test(owner.t) ? owner.t : "";
}
