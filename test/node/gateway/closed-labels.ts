import { DIALECTS } from "../../../src/dialects/all.ts";
import { MODEL_NOTATIONS } from "../../../src/dialects/models.ts";
import type { DocsLevel } from "../../../src/prompt/tool-docs.ts";
import type { BlockReport, Mode } from "../../../src/sieve/index.ts";
import { REPAIRS } from "../../../src/sieve/repairs.ts";
import type { RetryReason } from "../../../src/stream/egress.ts";
import { COLUMNS, type DataPoint } from "../../../src/telemetry/analytics.ts";
import { HISTOGRAMS } from "../../../src/telemetry/series.ts";
import { WIRES } from "../../wires/wires.ts";
import { valuesOf } from "../ops/series-labels.ts";
import type { Sample } from "./outputs.ts";

/** All that may ever stand in a label, or in a text of a point: of the code's own lists, and what the operator calls models and tenants. */

type All<T extends string> = Record<T, true>;

const MODES: All<Mode> = { off: true, canonical: true, feature_match: true };
const SOURCES: All<BlockReport["source"]> = {
  ...{ canonical: true, xml: true, json: true },
  ...{ markup: true, textkv: true, native: true },
};
const REASONS: All<RetryReason | "call-missing"> = {
  ...{ "upstream-busy": true, "field-dropped": true, "tools-refused": true },
  ...{ "force-refused": true, "call-missing": true },
};
const DOCS: All<DocsLevel> = { schema: true, signatures: true, shortened: true, brief: true };
const dialects = [...DIALECTS.map(({ id }) => id), "native"];
const wires = WIRES.map(({ protocol }) => protocol.name);
const families = MODEL_NOTATIONS.flatMap(([patterns]) => patterns.split(" "));
const differences = Object.keys(valuesOf("toolcall_shadow_differences_total", "what"));

/** What the operator calls them; a failure without a reply is of no model. */
export interface OwnWords {
  tenants: readonly string[];
  models: readonly string[];
}

function closedValues(series: string, label: string, { tenants, models }: OwnWords): readonly string[] {
  switch (label) {
    case "tenant":
      return ["_gateway", ...tenants];
    case "model":
      return ["", "other", "demo", ...families, ...models];
    case "wire":
      return wires;
    case "mode":
      return Object.keys(MODES);
    case "source":
      return Object.keys(SOURCES);
    case "dialect":
      return dialects;
    case "repair":
      return ["any", ...REPAIRS];
    case "reason":
      return Object.keys(REASONS);
    case "direction":
      return ["input", "output"];
    case "estimated":
      return ["true", "false"];
    case "le":
      return [
        ...Object.entries(HISTOGRAMS).flatMap(([name, { bounds }]) =>
          series === `${name}_bucket` ? bounds.map(String) : [],
        ),
        "+Inf",
      ];
    default:
      return Object.keys(valuesOf(series, label));
  }
}

/** Labels with values of no list. */
export function strangeLabels(samples: readonly Sample[], own: OwnWords): string[] {
  return samples.flatMap(({ name, labels }) =>
    [...labels]
      .filter(([label, value]) => !closedValues(name, label, own).includes(value))
      .map((pair) => `${name} ${pair}`),
  );
}

const replies = Object.keys(valuesOf("toolcall_replies_total", "outcome"));
const FLAG = ["true"];
const BLOBS: Record<Exclude<(typeof COLUMNS.blobs)[number], "model">, readonly string[]> = {
  kind: ["reply", "block", "repair", "retry", "difference", "error"],
  wire: wires,
  delivery: ["stream", "whole"],
  mode: Object.keys(MODES),
  rollout: ["in", "out", "none"],
  told: dialects,
  outcome: [...replies, ...Object.keys(valuesOf("toolcall_blocks_total", "outcome"))],
  error: Object.keys(valuesOf("toolcall_errors_total", "kind")),
  source: Object.keys(SOURCES),
  dialect: dialects,
  reason: [...REPAIRS, ...Object.keys(REASONS), ...differences],
  ended_by: Object.keys(valuesOf("toolcall_ended_replies_total", "by")),
  choice_unmet: Object.keys(valuesOf("toolcall_unmet_choices_total", "unmet")),
  docs: Object.keys(DOCS),
  docs_over_budget: FLAG,
  cut: FLAG,
  broke_off: FLAG,
  estimated: FLAG,
  shadow: Object.keys(valuesOf("toolcall_shadow_replies_total", "outcome")),
};

/** Texts of points that are of no list, and numbers that are none. */
export function strangeBlobs(points: readonly DataPoint[], own: OwnWords): string[] {
  return points.flatMap(({ indexes, blobs, doubles }) => [
    ...indexes.filter((tenant) => !closedValues("", "tenant", own).includes(tenant)),
    ...COLUMNS.blobs.flatMap((name, place) => {
      const blob = blobs[place] ?? "";
      const closed = name === "model" ? closedValues("", "model", own) : ["", ...BLOBS[name]];
      return closed.includes(blob) ? [] : [`${name} ${blob}`];
    }),
    ...doubles.filter((double) => !Number.isFinite(double) || double < -1).map(String),
  ]);
}
