import type { JsonObject } from "../../../src/conversation.ts";
import { findDialect } from "../../../src/dialects/all.ts";
import type { FinishReason } from "../../../src/reply.ts";
import dialectsFile from "../../cases/dialects.jsonl?raw";
import faultsFile from "../../cases/faults.jsonl?raw";
import rulesFile from "../../cases/rules.jsonl?raw";
import variantsFile from "../../cases/variants.jsonl?raw";
import type { GivenCuts } from "../../chunking.ts";
import type { SieveOptions } from "./run.ts";

export type Mode = "off" | "canonical" | "feature_match";
export type Level = "off" | "high" | "low";
export const MODES: readonly Mode[] = ["canonical", "feature_match"];
export const LEVELS: readonly Level[] = ["off", "high", "low"];

/** One input with what it must give: the three data files brought to one form. */
export interface Case {
  id: string;
  /** Label of its notation, where the file has one. */
  dialect?: string;
  modes: readonly Mode[];
  options: Omit<SieveOptions, "mode" | "earlyEmit">;
  input: string;
  reasoning?: string | undefined;
  upstreamFinish: FinishReason;
  cuts: GivenCuts;
  /** How blanks of the text are compared. */
  blanks: Blanks | ((mode: Mode) => Blanks);
  expected(mode: Mode, level: Level): Expected;
}

export type Blanks = "exact" | "trimmed" | "collapsed" | "ignored";

interface Expected {
  /** Undefined: not judged, but it still has to be the same at every chunking. */
  result: Expectation | undefined;
  /** Early emission changes it (E1, T3). */
  early: boolean;
}

/** A field that is absent is not judged. */
export interface Expectation {
  calls?: readonly ExpectedCall[];
  calls_alt?: readonly (readonly ExpectedCall[])[];
  /** An announced call that broke: its fragments, joined, are a prefix of this. */
  open?: { name: string; prefix_of: string };
  text?: string | null;
  text_alt?: readonly string[];
  reasoning?: string;
  finish?: FinishReason | undefined;
  finish_alt?: readonly (FinishReason | undefined)[];
  sawToolCallSyntax?: boolean | null;
  /** Of all blocks, in order. */
  repairs?: readonly string[];
  outcomes?: readonly string[];
  calls_never?: readonly ExpectedCall[];
  finish_never?: readonly (FinishReason | undefined)[];
}

export interface ExpectedCall {
  name: string;
  arguments?: JsonObject;
  /** Compared as JSON text, so that digits count. */
  arguments_json?: string;
  /** Compared as it stands. */
  arguments_text?: string;
}

/** A result that differs from the case's own because of the mode (M2) or of early emission (E1, T3). */
export interface Variant {
  mode?: Mode;
  levels?: readonly Level[];
  /** Null: not judged. */
  expect: Expectation | null;
}

type Tools = SieveOptions["tools"];

export function rules(): Case[] {
  return linesOf<RulesLine>(rulesFile)
    .filter(({ id }) => !OTHER_NOTATIONS.has(id))
    .map((line) => {
      const { calls, text, sawToolCallSyntax } = line.expect;
      const named = calls?.map(({ name, input }) => ({ name, arguments: input }));
      const own = line.level === "info" ? undefined : { ...(named && { calls: named }), text, sawToolCallSyntax };
      return {
        id: line.id,
        modes: line.mode === "canonical" ? MODES : ["feature_match"],
        options: { tools: line.tools },
        input: line.input,
        upstreamFinish: "stop",
        cuts: { chunks: line.chunks },
        blanks: "trimmed",
        expected: withVariants(variantsOf(line.id), () => own),
      };
    });
}

