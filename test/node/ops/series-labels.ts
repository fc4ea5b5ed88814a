import type { Unmet } from "../../../src/choice.ts";
import type { GatewayError } from "../../../src/errors.ts";
import type { FinishReason } from "../../../src/reply.ts";
import type { BlockReport, EndedBy } from "../../../src/sieve/index.ts";
import { COUNTERS, HISTOGRAMS } from "../../../src/telemetry/series.ts";
import type { RolloutChoice } from "../../../src/tenants/rollout.ts";
import type { Named } from "./promql.ts";

const OF_ALL = ["tenant", "model", "wire"];

/** All that Prometheus gets of the series, and the labels it has. The rates are made of these, and no graph is made of rates. */
export const LABELS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(COUNTERS).map(([name, { labels }]) => [name, [...OF_ALL, ...labels]] as const),
  ...Object.keys(HISTOGRAMS).flatMap((name) => [
    [`${name}_bucket`, [...OF_ALL, "le"]] as const,
    [`${name}_sum`, OF_ALL] as const,
    [`${name}_count`, OF_ALL] as const,
  ]),
]);

type All<T extends string> = Record<T, true>;

const BLOCK_OUTCOMES: All<BlockReport["outcome"]> = { call: true, malformed: true, truncated: true, rejected: true };
const KINDS: All<GatewayError["kind"]> = {
  "invalid-request": true,
  unsupported: true,
  unauthorized: true,
  "unknown-path": true,
  "wrong-method": true,
  "unknown-model": true,
  "too-large": true,
  "revision-required": true,
  "revision-conflict": true,
  taken: true,
  "unsupported-encoding": true,
  "not-configured": true,
  "config-invalid": true,
  "store-failed": true,
  "context-length": true,
  "unknown-response": true,
  "conversation-not-stored": true,
  "rate-limited": true,
  "gateway-busy": true,
  "quota-exhausted": true,
  "over-budget": true,
  "upstream-rejected": true,
  "upstream-failed": true,
  "upstream-overloaded": true,
  "upstream-timeout": true,
  "loop-detected": true,
  internal: true,
};
const FINISHES: All<FinishReason | "aborted"> = {
  stop: true,
  tool: true,
  length: true,
  filter: true,
  context: true,
  aborted: true,
};
const ROLLOUT: All<RolloutChoice | "none"> = { in: true, out: true, none: true };
const UNMET: All<Unmet> = { "call-missing": true, "other-tool": true, "call-forbidden": true };
const ENDED_BY: All<EndedBy> = { "invented-results": true, "after-calls": true, "max-calls": true };

/** What labels may be, where queries ask for certain values of theirs. */
const VALUES: Readonly<Record<string, Record<string, true>>> = {
  "toolcall_replies_total outcome": { ...FINISHES, ...KINDS },
  "toolcall_errors_total kind": KINDS,
  "toolcall_blocks_total outcome": BLOCK_OUTCOMES,
  "toolcall_shadow_replies_total outcome": { same: true, different: true, incomplete: true, failed: true },
  "toolcall_shadow_differences_total what": { calls: true, text: true, repairs: true },
  "toolcall_unmet_choices_total unmet": UNMET,
  "toolcall_ended_replies_total by": ENDED_BY,
};

/** All that a label of a series may be; nothing is said of those that no query asks for certain values of. */
export function valuesOf(series: string, label: string): Record<string, true> {
  return (label === "rollout" ? ROLLOUT : VALUES[`${series} ${label}`]) ?? {};
}

/** What an expression names that there is not: series, labels, values. */
export function faultsOf(named: readonly Named[], known = LABELS): string[] {
  return named.flatMap(({ name, matchers, labels }) => {
    const own = known.get(name);
    if (!own) return [`no series ${name}`];
    const asked = [...labels, ...matchers.map(({ label }) => label)];
    return [
      ...asked.filter((label) => !own.includes(label)).map((label) => `${name} has no label ${label}`),
      ...matchers.flatMap(({ label, value }) => strangeValues(name, label, value)),
    ];
  });
}

/** Each alternative of a matcher has to be, or to match, a value of the label. A variable of the dashboard is anything. */
function strangeValues(series: string, label: string, value: string): string[] {
  if (value === `$${label}` || series === "up") return [];
  const values = Object.keys(valuesOf(series, label));
  const strange = value.split("|").filter((each) => !values.some((one) => new RegExp(`^(?:${each})$`).test(one)));
  return strange.map((each) => `${label} of ${series} is never ${each}`);
}
