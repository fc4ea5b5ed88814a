import { fail } from "../errors.ts";
import { REQUEST_LIMITS } from "../limits.ts";
import type { Config } from "./config.ts";

const HEADER = "x-upstream-key";

/** Whatever settings say of it, what stands in the header must not stand in a log. */
export function clientKey(headers: Headers): string | undefined {
  const given = headers.get(HEADER) ?? "";
  return /^[\x21-\x7e]+$/.test(given) && given.length <= REQUEST_LIMITS.upstreamKey ? given : undefined;
}

/**
 * The configuration of a client that brings a key of its own for the upstream. The configured one is not in it any more, and only
 * one upstream is: nobody else's may see the key.
 *
 * @param config of the model that the client asks for
 * @throws GatewayFailure `unauthorized` where a key has to be brought, `invalid-request` for one that is not taken
 */
export function withClientKey(config: Config, headers: Headers): Config {
  const { upstream, byok } = config;
  if (!headers.has(HEADER)) {
    if (byok !== "required") return config;
    return fail({ kind: "unauthorized", message: `A key for the model server is required. Send it as \`${HEADER}\`.` });
  }
  if (byok === "off") return refuse("is not taken: this gateway has a key of its own for the model server.");
  const key = clientKey(headers);
  if (key === undefined)
    return refuse(`takes a key of visible ASCII characters, ${REQUEST_LIMITS.upstreamKey} at most.`);
  if (upstream.kind === "demo") return config;
  // It would be served all the same, and the operator would pay.
  if (upstream.kind === "workers-ai") return refuse("is not taken: the server of this model knows no keys.");
  return { ...config, upstream: { ...upstream, apiKey: key, clientKeyed: true }, fallbacks: [] };
}

function refuse(why: string): never {
  return fail({ kind: "invalid-request", message: `The header ${HEADER} ${why}`, param: HEADER });
}
