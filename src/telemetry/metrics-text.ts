import type { Tally } from "../tenants/count-keeper.ts";
import { COUNTERS, type CounterName, HISTOGRAMS, type HistogramName, RATES } from "./series.ts";

type Labels = Readonly<Record<string, string>>;

interface Sample {
  labels: Labels;
  value: number;
  /** Behind the series' name. */
  ending?: "_bucket" | "_sum" | "_count";
}

/**
 * What a tenant's object has counted, in Prometheus' text format 0.0.4, with the four numbers that are made of it. What was counted under
 * a name that no series has any more is passed over.
 */
export function metricsText(tenant: string, tallies: readonly Tally[]): string {
  const counters = Object.entries(COUNTERS).map(([name, { help }]) =>
    section({ name, help, type: "counter" }, samplesOf(tallies, name as CounterName), tenant),
  );
  const histograms = Object.entries(HISTOGRAMS).map(([name, { help }]) =>
    section({ name, help, type: "histogram" }, histogramsOf(tallies, name as HistogramName), tenant),
  );
  const rates = Object.entries(ratesOf(tallies)).map(([name, samples]) =>
    section({ name, help: RATES[name as RateName], type: "gauge" }, samples, tenant),
  );
  return [...counters, ...histograms, ...rates].join("");
}

function samplesOf(tallies: readonly Tally[], name: CounterName): Sample[] {
  const names = COUNTERS[name].labels;
  return tallies.flatMap(({ model, wire, counts }) =>
    counts
      .filter(({ series }) => series === name)
      .map(({ labels, value }) => ({
        labels: { model, wire, ...Object.fromEntries(names.map((label, place) => [label, labels[place] ?? ""])) },
        value,
      })),
  );
}

/** Where it was counted at all; each bucket holds those below it, too. */
function histogramsOf(tallies: readonly Tally[], name: HistogramName): Sample[] {
  const bounds = [...HISTOGRAMS[name].bounds.map(String), "+Inf"];
  return tallies.flatMap(({ model, wire, counts }) => {
    const labels = { model, wire };
    const own = new Map(
      counts.filter(({ series }) => series === `${name}_bucket`).map((each) => [each.labels[0], each]),
    );
    const sum = counts.find(({ series }) => series === `${name}_sum`);
    if (!sum) return [];
    let below = 0;
    const buckets = bounds.map((le): Sample => {
      below += own.get(le)?.value ?? 0;
      return { labels: { ...labels, le }, value: below, ending: "_bucket" };
    });
    return [...buckets, { labels, value: sum.value, ending: "_sum" }, { labels, value: below, ending: "_count" }];
  });
}

type RateName = keyof typeof RATES;

/** What blocks are told apart by in the rates. */
const KIND = ["model", "wire", "source", "dialect"];

function ratesOf(tallies: readonly Tally[]): Record<RateName, Sample[]> {
  const blocks = samplesOf(tallies, "toolcall_blocks_total");
  const all = sumBy(blocks, KIND);
  const shareOf = (parts: readonly Sample[]) => {
    const sums = sumBy(parts, KIND);
    return [...all].map(([kind, { labels, value }]) => ({ labels, value: (sums.get(kind)?.value ?? 0) / value }));
  };
  const came = (outcome: string) => shareOf(blocks.filter(({ labels }) => labels.outcome === outcome));
  const repairs = sumBy(samplesOf(tallies, "toolcall_repairs_total"), [...KIND, "repair"]);
  const ofBlocks = ({ labels, value }: Sample) => value / (all.get(keyOf(labels, KIND))?.value ?? value);
  return {
    toolcall_parse_source: [...all.values()],
    toolcall_parse_success_rate: came("call"),
    toolcall_malformed_rate: came("malformed"),
    toolcall_repair_rate: [
      ...shareOf(samplesOf(tallies, "toolcall_repaired_blocks_total")).map(({ labels, value }) => ({
        labels: { ...labels, repair: "any" },
        value,
      })),
      ...[...repairs.values()].map((needed) => ({ labels: needed.labels, value: ofBlocks(needed) })),
    ],
  };
}

function sumBy(samples: readonly Sample[], names: readonly string[]): Map<string, Sample> {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const key = keyOf(labels, names);
    const kept = Object.fromEntries(names.map((name) => [name, labels[name] ?? ""]));
    sums.set(key, { labels: kept, value: value + (sums.get(key)?.value ?? 0) });
  }
  return sums;
}

function keyOf(labels: Labels, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => labels[name]));
}

/** Of a series that has no samples nothing is said. */
function section(
  { name, help, type }: { name: string; help: string; type: "counter" | "histogram" | "gauge" },
  samples: readonly Sample[],
  tenant: string,
): string {
  if (samples.length === 0) return "";
  const lines = samples.map(
    ({ labels, value, ending = "" }) => `${name}${ending}{${labelsText({ tenant, ...labels })}} ${value}`,
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

/** The operator's own names of models may hold anything. */
function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
