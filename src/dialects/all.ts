import { canonical } from "./canonical.ts";
import type { Dialect } from "./dialect.ts";
import { glm45 } from "./glm45.ts";
import { hyV3 } from "./hy_v3.ts";
import { hyV4 } from "./hy_v4.ts";
import { k2Horizon } from "./k2_horizon.ts";
import { longcat } from "./longcat.ts";
import { solarOpen2 } from "./solar_open2.ts";

/** Every notation that is known: read by the sieve, and quoted in untrusted text. */
export const DIALECTS: readonly Dialect[] = [canonical, glm45, hyV3, hyV4, longcat, k2Horizon, solarOpen2];

/** Whether there is a notation of this name: an id or an alias. */
export function isDialect(name: string): boolean {
  return DIALECTS.some(({ id, aliases }) => id === name || aliases.includes(name));
}
