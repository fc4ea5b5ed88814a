import { matchesAny } from "../glob.ts";

/**
 * Names that are no server's on the public internet, whatever stands before them (RFC 6761, 6762, 7686, 9476, ICANN's
 * list of name collisions), and what private networks use in their place.
 */
const PRIVATE =
  /\.(alt|arpa|corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|mail|onion|private|test)$/;

/** Two labels at least, and a letter first in the last one: numbers, brackets, single words, a dot at the end are none. */
const NAME = /^(?=.{4,253}$)(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** What is taken where no port is named. */
const HTTPS_PORT = "443";

/**
 * Why an address is none for a tenant's upstream, as the end of a sentence that begins with its name; undefined where it is
 * one. It is judged as `fetch` reads it: by then every spelling of a host is one. Whom its name belongs to, DNS alone knows.
 *
 * @param hosts patterns, as `hostPattern` gives them
 * @param own host names of this gateway, as far as they are known: a tenant would talk to itself
 */
export function upstreamAddressFault(
  address: string,
  hosts: readonly string[],
  own: readonly string[] = [],
): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "https:") return "takes an address that begins with https://";
  if (url.username !== "" || url.password !== "" || /[?#]/.test(url.href)) {
    return "takes an address without a user, a query or a fragment";
  }
  if (!isPublicName(url.hostname))
    return "takes an address with a host's public name: no number, no name of a private network";
  const host = `${url.hostname}:${url.port || HTTPS_PORT}`;
  if (!matchesAny(hosts, host)) return "names a host or a port that UPSTREAM_HOSTS has not";
  return own.some((name) => bareName(name) === url.hostname) ? "names this gateway itself" : undefined;
}

/**
 * An entry of the list of hosts as a pattern of `host:port`: a name, `*.` and what a name ends in, or `*` for any, each with a port where
 * it is not 443. Undefined for what is none of these, or could never fit.
 */
export function hostPattern(entry: string): string | undefined {
  const [matched, any = "", name = "", given = HTTPS_PORT] =
    /^(\*\.?)?([^\s*:/?#@\\[\]%]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (matched === undefined) return undefined;
  if (any === "*") return name === "" ? `*:${Number(given)}` : undefined;
  const url = URL.parse(`https://${any.replace("*", "x")}${name}:${given}`);
  if (!url || !isPublicName(url.hostname)) return undefined;
  return `${any === "" ? url.hostname : url.hostname.replace("x", "*")}:${url.port || HTTPS_PORT}`;
}

/** A name with a dot at its end is the same host's. */
export function bareName(hostname: string): string {
  return hostname.replace(/\.$/, "");
}

/** Of a host, as a URL has it: no number, no single word, no name of a private network. */
export function isPublicName(hostname: string): boolean {
  return NAME.test(hostname) && !PRIVATE.test(hostname);
}
