import type { GatewayError } from "../errors.ts";
import type { Count, Tally } from "../tenants/count-keeper.ts";
import type { ReplyReport } from "./reply-report.ts";
import { COUNTERS, type CounterName, HISTOGRAMS, type HistogramName } from "./series.ts";

/** What one reply adds to the numbers. Nothing that is 0 is in it, but for observations. */
export function tallyOf(report: ReplyReport): Tally {
  const rollout = report.rollout ?? "none";
  const { model, wire, ms } = report;
  return {
    model,
    wire,
    counts: [
      ...count("toolcall_replies_total", { mode: report.mode, rollout, outcome: report.outcome }),
      ...count("toolcall_errors_total", { kind: failureOf(report) }),
      ...report.blocks.flatMap((block) => countsOfBlock(block, rollout)),
      ...count("toolcall_delivered_calls_total", {}, report.calls),
      ...count("toolcall_cut_replies_total", {}, Number(report.cut)),
      ...count("toolcall_broken_replies_total", {}, Number(report.brokeOff)),
      ...count("toolcall_uncoercible_values_total", {}, report.uncoercible),
      ...count("toolcall_unmet_choices_total", { unmet: report.choiceUnmet }),
      ...count("toolcall_ended_replies_total", { by: report.endedBy }),
      ...count("toolcall_reasoning_calls_total", {}, report.callsFromReasoning),
      ...count("toolcall_fenced_examples_total", {}, report.fencedExamples),
      ...count("toolcall_shadow_replies_total", { outcome: report.shadow?.outcome }),
      ...differencesOf(report).flatMap((what) => count("toolcall_shadow_differences_total", { what })),
      ...countsOfTokens(report.tokens),
      ...count("toolcall_upstream_requests_total", {}, report.upstreamRequests),
      ...report.askedAgain.flatMap((reason) => count("toolcall_asked_again_total", { reason })),
      ...count("toolcall_passed_over_upstreams_total", {}, report.passedOver),
      ...count("toolcall_dropped_fields_total", {}, report.droppedFields.length),
      ...count("toolcall_mended_messages_total", {}, report.historyRepaired),
      ...count("toolcall_cut_results_total", {}, report.resultsCut),
      ...count("toolcall_docs_over_budget_total", {}, Number(report.docsOverBudget)),
      ...observe("toolcall_gateway_seconds", seconds(ms.asked)),
      ...observe("toolcall_upstream_seconds", seconds(ms.upstream)),
      ...observe("toolcall_first_output_seconds", seconds(ms.firstOutput)),
      ...observe("toolcall_reply_seconds", seconds(ms.whole)),
      ...observe("toolcall_held_seconds", seconds(ms.held)),
      ...observe("toolcall_held_characters", report.heldCharacters),
    ],
  };
}

/** A failure that a client was told instead of a reply: of no model in particular. */
export function tallyOfError(wire: Tally["wire"], kind: GatewayError["kind"]): Tally {
  return { model: "", wire, counts: count("toolcall_errors_total", { kind }) };
}

function countsOfBlock(block: ReplyReport["blocks"][number], rollout: string): Count[] {
  const { source, dialect, outcome, calls = 0, dropped = 0, repaired = 0 } = block;
  const labels = { rollout, source, dialect };
  return [
    ...count("toolcall_blocks_total", { ...labels, outcome }, block.count),
    ...count("toolcall_repaired_blocks_total", labels, repaired),
    ...Object.entries(block.repairs ?? {}).flatMap(([repair, times]) =>
      count("toolcall_repairs_total", { ...labels, repair }, times),
    ),
    ...count("toolcall_calls_total", labels, calls),
    ...count("toolcall_dropped_calls_total", labels, dropped),
  ];
}

/** What a second reading would have made otherwise. */
export function differencesOf({ shadow }: ReplyReport): ("calls" | "text" | "repairs")[] {
  return (["calls", "text", "repairs"] as const).filter((what) => shadow?.[what]);
}

function countsOfTokens(tokens: ReplyReport["tokens"]): Count[] {
  if (!tokens) return [];
  const estimated = String(tokens.estimated === true);
  return [
    ...count("toolcall_tokens_total", { direction: "input", estimated }, tokens.input),
    ...count("toolcall_tokens_total", { direction: "output", estimated }, tokens.output),
  ];
}

const NO_FAILURES: ReadonlySet<ReplyReport["outcome"]> = new Set([
  "stop",
  "tool",
  "length",
  "filter",
  "context",
  "aborted",
]);

/** The failure that the client was told of, before the first byte or behind it. */
export function failureOf({ outcome }: ReplyReport): GatewayError["kind"] | undefined {
  return NO_FAILURES.has(outcome) ? undefined : (outcome as GatewayError["kind"]);
}

/** Nothing where a label is undefined: that has not happened. */
function count<Name extends CounterName>(series: Name, labels: LabelsOf<Name>, value = 1): Count[] {
  const names: readonly (keyof LabelsOf<Name>)[] = COUNTERS[series].labels;
  const values = names.flatMap((name) => labels[name] ?? []);
  return value === 0 || values.length < names.length ? [] : [{ series, labels: values, value }];
}

type LabelsOf<Name extends CounterName> = Record<(typeof COUNTERS)[Name]["labels"][number], string | undefined>;

/** A bucket holds what is above the bound before it; the sums that Prometheus wants are made when it asks. */
function observe(name: HistogramName, value: number | undefined): Count[] {
  if (value === undefined) return [];
  const bound = HISTOGRAMS[name].bounds.find((each) => value <= each);
  return [
    { series: `${name}_bucket`, labels: [bound === undefined ? "+Inf" : String(bound)], value: 1 },
    { series: `${name}_sum`, labels: [], value },
  ];
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000;
}
