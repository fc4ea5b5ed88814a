import { canonical } from "./canonical.ts";
import type { Dialect } from "./dialect.ts";
import { hermes } from "./hermes.ts";

/** Every notation that is known: read by the sieve, and quoted in untrusted text. */
export const DIALECTS: readonly Dialect[] = [canonical, hermes];
