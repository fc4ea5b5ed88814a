import { fail } from "../errors.ts";
import { toHex } from "../hex.ts";
import { sha256 } from "../sha256.ts";
import type { Config } from "./config.ts";
import { idOfKey } from "./gateway-key.ts";
import type { GatewayKey } from "./values.ts";

/**
 * Lets a request in or not.
 * @param hostname of the request's URL
 * @param queryKeys those in the URL, on the one wire whose clients put one there
 * @returns a name for the key; undefined where none is asked for
 * @throws GatewayFailure `unauthorized`, or `not-configured` where there are no keys
 */
export async function checkAccess(
  config: Config,
  headers: Headers,
  hostname: string,
  queryKeys: readonly string[] = [],
): Promise<string | undefined> {
  if (config.keys.length > 0) {
    return (await nameIn(presentedKey(headers, queryKeys), config.keys)) ?? refuse();
  }
  // A deployment that nobody has set up yet is nobody's.
  if (isLoopback(hostname) && (config.upstream.kind === "demo" || config.auth === "none")) return undefined;
  return fail({
    kind: "not-configured",
    message:
      "This gateway has no API keys, so it refuses every request. Set GATEWAY_API_KEYS; without them it answers under " +
      "loopback names alone: as the demo, or before an upstream with GATEWAY_AUTH=none.",
  });
}

/**
 * Lets an operator in: never by a client's key, nor where nobody has set a token, and only by a header.
 * @returns a name for the token
 * @throws GatewayFailure `unauthorized`, in the words of any other refusal
 */
export async function checkAdmin({ adminTokens, keys }: Config, headers: Headers): Promise<string> {
  const given = presentedKey(headers, []);
  // A token that is a client's key as well would make an operator of each client.
  const [asOperator, asClient] = [await nameIn(given, adminTokens), await nameIn(given, keys)];
  const isClients = asClient !== undefined || (given !== undefined && idOfKey(given) !== undefined);
  return isClients ? refuse() : (asOperator ?? refuse());
}

/** The same words whatever was wrong: they tell nothing about the keys that exist. */
export function refuse(): never {
  const places = "`Authorization: Bearer`, `x-api-key` or `x-goog-api-key`";
  return fail({ kind: "unauthorized", message: `A valid API key is required. Send one key as ${places}.` });
}

/** The one key of a request; undefined when it has none, or two that differ. */
export function presentedKey(headers: Headers, queryKeys: readonly string[]): string | undefined {
  const given = presentedKeys(headers, queryKeys);
  return new Set(given).size === 1 ? given[0] : undefined;
}

/** All that stands where a key may stand. */
export function presentedKeys(headers: Headers, queryKeys: readonly string[]): string[] {
  const authorization = headers.get("authorization");
  return [
    // Another scheme, or no token, is a key that cannot be right.
    authorization === null ? null : (/^bearer +(.*)$/i.exec(authorization)?.[1] ?? ""),
    headers.get("x-api-key"),
    headers.get("x-goog-api-key"),
    ...queryKeys,
  ].filter((key) => key !== null);
}

/** Digests of the keys in clear, once they are known. Never a pending promise: it would belong to another request. */
const digests = new WeakMap<GatewayKey, Uint8Array>();

async function digestOf(key: GatewayKey): Promise<Uint8Array> {
  if ("sha256" in key) return key.sha256;
  const digest = digests.get(key) ?? (await sha256(key.clear));
  digests.set(key, digest);
  return digest;
}

/** Of a digest: enough to tell keys apart, and to find out none. */
const NAME_BYTES = 8;

/** Undefined for what is none of the keys. Looks at every one and every byte: the time taken says nothing about what fitted. */
async function nameIn(given: string | undefined, keys: readonly GatewayKey[]): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const presented = await sha256(given);
  let accepted = false;
  for (const key of keys) {
    const same = equal(presented, await digestOf(key));
    accepted ||= same;
  }
  return accepted ? toHex(presented.subarray(0, NAME_BYTES)) : undefined;
}

/** Both of 32 bytes. `crypto.subtle.timingSafeEqual` would do it, but only workerd has it. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
