import * as v from "valibot";
import { decodeBase64 } from "../base64.ts";
import { hostPattern } from "./upstream-address.ts";

/**
 * What kinds of values a configuration has. Variables give them as texts, a tenant's record as JSON: both are read here.
 * Each says what it takes, as the end of a sentence that begins with the setting's name: whoever calls the gateway reads it,
 * so a value is shown only where it cannot be a secret.
 */

/** A key that the gateway accepts: as it is, or its SHA-256 alone. */
export type GatewayKey = { readonly clear: string } | { readonly sha256: Uint8Array };

/** Variables come as strings, from a TOML file as numbers too; unset, `null` and `""` are the same. */
export const text = v.pipe(
  v.unknown(),
  v.check((value) => typeof value !== "object" || value === null, "takes a text"),
  v.transform((value) => String(value ?? "").trim() || undefined),
);

/** One of some words; `fallback` where the variable is not set. */
export function choice<const T extends string, F extends NoInfer<T> | undefined>(
  names: readonly T[],
  fallback: F,
  { shown = true } = {},
) {
  const takes = `takes ${names.join(", ")}`;
  const word = v.picklist(names, ({ input }) => (shown ? `${takes}, not ${quoted(input)}` : takes));
  return v.pipe(
    text,
    v.transform((value) => value ?? fallback),
    // Where there is a fallback, nothing is undefined any more.
    v.optional(word) as v.GenericSchema<string | undefined, T | F>,
  );
}

/** A whole number; `fallback` where the variable is not set. */
export function integer<F extends number | undefined>(fallback: F, most: number, least = 1) {
  const fits = (value: string) => /^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most;
  return v.pipe(
    text,
    v.check(
      (value) => value === undefined || fits(value),
      ({ input }) => `takes a whole number from ${least} to ${most}, not ${quoted(input)}`,
    ),
    v.transform((value) => (value === undefined ? fallback : Number(value))),
  );
}

const TEXTS = "takes texts that are not empty";
const entries = v.array(v.pipe(v.string(TEXTS), v.trim(), v.nonEmpty(TEXTS)));
const parted = v.pipe(
  text,
  v.transform((value) => value?.split(",").flatMap((entry) => entry.trim() || [])),
  // Nothing but commas is a slip; for keys it would leave the door open.
  v.check((entries) => entries?.length !== 0, "holds nothing but commas"),
);

/** Texts in a list, which may hold none, or in one text parted by commas; undefined where the setting is not made. */
export const list = v.lazy<typeof entries | typeof parted>((value) => (Array.isArray(value) ? entries : parted));

/** A list of words that have to be known; `fallback` where the variable is not set. */
export function wordsOf(isKnown: (word: string) => boolean, takes: string, fallback: readonly string[] = []) {
  return v.pipe(
    someWordsOf(isKnown, takes),
    v.transform((entries) => entries ?? [...fallback]),
  );
}

/** The same; undefined where the variable is not set. */
export function someWordsOf(isKnown: (word: string) => boolean, takes: string) {
  return v.pipe(
    list,
    v.check(
      (entries = []) => entries.every(isKnown),
      ({ input = [] }) => `${takes}, not ${quoted(input.find((entry) => !isKnown(entry)))}`,
    ),
  );
}

/** Web origins. */
export const origins = wordsOf(isOrigin, "takes origins such as https://app.example, parted by commas");

/** The kind of upstream that has no host: the operator's own binding, on the operator's bill. */
export const OWN_MODELS = "workers-ai";

/** Hosts that tenants' upstreams may be; any where none are named. */
export const upstreamHosts = v.pipe(
  list,
  v.transform((entries) =>
    (entries ?? ["*"]).map((entry) => (entry === OWN_MODELS ? entry : (hostPattern(entry) ?? ""))),
  ),
  v.check(
    (patterns) => !patterns.includes(""),
    `takes public host names, such as llm.example, *.llm.example and *, with a port where it is not 443, and ${OWN_MODELS}, parted by commas`,
  ),
);

/** Host names of the gateway's own, as a request's URL has them. */
export const gatewayHosts = wordsOf(
  (name) => !/\*|\.$/.test(name) && URL.parse(`https://${name}`)?.hostname === name,
  "takes whole host names in lower case, without a port, parted by commas",
);

/** The root of an upstream, without a slash at its end. */
export const url = v.pipe(
  text,
  v.check(
    (value) => value === undefined || isUpstreamUrl(value),
    "takes an address that begins with http:// or https://, without a user, a query or a fragment",
  ),
  v.transform((value) => value?.replace(/\/$/, "")),
);

/** What a header bears. */
export const apiKey = v.pipe(
  text,
  v.check((value) => value === undefined || /^[\x21-\x7e]+$/.test(value), "takes a key of visible ASCII characters"),
);

/** Keys of clients. */
export const keys = v.pipe(
  list,
  v.transform((entries) => entries?.map(parseKey) ?? []),
  v.array(
    v.custom<GatewayKey>(
      (key) => key !== undefined,
      "takes keys parted by commas; behind `sha256:` stand 64 hexadecimal digits",
    ),
  ),
);

/** 256 bits in base64. Never shown. */
export const masterKey = v.pipe(
  text,
  v.transform((value) => (value === undefined ? undefined : (decodeBase64(value) ?? new Uint8Array()))),
  v.check((bytes) => bytes === undefined || bytes.length === 32, "takes 32 bytes in base64"),
);

/** Enough to know it again. */
const SHOWN = 40;
const quoted = (value: unknown) => {
  const given = String(value);
  return JSON.stringify(given.length > SHOWN ? `${given.slice(0, SHOWN)}…` : given);
};

/** http or https; the key has a variable of its own, and paths are added at the end. */
function isUpstreamUrl(value: string): boolean {
  const parsed = URL.parse(value);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return false;
  return parsed.username === "" && parsed.password === "" && !/[?#]/.test(value);
}

/** @returns undefined for `sha256:` with anything but 64 hexadecimal digits behind it */
function parseKey(entry: string): GatewayKey | undefined {
  if (!entry.startsWith("sha256:")) return { clear: entry };
  const hex = entry.slice("sha256:".length);
  if (!/^[0-9a-f]{64}$/i.test(hex)) return undefined;
  return {
    sha256: Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16)),
  };
}

/** As a browser sends it, so that it can be compared as it is; never `*` or `null`. */
function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.parse(value)?.origin === value;
}
