import * as v from "valibot";
import { fail } from "../errors.ts";
import type { Config } from "./config.ts";
import { readsTaught, TEACHES_UNREAD, Teach } from "./settings.ts";

const TEACH_HEADER = "x-toolcall-teach";

/**
 * The configuration as a request sets it for itself (sieve.md M4): by `x-toolcall-teach`, how its tools are told. An empty
 * header is none.
 *
 * @throws GatewayFailure `invalid-request` for a value that the setting does not take, or if the operator has not let requests
 *   set it
 */
export function withOverrides(config: Config, headers: Headers): Config {
  const given = headers.get(TEACH_HEADER)?.trim() ?? "";
  if (given === "") return config;
  const { toolcall } = config;
  if (!toolcall.overrides.includes("teach")) refuse("cannot be set by a request: this gateway does not allow it.");
  const teach = v.safeParse(Teach, given);
  if (!teach.success) return refuse(`${teach.issues[0].message}.`);
  if (!readsTaught(toolcall.mode, teach.output)) refuse(`${TEACHES_UNREAD}.`);
  return { ...config, toolcall: { ...toolcall, teach: teach.output } };
}

function refuse(why: string): never {
  return fail({ kind: "invalid-request", message: `The header ${TEACH_HEADER} ${why}`, param: TEACH_HEADER });
}
