import type { JsonObject } from "../conversation.ts";
import { DIALECTS, findDialect } from "../dialects/all.ts";
import { canonical } from "../dialects/canonical.ts";
import { type Dialect, isPinned } from "../dialects/dialect.ts";
import { FOREIGN_RESULTS, REASONING_MARKS } from "../dialects/marks.ts";
import { SIEVE_LIMITS } from "../limits.ts";
import { Recent } from "../recent.ts";
import {
  createFold,
  createReduce,
  type Emit,
  type FinishReason,
  type NativeCall,
  type Reply,
  type ReplyEvent,
} from "../reply.ts";
import { ToolNames } from "../tools.ts";
import { type Arms, arm } from "./arm.ts";
import { createMachine, type Machine } from "./machine.ts";
import { checkOptions, type SieveOptions } from "./options.ts";
import type { Channel, Mode, SievePlan } from "./plan.ts";
import type { BlockReport, SieveReport } from "./report.ts";
import { createSpacing } from "./spacing.ts";

export type { SieveOptions } from "./options.ts";
export type { EarlyEmit, Mode } from "./plan.ts";
export type { Repair } from "./repairs.ts";
export type { BlockReport, EndedBy, SieveReport } from "./report.ts";

/** One reply on its way through. */
export interface Sieve {
  /**
   * Takes the next piece of the reply, cut wherever it may be.
   * @param channel where the upstream put it; `text` unless given
   * @returns what is sure by now
   */
  push(text: string, channel?: Channel): ReplyEvent[];
  /**
   * Ends the reply and gives what was still held. A call that was announced and never closed gets no `call-end`.
   * @param reason how the upstream ended; `stop` unless given
   */
  end(reason?: FinishReason): ReplyEvent[];
  /** What is known of the reply so far. */
  report(): SieveReport;
}

/** Of some 2.5 MB each, in an isolate of 128. */
const MOST_ARMED_SETS = 16;
const armed = new Recent<Arms>(MOST_ARMED_SETS);

/** Compiled when first asked for. Where clients name the model, they choose the pins, so only the latest sets are kept. */
function armsOf(mode: Mode, pins: readonly Dialect[], soleFence: boolean): Arms {
  const key = [mode === "feature_match", soleFence, ...pins.map(({ id }) => id).toSorted()].join(" ");
  return armed.get(key, () => compileArms(mode, pins, soleFence));
}

function compileArms(mode: Mode, pins: readonly Dialect[], soleFence: boolean): Arms {
  // Of a notation that is read only where it is pinned, neither channels nor results mean anything elsewhere.
  const live = DIALECTS.filter((dialect) => !isPinned(dialect) || pins.includes(dialect));
  const notations = mode === "feature_match" ? live : [canonical];
  // What a server leaves of a notation, its channels and its names, is the model's: it is known in every mode.
  const written = mode === "feature_match" ? notations : pins;
  return arm({
    notations,
    bareNames: written.flatMap(({ bareNames = [] }) => bareNames),
    pinned: new Set(pins),
    channels: [
      { reasoning: REASONING_MARKS },
      ...written
        .filter((dialect) => !dialect.channels?.pinned || pins.includes(dialect))
        .flatMap(({ channels }) => channels ?? []),
    ],
    results: [...live.flatMap(({ results = [] }) => results), ...FOREIGN_RESULTS],
    soleFence,
  });
}

/**
 * Finds the tool calls in a model's text while it streams. Never emits `finish` or `usage`: where the sieve ends the
 * reply itself, later pushes return nothing and `report().ended` is true.
 * @throws RangeError for an unknown dialect or a value that an option does not take, TypeError without a list of tools
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

/**
 * The same as a stage of an exchange: without spacing and numbering, with whatever else the upstream sends.
 *
 * @param pending native calls that the upstream has begun and that wait for the end of the answer
 */
export function createSieveStage(options: SieveOptions, emit: Emit, pending?: () => readonly NativeCall[]): Machine {
  return createMachine(planSieve(options), emit, pending);
}

/** What a whole text came to. */
export interface ParsedToolCalls {
  /** In the order of the text; only those that are complete. */
  calls: { name: string; input: JsonObject }[];
  /** What the user may see: the text without its calls, its reasoning and the marks of both. */
  text: string;
  reasoning: string;
  /** Whether it was meant to call, be there a call or not (sieve.md G6). */
  sawToolCallSyntax: boolean;
  /** Filled by the policy `undeclared: "text"` alone. */
  rejectedByPolicy: boolean;
  /** The names that it has turned away. */
  rejectedToolNames: string[];
  /** What became of each block, repairs included. */
  blocks: BlockReport[];
}

/** A whole text, read: its calls with their arguments as JSON. */
export type WholeText = Pick<Reply, "text" | "reasoning" | "calls"> & { report: SieveReport };

/**
 * Reads whole texts, however many, with a plan that is made once: the same machine, fed with one chunk, as with early
 * emission off (sieve.md E4, P8).
 * @throws as `createSieve` does
 */
export function createTextReader(options: SieveOptions): (text: string) => WholeText {
  const plan = planSieve({ ...options, earlyEmit: "off" });
  return (text) => {
    const fold = createFold();
    const machine = createMachine(plan, createSpacing(createReduce({ newId: String }, fold.push).push).push);
    machine.push({ type: "text", text });
    machine.push({ type: "finish", reason: "stop" });
    return { ...fold.reply(), report: machine.report() };
  };
}

/**
 * A whole text at once.
 * @throws as `createSieve` does
 */
export function parseToolCallsDetailed(text: string, options: SieveOptions): ParsedToolCalls {
  const { calls, report, ...reply } = createTextReader(options)(text);
  const { sawToolCallSyntax, blocks, rejectedToolNames } = report;
  return {
    calls: calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) as JsonObject })),
    text: reply.text,
    reasoning: reply.reasoning,
    sawToolCallSyntax,
    rejectedByPolicy: rejectedToolNames.length > 0,
    rejectedToolNames,
    blocks,
  };
}

/**
 * The calls of a whole text and nothing else of it.
 * @throws as `createSieve` does
 */
export function parseToolCalls(text: string, options: SieveOptions): { name: string; input: JsonObject }[] {
  return parseToolCallsDetailed(text, options).calls;
}

function planSieve(options: SieveOptions): SievePlan {
  checkOptions(options);
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
    limits: options.limits ?? SIEVE_LIMITS,
    startsInReasoning: options.startsInReasoning ?? false,
    gatewayStop: options.gatewayStop ?? [],
    bareNames: arms.bareNames,
    unmarked: mode === "feature_match" ? arms.unmarked : undefined,
    ...arms.triggers({ calls: mode !== "off", reasoningCalls: options.reasoningCalls !== "never" }),
  };
}

function dialectOf(id: string): Dialect {
  const dialect = findDialect(id);
  if (!dialect) throw new RangeError(`Unknown dialect: ${id}`);
  return dialect;
}
