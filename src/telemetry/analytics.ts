import type { GatewayError } from "../errors.ts";
import { ANALYTICS_LIMITS } from "../limits.ts";
import { OWN_OBJECT } from "../tenants/tenant-object.ts";
import { differencesOf, failureOf } from "./counts.ts";
import { logUnwritten } from "./log.ts";
import type { BlockCount, ReplyReport } from "./reply-report.ts";

/** Workers Analytics Engine: takes points for its SQL, and answers nothing. */
export interface AnalyticsBinding {
  writeDataPoint(point: DataPoint): void;
}

export interface DataPoint {
  indexes: [tenant: string];
  blobs: string[];
  doubles: number[];
}

/**
 * The columns of every point: the first of `blobs` is `blob1`, the first of `doubles` `double1`. Queries name the columns, so a new one
 * goes to the end, and none ever moves.
 */
export const COLUMNS = {
  blobs: [
    /** What the point tells of: `reply`, `block`, `repair`, `retry`, `difference`, `error`. */
    "kind",
    "model",
    "wire",
    /** `stream` or `whole`. */
    "delivery",
    "mode",
    /** `in`, `out` or `none`. */
    "rollout",
    /** How the tools were told. */
    "told",
    /** How the reply ended; what became of blocks. */
    "outcome",
    /** The kind of the failure that the client was told, with a reply or instead of one. */
    "error",
    /** Of blocks, and of their repairs. */
    "source",
    "dialect",
    /** The repair by its name; what the retry was for; what a second reading would have made otherwise. */
    "reason",
    "ended_by",
    "choice_unmet",
    "docs",
    /** Flags: `true`, or empty. */
    "docs_over_budget",
    "cut",
    /** Of the tokens. */
    "estimated",
    /** What came of a second reading in another setting. */
    "shadow",
    /** A flag. */
    "broke_off",
  ],
  doubles: [
    /** How many replies, blocks, blocks that needed the repair, retries, differences, errors the point tells of. */
    "count",
    /** That the client got; that were in the blocks. */
    "calls",
    "dropped",
    "repaired",
    "uncoercible",
    "calls_from_reasoning",
    "held_characters",
    "input_tokens",
    "output_tokens",
    "upstream_requests",
    "passed_over",
    "dropped_fields",
    "history_repaired",
    "results_cut",
    /** Milliseconds; -1 where there is none, as 0 may be one. */
    "asked_ms",
    "upstream_ms",
    "first_output_ms",
    "whole_ms",
    "held_ms",
    "fenced_examples",
  ],
} as const;

type Told = Pick<Row, "tenant" | "model" | "wire">;

type Row = { tenant: string | undefined } & { [Name in (typeof COLUMNS.blobs)[number]]?: string | undefined } & {
  [Name in (typeof COLUMNS.doubles)[number]]?: number | undefined;
};

/**
 * One reply: a point for itself, one for each difference of a second reading, one for each further request, one for the blocks that are
 * alike, and for each repair of theirs. All counters can be added up from them. Where they are too many, the last ones are left out: those
 * are repairs.
 */
export function pointsOf(report: ReplyReport): DataPoint[] {
  const { tenant, model, wire, rollout = "none", mode, told, blocks } = report;
  const all = { tenant, model, wire, delivery: report.streaming ? "stream" : "whole", mode, rollout, told };
  const rows: Row[] = [
    { ...all, ...rowOfReply(report) },
    ...differencesOf(report).map((reason) => ({ ...all, kind: "difference", reason, count: 1 })),
    ...report.askedAgain.map((reason) => ({ ...all, kind: "retry", reason, count: 1 })),
    ...blocks.map((block) => ({ ...all, ...rowOfBlocks(block) })),
    ...blocks.flatMap((block) => rowsOfRepairs(block).map((row) => ({ ...all, ...row }))),
  ];
  return rows.slice(0, ANALYTICS_LIMITS.points).map(pointOf);
}

/** A failure that the client was told instead of a reply. */
export function pointOfError(told: Told, kind: GatewayError["kind"]): DataPoint {
  return pointOf({ ...told, kind: "error", error: kind, count: 1 });
}

function rowOfReply(report: ReplyReport): Partial<Row> {
  const { outcome, tokens, ms } = report;
  return {
    kind: "reply",
    outcome,
    error: failureOf(report),
    ended_by: report.endedBy,
    choice_unmet: report.choiceUnmet,
    docs: report.docs,
    docs_over_budget: flag(report.docsOverBudget),
    cut: flag(report.cut),
    shadow: report.shadow?.outcome,
    broke_off: flag(report.brokeOff),
    estimated: flag(tokens?.estimated),
    count: 1,
    calls: report.calls,
    uncoercible: report.uncoercible,
    calls_from_reasoning: report.callsFromReasoning,
    held_characters: report.heldCharacters,
    input_tokens: tokens?.input,
    output_tokens: tokens?.output,
    upstream_requests: report.upstreamRequests,
    passed_over: report.passedOver,
    dropped_fields: report.droppedFields.length,
    history_repaired: report.historyRepaired,
    results_cut: report.resultsCut,
    asked_ms: ms.asked,
    upstream_ms: ms.upstream,
    first_output_ms: ms.firstOutput,
    whole_ms: ms.whole,
    held_ms: ms.held,
    fenced_examples: report.fencedExamples,
  };
}

function rowOfBlocks({ source, dialect, outcome, count, calls, dropped, repaired }: BlockCount): Partial<Row> {
  return { kind: "block", source, dialect, outcome, count, calls, dropped, repaired };
}

function rowsOfRepairs({ source, dialect, outcome, repairs = {} }: BlockCount): Partial<Row>[] {
  return Object.entries(repairs).map(([reason, count]) => ({
    kind: "repair",
    source,
    dialect,
    outcome,
    reason,
    count,
  }));
}

function flag(held: boolean | undefined): string {
  return held ? "true" : "";
}

function pointOf(row: Row): DataPoint {
  return {
    indexes: [row.tenant ?? OWN_OBJECT],
    // An operator may have written a pattern of any length; all blobs of a point have 16 KB.
    blobs: COLUMNS.blobs.map((name) => (row[name] ?? "").slice(0, ANALYTICS_LIMITS.blob)),
    doubles: COLUMNS.doubles.map((name) => row[name] ?? (name.endsWith("_ms") ? -1 : 0)),
  };
}

/** One that cannot be written disturbs nothing. */
export function writePoints(binding: AnalyticsBinding, points: readonly DataPoint[], requestId: string) {
  try {
    for (const point of points) binding.writeDataPoint(point);
  } catch {
    logUnwritten(requestId);
  }
}