/** Cases of the notations; in `canonical` all but the canonical one is text, byte for byte. */
export function dialects(file = dialectsFile): Case[] {
  return linesOf<DialectsLine>(file).map((line) => {
    checkLabels(line);
    const { tools, opts, expect } = line;
    const own = line.mode === "canonical" || line.dialect === "canonical";
    const { calls, ...rest } = expect;
    const hasChannels = opts?.starts_in_reasoning || channelMarks(line).some((mark) => line.input.includes(mark));
    const foreign = { calls: [], text: line.input };
    return {
      id: line.id,
      dialect: line.dialect,
      modes: own || !hasChannels ? MODES : ["feature_match"],
      options: {
        tools,
        ...(opts?.starts_in_reasoning && { startsInReasoning: true }),
        ...(line.mode === "pinned" && { dialects: [line.dialect] }),
      },
      input: line.input,
      upstreamFinish: "stop",
      cuts: {},
      blanks: (mode) => (calls?.length && (own || mode !== "canonical") ? "collapsed" : "exact"),
      expected: withVariants(variantsOf(line.id), (mode) =>
        mode === "canonical" && !own ? foreign : { ...rest, ...(calls && { calls }) },
      ),
    };
  });
}

/** A slip in them would leave the case out, or pin what has to be read without a pin. */
function checkLabels({ id, dialect, mode }: DialectsLine) {
  const complain = (what: string) => {
    throw new Error(`test/cases/dialects.jsonl, ${id}: ${what}`);
  };
  if (dialect !== NO_DIALECT && !findDialect(dialect)) complain(`no notation is called ${dialect}`);
  const modes: readonly string[] = DIALECT_MODES;
  if (!modes.includes(mode)) complain(`its mode is one of ${modes.join(", ")}, not ${mode}`);
}

/** Channels work in every mode, those of a notation only where it is pinned (A4). */
function channelMarks({ dialect, mode }: DialectsLine): string[] {
  const { visible = [], reasoning = [] } = (mode === "pinned" && findDialect(dialect)?.channels) || {};
  return ["<think>", ...visible, ...reasoning.flatMap(({ open }) => open ?? [])];
}

/** Whether it lies in the folder of dialects. */
function isKnown({ dialect: label }: { dialect: string }): boolean {
  const dialect = FAMILIES[label] ?? label;
  return findDialect(dialect) !== undefined;
}

/** Faults name some notations by their family. */
const FAMILIES: Readonly<Record<string, string>> = { json: "bare_json", dsml: "deepseek_v4", mistral: "mistral_v11" };

/** A fault in another notation is judged where that is known; in mode `canonical` it has to stay text, byte for byte. */
export function faults(): Case[] {
  const runners = ["parse", "render"];
  return linesOf<FaultsLine>(faultsFile)
    .filter(({ runner }) => runners.includes(runner))
    .map((line) => (line.dialect === "canonical" ? ownNotation(line) : foreignNotation(line)));
}

/** Cases that grow: the token in the input and in the expectation is filled up to each of the sizes. */
export function costs(): { id: string; size: number; filled: Case; chunk: number; maxHeld: number }[] {
  return linesOf<FaultsLine>(faultsFile).flatMap((line) => {
    if (!line.expand) return [];
    const { token, unit, sizes, delta, max_held: maxHeld = 1024 } = line.expand;
    return sizes.map((size) => {
      const fill = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
      const escaped = JSON.stringify(fill).slice(1, -1);
      const text = JSON.stringify(line).replaceAll(token, () => escaped);
      return { id: line.id, size, filled: ownNotation(JSON.parse(text)), chunk: delta, maxHeld };
    });
  });
}

function ownNotation(line: FaultsLine): Case {
  const never = {
    ...(line.calls_never && { calls_never: line.calls_never }),
    ...(line.finish_never && { finish_never: line.finish_never.map(finishReason) }),
  };
  const forbidden = line.client_options?.tool_choice === "none";
  return {
    ...commonParts(line),
    modes: MODES,
    // M1: a request that forbids calls is, for the sieve, one that declares no tools.
    options: { tools: forbidden ? [] : line.tools, ...(line.gateway_stop && { gatewayStop: line.gateway_stop }) },
    blanks: line.ws_free ? "ignored" : line.ws === "exact" ? "exact" : "collapsed",
    expected: withVariants(variantsOf(line.id), (mode) => {
      const own = mode === "feature_match" ? (line.expect_fm ?? line.expect) : line.expect;
      return { ...inOurWords(own), ...never };
    }),
  };
}

