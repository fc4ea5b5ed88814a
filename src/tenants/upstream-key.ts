import * as v from "valibot";
import { isObject } from "../json.ts";
import type { SettingsFault } from "./faults.ts";
import { isSealed, type MasterKeys, type SealedFor, seal, unseal } from "./sealed.ts";
import { apiKey } from "./values.ts";

/** The key that is sealed in a record, or why there is none: the end of a sentence that begins with the setting's name. */
export async function openUpstreamKey(
  sealed: string,
  target: SealedFor,
  masters: MasterKeys,
): Promise<{ secret: string } | { fault: string }> {
  // In clear it would be read by whoever reads the store.
  if (!isSealed(sealed)) return { fault: "is not sealed" };
  // No header bears whatever else may stand in it.
  const { success, output } = v.safeParse(apiKey, await unseal(sealed, target, masters));
  if (success && output !== undefined) return { secret: output };
  return { fault: "is sealed for another tenant or upstream, or under a master key that this gateway has not" };
}

/** Where both are there, one is taking the other's place: the higher number is the newer one. */
function newestMaster(masters: MasterKeys) {
  for (const number of ["2", "1"] as const) {
    const master = masters[number];
    if (master) return { number, master };
  }
  return undefined;
}

/**
 * Settings as they are stored: keys of upstreams that have come in clear are sealed, and those that were sealed are looked at. What
 * is no such key is for the schema to tell of.
 */
export async function sealUpstreamKeys(
  tenant: string,
  settings: unknown,
  masters: MasterKeys,
): Promise<{ settings: unknown; faults: SettingsFault[] }> {
  const faults: SettingsFault[] = [];
  if (!isObject(settings) || !isObject(settings.upstreams)) return { settings, faults };
  const upstreams: [string, unknown][] = [];
  for (const [upstream, given] of Object.entries(settings.upstreams)) {
    const key = v.safeParse(apiKey, isObject(given) ? given.api_key : undefined);
    if (!key.success || key.output === undefined) {
      upstreams.push([upstream, given]);
      continue;
    }
    const sealed = await toSealed(key.output, { tenant, upstream }, masters);
    if ("fault" in sealed) faults.push({ path: ["settings", "upstreams", upstream, "api_key"], message: sealed.fault });
    else upstreams.push([upstream, { ...(given as object), api_key: sealed.text }]);
  }
  return { settings: { ...settings, upstreams: Object.fromEntries(upstreams) }, faults };
}

async function toSealed(
  key: string,
  target: SealedFor,
  masters: MasterKeys,
): Promise<{ text: string } | { fault: string }> {
  if (isSealed(key)) {
    const opened = await openUpstreamKey(key, target, masters);
    return "fault" in opened ? opened : { text: key };
  }
  const newest = newestMaster(masters);
  if (!newest) return { fault: "cannot be sealed: this gateway has no master key" };
  return { text: await seal(key, target, newest.number, newest.master) };
}
