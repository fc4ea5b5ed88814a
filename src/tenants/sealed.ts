import { decodeBase64, encodeBase64Url } from "../base64.ts";

/**
 * Secrets of tenants at rest: AES-256-GCM under a key that is derived from a master key for each tenant, bound to the tenant and the
 * upstream that it is for, so that a record which is copied to another tenant opens nothing.
 *
 * Written `s1.<number of the master key>.<initialisation vector>.<what is sealed>`, both in base64url.
 */
const SEALED = /^s1\.([12])\.([\w-]+)\.([\w-]+)$/;

/** Master keys by their numbers; a second one while the first is being replaced. */
export type MasterKeys = Readonly<Partial<Record<MasterKeyNumber, Uint8Array>>>;
export type MasterKeyNumber = "1" | "2";

/** What a secret is for. */
export interface SealedFor {
  tenant: string;
  upstream: string;
}

/** Of a secret that is sealed by mistake the same key never meets the same vector twice: 96 random bits each time. */
const VECTOR = 12;

export async function seal(
  secret: string,
  target: SealedFor,
  number: MasterKeyNumber,
  master: Uint8Array,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(VECTOR));
  const key = await derive(master, target.tenant);
  const sealed = await crypto.subtle.encrypt(parameters(iv, target), key, new TextEncoder().encode(secret));
  return `s1.${number}.${encodeBase64Url(iv)}.${encodeBase64Url(new Uint8Array(sealed))}`;
}

/** Whether it has the form of something sealed, whatever it is for. */
export function isSealed(value: unknown): value is string {
  return typeof value === "string" && SEALED.test(value);
}

/** Undefined for what is not sealed, not for this, or not under one of these keys. */
export async function unseal(text: string, target: SealedFor, masters: MasterKeys): Promise<string | undefined> {
  const [, number = "", vector = "", sealed = ""] = SEALED.exec(text) ?? [];
  const master = masters[number as MasterKeyNumber];
  const [iv, bytes] = [decodeBase64(vector), decodeBase64(sealed)];
  if (!master || !iv || !bytes) return undefined;
  try {
    const opened = await crypto.subtle.decrypt(parameters(iv, target), await derive(master, target.tenant), bytes);
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}

function parameters(iv: Uint8Array, { tenant, upstream }: SealedFor) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`v1|${tenant}|${upstream}`) };
}

async function derive(master: Uint8Array, tenant: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", master, "HKDF", false, ["deriveKey"]);
  const salt = new TextEncoder().encode(tenant);
  const info = new TextEncoder().encode("toolsieve: upstream keys");
  const kind = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey({ name: "HKDF", hash: "SHA-256", salt, info }, base, kind, false, [
    "encrypt",
    "decrypt",
  ]);
}