function foreignNotation(line: FaultsLine): Case {
  return {
    ...commonParts(line),
    modes: isKnown(line) ? MODES : ["canonical"],
    options: { tools: line.tools },
    blanks: (mode) => (mode === "canonical" || line.ws === "exact" ? "exact" : "collapsed"),
    expected: withVariants(variantsOf(line.id), (mode) =>
      mode === "canonical" ? { calls: [], text: line.input } : inOurWords(line.expect),
    ),
  };
}

const commonParts = (line: FaultsLine) => ({
  id: line.id,
  input: line.input,
  reasoning: line.reasoning,
  upstreamFinish: finishReason(line.upstream_finish ?? "stop") ?? "stop",
  cuts: { splits: line.splits },
});

export function withVariants(mine: readonly Variant[], own: (mode: Mode) => Expectation | undefined): Case["expected"] {
  return (mode, level) => {
    const variant = mine.find(({ mode: only = mode, levels = LEVELS }) => only === mode && levels.includes(level));
    return {
      result: variant ? (variant.expect ?? undefined) : own(mode),
      early: variant?.levels !== undefined,
    };
  };
}

const finishReason = (word: string): FinishReason | undefined =>
  ({ tool_calls: "tool", stop: "stop", length: "length", content_filter: "filter" })[word] as FinishReason | undefined;

const inOurWords = ({ finish, finish_alt, ...rest }: FaultExpectation): Expectation => ({
  ...rest,
  ...(finish && { finish: finishReason(finish) }),
  ...(finish_alt && { finish_alt: finish_alt.map(finishReason) }),
});

function linesOf<Line>(file: string): Line[] {
  const lines = file.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

const variants = linesOf<Variant & { id: string }>(variantsFile);
const variantsOf = (id: string) => variants.filter((variant) => variant.id === id);

/** Cases of `rules.jsonl` whose calls are written in notations other than the canonical one. */
const OTHER_NOTATIONS = new Set("k34 k37".split(" "));

interface RulesLine {
  id: string;
  mode: Mode;
  level: "must" | "should" | "info";
  tools: Tools;
  input: string;
  chunks?: string[];
  expect: {
    calls: { name: string; input: JsonObject }[] | null;
    text: string | null;
    sawToolCallSyntax: boolean | null;
  };
}

/** The label of what is no call in any notation. */
const NO_DIALECT = "negative";

/** `auto`: read in `feature_match`; `pinned`: only where the notation is asked for; `canonical`: in every mode. */
const DIALECT_MODES = ["canonical", "auto", "pinned"] as const;

interface DialectsLine {
  id: string;
  dialect: string;
  mode: (typeof DIALECT_MODES)[number];
  tools: Tools;
  input: string;
  opts?: { starts_in_reasoning?: boolean };
  /** Null calls: not judged. */
  expect: Omit<Expectation, "calls"> & { calls: readonly ExpectedCall[] | null };
}

interface FaultsLine {
  id: string;
  runner: string;
  dialect: string;
  tools: Tools;
  input: string;
  reasoning?: string;
  splits?: number[];
  ws?: "exact";
  ws_free?: boolean;
  gateway_stop?: string[];
  upstream_finish?: string;
  client_options?: { tool_choice?: unknown };
  expand?: { token: string; unit: string; sizes: number[]; delta: number; max_held?: number };
  expect: FaultExpectation;
  expect_fm?: FaultExpectation;
  calls_never?: ExpectedCall[];
  finish_never?: string[];
}

/** Finish reasons in OpenAI's words. */
type FaultExpectation = Omit<Expectation, "finish" | "finish_alt"> & { finish?: string; finish_alt?: string[] };
