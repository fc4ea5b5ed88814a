import type { JsonObject, JsonSchema } from "../conversation.ts";
import { DIALECTS, findDialect } from "../dialects/all.ts";
import { canonical } from "../dialects/canonical.ts";
import { type Dialect, isPinned } from "../dialects/dialect.ts";
import { FOREIGN_RESULTS, REASONING_MARKS } from "../dialects/marks.ts";
import { createFold, createReduce, type Emit, type FinishReason, type ReplyEvent } from "../reply.ts";
import { ToolNames } from "../tools.ts";
import { type Arms, arm } from "./arm.ts";
import { createMachine, type Machine } from "./machine.ts";
import type { Channel, EarlyEmit, Mode, SievePlan } from "./plan.ts";
import type { BlockReport, SieveReport } from "./report.ts";
import { createSpacing } from "./spacing.ts";

export type { EarlyEmit, Mode } from "./plan.ts";
export type { BlockReport, SieveReport } from "./report.ts";

export interface SieveOptions {
  tools: readonly { name: string; parameters?: JsonSchema }[];
  /** Default `feature_match`; without tools it is `off` (sieve.md M1). */
  mode?: Mode;
  /** Default `high`. */
  earlyEmit?: EarlyEmit;
  /** Ids or aliases of dialects that are armed besides; an unknown one throws RangeError. */
  dialects?: readonly string[];
  startsInReasoning?: boolean;
  gatewayStop?: readonly string[];
  undeclared?: "pass" | "text";
  malformed?: "text" | "drop";
  reasoningCalls?: "when_answer_empty" | "never";
  /** `sole`: a reply that is one code fence and nothing else is read as what stands in it (sieve.md A5). */
  fenced?: "text" | "sole";
  afterCalls?: "keep" | "end";
  maxCalls?: number;
  newId?: (index: number) => string;
}

export interface Sieve {
  push(text: string, channel?: Channel): ReplyEvent[];
  /** @param reason how the upstream ended; `stop` unless given */
  end(reason?: FinishReason): ReplyEvent[];
  report(): SieveReport;
}

const armed = new Map<string, Arms>();

/** Compiled when first asked for, and kept: the sets are as many as an operator has written down. */
function armsOf(mode: Mode, pins: readonly Dialect[], soleFence: boolean): Arms {
  const key = [mode, soleFence, ...pins.map(({ id }) => id).toSorted()].join(" ");
  const known = armed.get(key);
  if (known) return known;
  if (armed.size >= MOST_ARMED_SETS) armed.clear();
  // Of a notation that is read only where it is pinned, neither channels nor results mean anything elsewhere.
  const live = DIALECTS.filter((dialect) => !isPinned(dialect) || pins.includes(dialect));
  const notations = mode === "feature_match" ? live : [canonical];
  const arms = arm({
    notations,
    pinned: new Set(pins),
    channels: [
      { reasoning: REASONING_MARKS },
      ...(mode === "feature_match" ? notations : pins)
        .filter((dialect) => !dialect.channels?.pinned || pins.includes(dialect))
        .flatMap(({ channels }) => channels ?? []),
    ],
    results: [...live.flatMap(({ results = [] }) => results), ...FOREIGN_RESULTS],
    soleFence,
  });
  armed.set(key, arms);
  return arms;
}

const MOST_ARMED_SETS = 16;

/**
 * Finds the tool calls in a model's text while it streams. Never emits `finish` or `usage`: where the sieve ends the
 * reply itself, later pushes return nothing and `report().ended` is true.
 * @throws RangeError for an unknown dialect
 */
export function createSieve(options: SieveOptions): Sieve {
  let events: ReplyEvent[] | undefined;
  const reduce = createReduce({ newId: options.newId ?? ((index) => `call_${index}`) }, (event) => {
    if (event.type === "finish" || event.type === "usage") return;
    // Most pushes give one event: a literal of one is much smaller than an array that grows.
    if (events) events.push(event);
    else events = [event];
  });
  const spacing = createSpacing(reduce.push);
  const machine = createSieveStage(options, spacing.push);

  function take(): ReplyEvent[] {
    const taken = events ?? [];
    events = undefined;
    return taken;
  }

  return {
    push(text, channel = "text") {
      machine.push({ type: channel, text });
      return take();
    },
    end(reason = "stop") {
      machine.push({ type: "finish", reason });
      return take();
    },
    report: machine.report,
  };
}

/** The same as a stage of an exchange: without spacing and numbering, with whatever else the upstream sends. */
export function createSieveStage(options: SieveOptions, emit: Emit): Machine {
  return createMachine(planSieve(options), emit);
}

export interface ParsedToolCalls {
  calls: { name: string; input: JsonObject }[];
  text: string;
  reasoning: string;
  sawToolCallSyntax: boolean;
  /** Filled by the policy `undeclared: "text"` alone. */
  rejectedByPolicy: boolean;
  rejectedToolNames: string[];
  blocks: BlockReport[];
}

/** A whole text at once: the same machine, fed with one chunk, as with early emission off (sieve.md E4, P8). */
export function parseToolCallsDetailed(text: string, options: SieveOptions): ParsedToolCalls {
  const fold = createFold();
  const spacing = createSpacing(createReduce({ newId: String }, fold.push).push);
  const machine = createSieveStage({ ...options, earlyEmit: "off" }, spacing.push);
  machine.push({ type: "text", text });
  machine.push({ type: "finish", reason: "stop" });
  const reply = fold.reply();
  const { sawToolCallSyntax, blocks, rejectedToolNames } = machine.report();
  return {
    calls: reply.calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) as JsonObject })),
    text: reply.text,
    reasoning: reply.reasoning,
    sawToolCallSyntax,
    rejectedByPolicy: rejectedToolNames.length > 0,
    rejectedToolNames,
    blocks,
  };
}

export function parseToolCalls(text: string, options: SieveOptions): { name: string; input: JsonObject }[] {
  return parseToolCallsDetailed(text, options).calls;
}

function planSieve(options: SieveOptions): SievePlan {
  const pins = [...new Set(options.dialects?.map(dialectOf))];
  const tools = new ToolNames(options.tools);
  const asked = options.mode ?? "feature_match";
  const mode = tools.size === 0 ? "off" : asked;
  const arms = armsOf(asked, pins, asked === "feature_match" && options.fenced === "sole");
  return {
    mode,
    tools,
    earlyEmit: options.earlyEmit ?? "high",
    undeclared: options.undeclared ?? "pass",
    malformed: options.malformed ?? "text",
    afterCalls: options.afterCalls ?? "keep",
    maxCalls: options.maxCalls ?? Number.POSITIVE_INFINITY,
    startsInReasoning: options.startsInReasoning ?? false,
    gatewayStop: options.gatewayStop ?? [],
    unmarked: mode === "feature_match" ? arms.unmarked : undefined,
    ...arms.triggers({ calls: mode !== "off", reasoningCalls: options.reasoningCalls !== "never" }),
  };
}

function dialectOf(id: string): Dialect {
  const dialect = findDialect(id);
  if (!dialect) throw new RangeError(`Unknown dialect: ${id}`);
  return dialect;
}
