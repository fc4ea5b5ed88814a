import * as v from "valibot";
import { ADMIN_LIMITS } from "../limits.ts";
import { type Access, compileConfig, NO_ACCESS } from "./config.ts";
import { faultOf, type SettingsFault } from "./faults.ts";
import { TenantRecord } from "./record.ts";

/**
 * All that is wrong with a record, as requests would find it, sealed keys apart: those are only for the gateway to open.
 * @param hosts what the operator allows, and what is the gateway's own
 */
export function recordFaults(
  tenant: string,
  record: unknown,
  hosts: Pick<Access, "upstreamHosts" | "gatewayHosts">,
): readonly SettingsFault[] {
  const read = v.safeParse(TenantRecord, record);
  if (!read.success) return read.issues.map(faultOf);
  const { settings, keys, hosts: names } = read.output;
  const compiled = compileConfig(settings, { ...NO_ACCESS, ...hosts }, tenant);
  const senseless = "faults" in compiled ? compiled.faults : [];
  return [
    ...senseless.map(({ path, message }) => ({ path: ["settings", ...path], message })),
    ...tooMany("keys", keys, ADMIN_LIMITS.keys),
    ...tooMany("hosts", names, ADMIN_LIMITS.hosts),
    ...names.flatMap((name, index) =>
      hosts.gatewayHosts.includes(name) ? [{ path: ["hosts", index], message: "names the gateway itself" }] : [],
    ),
  ];
}

function tooMany(name: string, list: readonly unknown[], most: number): SettingsFault[] {
  return list.length > most ? [{ path: [name], message: `takes at most ${most}` }] : [];
}
