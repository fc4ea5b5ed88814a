import type * as v from "valibot";
import { ADMIN_LIMITS } from "../limits.ts";

/** What is wrong with settings, each by itself or together, or with a record that holds them. */
export interface SettingsFault {
  /** Where in them. */
  path: readonly (string | number)[];
  /** The end of a sentence that begins there. */
  message: string;
}

/** What valibot finds, in the words that each schema of ours has for it: no value is in them that could be a secret. */
export function faultOf({ path, message }: v.BaseIssue<unknown>): SettingsFault {
  return { path: (path ?? []).map(({ key }) => key as string | number), message };
}

/** @returns a sentence */
export function describeFault({ path, message }: SettingsFault): string {
  return `${path.length === 0 ? "The whole" : path.map(describeMember).join(".")} ${message}.`;
}

/** Whatever is no plain name is quoted, as values are: the log takes out what stands in quotes. */
function describeMember(member: string | number): string {
  const name = String(member);
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

/** @returns sentences: a record may have more faults than anybody reads */
export function describeFaults(faults: readonly SettingsFault[]): string {
  const told = faults.slice(0, ADMIN_LIMITS.faults).map(describeFault);
  if (faults.length > told.length) told.push(`And ${faults.length - told.length} more.`);
  return told.join(" ");
}
