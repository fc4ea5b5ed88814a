import type { Count, Tally } from "../tenants/count-keeper.ts";
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
  const all = bySeries(tallies);
  const counters = Object.entries(COUNTERS).map(([name, { help }]) =>
    section({ name, help, type: "counter" }, samplesOf(all, name as CounterName), tenant),
  );
  const histograms = Object.entries(HISTOGRAMS).map(([name, { help }]) =>
    section({ name, help, type: "histogram" }, histogramsOf(all, name as HistogramName), tenant),
  );
  const rates = Object.entries(ratesOf(all)).map(([name, samples]) =>
    section({ name, help: RATES[name as RateName], type: "gauge" }, samples, tenant),
  );
  return [...counters, ...histograms, ...rates].join("");
}

interface Counted extends Pick<Tally, "model" | "wire"> {
  count: Count;
}

type BySeries = ReadonlyMap<string, readonly Counted[]>;

/** In one pass: there may be many. */
function bySeries(tallies: readonly Tally[]): BySeries {
  const all = new Map<string, Counted[]>();
  for (const { model, wire, counts } of tallies) {
    for (const count of counts) {
      const counted = all.get(count.series) ?? [];
      if (counted.length === 0) all.set(count.series, counted);
      counted.push({ model, wire, count });
    }
  }
  return all;
}

function samplesOf(all: BySeries, name: CounterName): Sample[] {
  const names = COUNTERS[name].labels;
  return (all.get(name) ?? []).map(({ model, wire, count: { labels, value } }) => ({
    labels: { model, wire, ...Object.fromEntries(names.map((label, place) => [label, labels[place] ?? ""])) },
    value,
  }));
}

/** Where it was counted at all; each bucket holds those below it, too. */
function histogramsOf(all: BySeries, name: HistogramName): Sample[] {
  const bounds = [...HISTOGRAMS[name].bounds.map(String), "+Inf"];
  const buckets = new Map<string, number>();
  for (const { model, wire, count } of all.get(`${name}_bucket`) ?? []) {
    buckets.set(JSON.stringify([model, wire, count.labels[0]]), count.value);
  }
  return (all.get(`${name}_sum`) ?? []).flatMap(({ model, wire, count: sum }) => {
    const labels = { model, wire };
    let below = 0;
    const upTo = bounds.map((le): Sample => {
      below += buckets.get(JSON.stringify([model, wire, le])) ?? 0;
      return { labels: { ...labels, le }, value: below, ending: "_bucket" };
    });
    return [...upTo, { labels, value: sum.value, ending: "_sum" }, { labels, value: below, ending: "_count" }];
  });
}

type RateName = keyof typeof RATES;

/** What blocks are told apart by in the rates. */
const KIND = ["model", "wire", "source", "dialect"];

function ratesOf(counted: BySeries): Record<RateName, Sample[]> {
  const blocks = samplesOf(counted, "toolcall_blocks_total");
  const all = sumBy(blocks, KIND);
  const shareOf = (parts: readonly Sample[]) => {
    const sums = sumBy(parts, KIND);
    return [...all].map(([kind, { labels, value }]) => ({ labels, value: (sums.get(kind)?.value ?? 0) / value }));
  };
  const came = (outcome: string) => shareOf(blocks.filter(({ labels }) => labels.outcome === outcome));
  const repairs = sumBy(samplesOf(counted, "toolcall_repairs_total"), [...KIND, "repair"]);
  const ofBlocks = ({ labels, value }: Sample) => value / (all.get(keyOf(labels, KIND))?.value ?? value);
  return {
    toolcall_parse_source: [...all.values()],
    toolcall_parse_success_rate: came("call"),
    toolcall_malformed_rate: came("malformed"),
    toolcall_repair_rate: [
      ...shareOf(samplesOf(counted, "toolcall_repaired_blocks_total")).map(({ labels, value }) => ({
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
