import { randomCharacters } from "../ids.ts";
import { sha256Hex } from "../sha256.ts";

/**
 * Keys that the gateway makes for a tenant's clients: `gk_<id>_<secret><check>`. The id may stand in a log; the secret has 256
 * bits; by the check junk is told before anything is read from a store.
 */
const KEY = /^gk_([A-Za-z0-9]{8})_[A-Za-z0-9]{43}([A-Za-z0-9]{6})$/;
export const KEY_ID = /^[A-Za-z0-9]{8}$/;
const ID = 8;
const SECRET = 43;
const CHECK = 6;

/** A new key, to be shown once: what is kept of it is its hash. */
export interface NewKey {
  id: string;
  key: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
}

export async function createKey(): Promise<NewKey> {
  const id = randomCharacters(ID);
  const body = `gk_${id}_${randomCharacters(SECRET)}`;
  const key = body + checkOf(body);
  return { id, key, hash: await sha256Hex(key) };
}

/** The id of a key; undefined for what can be none of ours. Says nothing of whether there is such a key. */
export function idOfKey(given: string): string | undefined {
  const [, id, check] = KEY.exec(given) ?? [];
  return id !== undefined && checkOf(given.slice(0, -CHECK)) === check ? id : undefined;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** CRC-32 (ISO 3309) in base 62: no secret, and against slips of the hand alone. */
function checkOf(text: string): string {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let check = "";
  for (let digit = 0; digit < CHECK; digit += 1) {
    check = DIGITS.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}
