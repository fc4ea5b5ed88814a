import * as v from "valibot";
import { fail } from "../errors.ts";
import { type Config, withSwitches } from "./config.ts";
import { SWITCHES, Switches, type SwitchName, type SwitchSettings, unreadFault } from "./settings.ts";

const headerOf = (name: SwitchName) => `x-toolcall-${name.replace("_", "-")}`;

/**
 * The configuration as a request sets it for itself (sieve.md M4), by one header for each switch; undefined where it sets nothing.
 * An empty header is none.
 *
 * @param config of the model that the client asks for
 * @throws GatewayFailure `invalid-request` for a switch that the operator does not let requests set, for a value that it does not
 *   take, and where calls would be taught in a notation in which they are not read
 */
export function withOverrides(config: Config, headers: Headers): Config | undefined {
  const given = SWITCHES.filter((name) => (headers.get(headerOf(name))?.trim() ?? "") !== "");
  if (given.length === 0) return undefined;
  const set: SwitchSettings = Object.fromEntries(given.map((name) => [name, read(config, name, headers)]));
  const overridden = withSwitches(config, set);
  const unread = unreadFault(overridden.toolcall, set);
  return unread ? refuse(headerOf(unread.name), `${unread.message}.`) : overridden;
}

function read({ toolcall }: Config, name: SwitchName, headers: Headers) {
  if (!toolcall.overrides.includes(name))
    refuse(headerOf(name), "cannot be set by a request: this gateway does not allow it.");
  const value = v.safeParse(Switches[name], headers.get(headerOf(name)));
  return value.success ? value.output : refuse(headerOf(name), `${value.issues[0].message}.`);
}

/** By which a request asks for it, and an answer tells it that has not gone out before. */
export const REPORT_HEADER = "x-toolcall-report";

/**
 * Whether the answer is to tell what became of it. That is no switch of the reply's: whoever asks for it takes part in a roll-out.
 * @throws GatewayFailure `invalid-request` where the operator does not allow it, and for a value that is not `on`
 */
export function wantsReport({ toolcall }: Config, headers: Headers): boolean {
  const asked = headers.get(REPORT_HEADER)?.trim() ?? "";
  if (asked !== "" && toolcall.report === "off")
    refuse(REPORT_HEADER, "cannot ask for a report: this gateway does not allow it.");
  if (asked !== "" && asked !== "on") refuse(REPORT_HEADER, "takes on.");
  return asked !== "" || toolcall.report === "on";
}

function refuse(header: string, why: string): never {
  return fail({ kind: "invalid-request", message: `The header ${header} ${why}`, param: header });
}
