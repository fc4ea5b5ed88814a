import { COLUMNS, type DataPoint } from "../../../src/telemetry/analytics.ts";
import { LABELS } from "../ops/series-labels.ts";

/**
 * Readers of the three outputs, each of its own making. What they add up is named alike: the series without what all have in common,
 * tenant, model, wire, and the values of its own labels. A histogram is the number of its observations, and its `_sum`.
 */
export type Sums = Map<string, number>;

export const nameOf = (...parts: readonly string[]) => parts.map((part) => (part === "" ? "-" : part)).join(" ");

const short = (series: string) => series.replace(/^toolcall_/, "").replace(/_total$/, "");

function add(sums: Sums, value: number, ...parts: readonly string[]) {
  if (value !== 0) sums.set(nameOf(...parts), (sums.get(nameOf(...parts)) ?? 0) + value);
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = String.raw`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"`;
const SAMPLE = new RegExp(`^(${NAME})\\{((?:${LABEL},?)+)\\} (\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`);
const UNESCAPED: Record<string, string> = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

export interface Sample {
  name: string;
  labels: ReadonlyMap<string, string>;
  value: number;
}

interface Section {
  name: string;
  type: string;
  samples: Sample[];
  /** Names and labels of them. */
  seen: Set<string>;
}

/** Strict: sections as Prometheus' exposition format 0.0.4 has them, in the form that is written here and no other. */
export function readText(text: string): Section[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  const sections: Section[] = [];
  let helped = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [, help] = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\[\\\\n])+$`).exec(line) ?? [];
    const [, typed, type] = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line) ?? [];
    if (help !== undefined) helped = help;
    else if (typed !== undefined && type !== undefined) {
      if (typed !== helped) throw new Error(`no help: ${line}`);
      if (sections.some(({ name }) => name === typed)) throw new Error(`twice: ${line}`);
      sections.push({ name: typed, type, samples: [], seen: new Set() });
    } else sections.at(-1)?.samples.push(readSample(line, sections.at(-1)));
  }
  return sections;
}

function readSample(line: string, section: Section | undefined): Sample {
  const [, name = "", pairs = "", , , value] = SAMPLE.exec(line) ?? [];
  if (!section || value === undefined) throw new Error(`no sample: ${line}`);
  const own = section.type === "histogram" ? name.replace(/_(?:bucket|sum|count)$/, "") : name;
  if (own !== section.name || (section.type === "histogram") === (own === name)) throw new Error(`astray: ${line}`);
  const labels = new Map<string, string>();
  for (const [, label = "", text = ""] of pairs.matchAll(new RegExp(LABEL, "g"))) {
    if (labels.has(label)) throw new Error(`a label twice: ${line}`);
    labels.set(
      label,
      text.replace(/\\./g, (written) => UNESCAPED[written] ?? ""),
    );
  }
  const key = [name, ...[...labels].map((pair) => JSON.stringify(pair)).toSorted()].join();
  if (section.seen.has(key)) throw new Error(`a sample twice: ${line}`);
  section.seen.add(key);
  return { name, labels, value: Number(value) };
}

/** Counters, and histograms, whose buckets have to be in order; gauges are left out. */
export function sumsOfText(texts: readonly string[]): Sums {
  const sums: Sums = new Map();
  for (const { name: section, type, samples } of texts.flatMap(readText)) {
    for (const { name, labels, value } of type === "gauge" ? [] : samples) {
      const known = LABELS.get(name);
      if (known?.join() !== [...labels.keys()].join()) throw new Error(`labels of ${name}: ${[...labels.keys()]}`);
      const values = [...labels.values()];
      if (type === "counter") add(sums, value, short(section), ...values);
      else if (name.endsWith("_count")) add(sums, value, short(section), ...values);
      else if (name.endsWith("_sum")) add(sums, value, `${short(section)}_sum`, ...values);
    }
    if (type === "histogram") checkBuckets(samples);
  }
  return sums;
}

/** In the order of their bounds, each at least as large as the one before, and the last one all. */
function checkBuckets(samples: readonly Sample[]) {
  let last = { bound: Number.NEGATIVE_INFINITY, value: 0 };
  for (const { name, labels, value } of samples) {
    if (name.endsWith("_bucket")) {
      const bound = Number(labels.get("le")?.replace("+Inf", "Infinity"));
      if (!(bound > last.bound) || value < last.value) throw new Error(`buckets of ${name}`);
      last = { bound, value };
    }
    if (!name.endsWith("_count")) continue;
    if (last.bound !== Number.POSITIVE_INFINITY || last.value !== value) throw new Error(`the last bucket of ${name}`);
    last = { bound: Number.NEGATIVE_INFINITY, value: 0 };
  }
}

/** No kind of a failure: the other ends of a reply. */
const ENDS = ["stop", "tool", "length", "filter", "context", "aborted"];

// biome-ignore lint/suspicious/noExplicitAny: a line of a log is any JSON
type LogLine = Record<string, any>;

/** What the lines on replies come to. Failures without a reply have none: they are the client's to read. */
export function sumsOfLog(lines: readonly string[]): Sums {
  const sums: Sums = new Map();
  const replies = lines.map((line): LogLine => JSON.parse(line)).filter(({ event }) => event === "reply");
  for (const reply of replies) {
    const { tenant = "_gateway", model, wire, mode, rollout = "none", outcome, ms = {}, tokens } = reply;
    const own = (value: number | undefined, series: string, ...labels: string[]) =>
      add(sums, value ?? 0, series, tenant, model, wire, ...labels);
    own(1, "replies", mode, rollout, outcome);
    if (!ENDS.includes(outcome)) own(1, "errors", outcome);
    for (const block of reply.blocks ?? []) {
      const { source, dialect } = block;
      own(block.count, "blocks", rollout, source, dialect, block.outcome);
      own(block.repaired, "repaired_blocks", rollout, source, dialect);
      own(block.calls, "calls", rollout, source, dialect);
      own(block.dropped, "dropped_calls", rollout, source, dialect);
      for (const [repair, times] of Object.entries<number>(block.repairs ?? {}))
        own(times, "repairs", rollout, source, dialect, repair);
    }
    own(reply.calls, "delivered_calls");
    own(Number(reply.cut ?? false), "cut_replies");
    own(Number(reply.broke_off ?? false), "broken_replies");
    own(reply.uncoercible, "uncoercible_values");
    if (reply.choice_unmet) own(1, "unmet_choices", reply.choice_unmet);
    if (reply.ended_by) own(1, "ended_replies", reply.ended_by);
    own(reply.calls_from_reasoning, "reasoning_calls");
    own(reply.fenced_examples, "fenced_examples");
    if (reply.shadow) own(1, "shadow_replies", reply.shadow.outcome);
    for (const what of ["calls", "text", "repairs"]) if (reply.shadow?.[what]) own(1, "shadow_differences", what);
    for (const direction of ["input", "output"])
      own(tokens?.[direction], "tokens", direction, String(tokens?.estimated ?? false));
    own(reply.upstream_requests, "upstream_requests");
    for (const reason of reply.asked_again ?? []) own(1, "asked_again", reason);
    own(reply.passed_over, "passed_over_upstreams");
    own(reply.dropped_fields?.length, "dropped_fields");
    own(reply.history_repaired, "mended_messages");
    own(reply.results_cut, "cut_results");
    own(Number(reply.docs_over_budget ?? false), "docs_over_budget");
    for (const [name, series] of Object.entries(TIMES)) {
      if (ms[name] === undefined) continue;
      own(1, series);
      own(ms[name] / 1_000, `${series}_sum`);
    }
    own(1, "held_characters");
    own(reply.held_characters, "held_characters_sum");
  }
  return sums;
}

const TIMES = {
  asked: "gateway_seconds",
  upstream: "upstream_seconds",
  first_output: "first_output_seconds",
  whole: "reply_seconds",
  held: "held_seconds",
};

type Blob = (typeof COLUMNS.blobs)[number];
type Double = (typeof COLUMNS.doubles)[number];

/** What the points come to, as queries would have it: by the names of the columns. */
export function sumsOfPoints(points: readonly DataPoint[]): Sums {
  const sums: Sums = new Map();
  for (const { indexes, blobs, doubles } of points) {
    if (blobs.length !== COLUMNS.blobs.length || doubles.length !== COLUMNS.doubles.length) throw new Error("columns");
    const text = (name: Blob) => blobs[COLUMNS.blobs.indexOf(name)] ?? "";
    const number = (name: Double) => doubles[COLUMNS.doubles.indexOf(name)] ?? Number.NaN;
    const own = (value: number, series: string, ...labels: string[]) =>
      add(sums, value, series, ...indexes, text("model"), text("wire"), ...labels);
    const kind = [text("rollout"), text("source"), text("dialect")];
    const count = number("count");
    switch (text("kind")) {
      case "reply":
        own(count, "replies", text("mode"), text("rollout"), text("outcome"));
        if (text("error") !== "") own(count, "errors", text("error"));
        own(number("calls"), "delivered_calls");
        if (text("cut") === "true") own(count, "cut_replies");
        if (text("broke_off") === "true") own(count, "broken_replies");
        own(number("uncoercible"), "uncoercible_values");
        if (text("choice_unmet") !== "") own(count, "unmet_choices", text("choice_unmet"));
        if (text("ended_by") !== "") own(count, "ended_replies", text("ended_by"));
        own(number("calls_from_reasoning"), "reasoning_calls");
        own(number("fenced_examples"), "fenced_examples");
        if (text("shadow") !== "") own(count, "shadow_replies", text("shadow"));
        own(number("input_tokens"), "tokens", "input", String(text("estimated") === "true"));
        own(number("output_tokens"), "tokens", "output", String(text("estimated") === "true"));
        own(number("upstream_requests"), "upstream_requests");
        own(number("passed_over"), "passed_over_upstreams");
        own(number("dropped_fields"), "dropped_fields");
        own(number("history_repaired"), "mended_messages");
        own(number("results_cut"), "cut_results");
        if (text("docs_over_budget") === "true") own(count, "docs_over_budget");
        own(count, "held_characters");
        own(number("held_characters"), "held_characters_sum");
        for (const [name, series] of Object.entries(TIMES)) {
          const ms = number(`${name}_ms` as Double);
          if (!(ms >= 0)) continue;
          own(count, series);
          own(ms / 1_000, `${series}_sum`);
        }
        break;
      case "error":
        own(count, "errors", text("error"));
        break;
      case "difference":
        own(count, "shadow_differences", text("reason"));
        break;
      case "retry":
        own(count, "asked_again", text("reason"));
        break;
      case "repair":
        own(count, "repairs", ...kind, text("reason"));
        break;
      case "block":
        own(count, "blocks", ...kind, text("outcome"));
        own(number("calls"), "calls", ...kind);
        own(number("dropped"), "dropped_calls", ...kind);
        own(number("repaired"), "repaired_blocks", ...kind);
        break;
      default:
        throw new Error(`a point of ${text("kind")}`);
    }
  }
  return sums;
}
