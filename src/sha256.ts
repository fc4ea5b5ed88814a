import { toHex } from "./hex.ts";

/** Of a text in UTF-8. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** The same in hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(text));
}
