/**
 * Every series of numbers: its name as Prometheus has it, what it tells, and its labels besides `tenant`, `model` and `wire`, which all
 * of them have. The values of labels are of closed lists.
 */

interface Counter {
  readonly help: string;
  readonly labels: readonly string[];
}

/** What happened, once or several times in a reply. */
export const COUNTERS = {
  toolcall_replies_total: {
    help: "Replies, by how they ended: the finish that the client was told, the kind of the failure, or aborted.",
    labels: ["mode", "rollout", "outcome"],
  },
  toolcall_errors_total: { help: "Failures that clients were told, with a reply or instead of one.", labels: ["kind"] },
  toolcall_blocks_total: {
    help: "Blocks of call markup in replies, and calls of the upstream's own, by what became of them.",
    labels: ["rollout", "source", "dialect", "outcome"],
  },
  toolcall_repaired_blocks_total: {
    help: "Blocks of which something was mended.",
    labels: ["rollout", "source", "dialect"],
  },
  toolcall_repairs_total: {
    help: "Blocks that needed this repair.",
    labels: ["rollout", "source", "dialect", "repair"],
  },
  toolcall_calls_total: { help: "Calls that were found in blocks.", labels: ["rollout", "source", "dialect"] },
  toolcall_dropped_calls_total: {
    help: "Calls in blocks that were bad, cut, or dropped by a policy.",
    labels: ["rollout", "source", "dialect"],
  },
  toolcall_delivered_calls_total: { help: "Calls that clients got whole.", labels: [] },
  toolcall_cut_replies_total: { help: "Replies whose end cut a block or a call of the upstream's own.", labels: [] },
  toolcall_broken_replies_total: {
    help: "Replies that broke off at a call that could not be read, though the client had been told of it or the upstream had sent it as one.",
    labels: [],
  },
  toolcall_uncoercible_values_total: {
    help: "Values that could not be brought to their schema's type and stayed text.",
    labels: [],
  },
  toolcall_unmet_choices_total: {
    help: "Replies that came to their end and have not kept tool_choice.",
    labels: ["unmet"],
  },
  toolcall_ended_replies_total: {
    help: "Replies that the gateway ended before the model did: results that it invented, what came behind calls, too many calls.",
    labels: ["by"],
  },
  toolcall_reasoning_calls_total: { help: "Calls that stood in reasoning alone.", labels: [] },
  toolcall_fenced_examples_total: { help: "Calls that stood as examples in code fences and stayed text.", labels: [] },
  toolcall_shadow_replies_total: {
    help: "Replies that were read in a second setting as well, by what came of it.",
    labels: ["outcome"],
  },
  toolcall_shadow_differences_total: {
    help: "Replies of which the second setting would have made other calls, another text, or other repairs.",
    labels: ["what"],
  },
  toolcall_tokens_total: { help: "Tokens by the upstream's count, or estimated.", labels: ["direction", "estimated"] },
  toolcall_upstream_requests_total: { help: "Requests to upstreams.", labels: [] },
  toolcall_asked_again_total: { help: "Further requests for one reply.", labels: ["reason"] },
  toolcall_passed_over_upstreams_total: { help: "Upstreams that had failed before another one was asked.", labels: [] },
  toolcall_dropped_fields_total: { help: "Fields of our requests that an upstream has refused.", labels: [] },
  toolcall_mended_messages_total: { help: "Messages of histories whose calls were mended.", labels: [] },
  toolcall_cut_results_total: { help: "Results of tools that were cut to their limit.", labels: [] },
  // Counted by the tenant's object itself.
  toolcall_lost_counts_total: { help: "Counts that the tenant's object had no room for.", labels: [] },
  toolcall_docs_over_budget_total: {
    help: "Requests whose tools took more than their budget even in brief.",
    labels: [],
  },
} as const satisfies Record<string, Counter>;

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const CHARACTERS = [0, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 1_000_000];

interface Histogram {
  readonly help: string;
  /** Upper bounds, each of its own bucket; above the last one there is one more. */
  readonly bounds: readonly number[];
}

/** How much it was in each reply. */
export const HISTOGRAMS = {
  toolcall_gateway_seconds: {
    help: "From a request's arrival until an upstream was asked: its body, its key, its tenant, its budget.",
    bounds: SECONDS,
  },
  toolcall_upstream_seconds: { help: "From asking the upstream until it began to answer well.", bounds: SECONDS },
  toolcall_first_output_seconds: {
    help: "From a request's arrival until there was something of a stream to send.",
    bounds: SECONDS,
  },
  toolcall_reply_seconds: { help: "From a request's arrival until its reply was over.", bounds: SECONDS },
  toolcall_held_seconds: { help: "The longest that the sieve held back something of a reply.", bounds: SECONDS },
  toolcall_held_characters: { help: "The most characters of a reply that the sieve held back.", bounds: CHARACTERS },
} as const satisfies Record<string, Histogram>;

/**
 * The four numbers, made of the counters when they are asked for, by `source` and `dialect`; the last one by `repair` as well: the name
 * of one, or `any`.
 */
export const RATES = {
  toolcall_parse_source: "Blocks, by the family of notations that they were written in.",
  toolcall_parse_success_rate: "The share of blocks whose calls were delivered.",
  toolcall_malformed_rate: "The share of blocks that could not be read.",
  toolcall_repair_rate: "The share of blocks of which something was mended.",
} as const;

export type CounterName = keyof typeof COUNTERS;
export type HistogramName = keyof typeof HISTOGRAMS;
