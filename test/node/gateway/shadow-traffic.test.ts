import { afterEach, describe, expect, test, vi } from "vitest";
import type { FinishReason, ReplyEvent } from "../../../src/reply.ts";
import { createSieve, type SieveOptions } from "../../../src/sieve/index.ts";
import * as chatTools from "../../chat-tools.ts";
import { chunk, DONE, type Script } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { ALL_CASES } from "../sieve/all-cases.ts";
import { NEGATIVES, TOOLS } from "../sieve/negative-files.ts";
import { NOTATIONS } from "../sieve/notations.ts";
import { REPLIES } from "../wires/replies.ts";
import { type InProcessGateway, inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Options = Partial<SieveOptions>;
type Channel = "text" | "reasoning";
type Mode = "canonical" | "feature_match";

/** All that a model says, with what a client and an operator have set meanwhile. */
interface Words {
  id: string;
  said: readonly (readonly [Channel, string])[];
  tools: SieveOptions["tools"];
  options: Options;
  finish: FinishReason;
}

const ALL: readonly Words[] = [
  ...Object.entries(ALL_CASES).flatMap(([file, cases]) =>
    cases.map(
      ({ id, input, reasoning = "", options: { tools, gatewayStop: _, ...options }, upstreamFinish }): Words => ({
        id: `${file}, ${id}`,
        said: [
          ["reasoning", reasoning],
          ["text", input],
        ],
        tools,
        options,
        finish: upstreamFinish,
      }),
    ),
  ),
  ...Object.entries(NEGATIVES).flatMap(([file, negatives]) =>
    negatives.map(({ name, text }) => plain(`${file}, ${name}`, text)),
  ),
  ...NOTATIONS.map(({ dialect, example }, index) => plain(`notations.txt, ${dialect} ${index}`, example)),
  ...REPLIES.flatMap(({ id, said }) => {
    const words = said.filter((one) => one[0] !== "native") as [Channel, string][];
    if (words.length < said.length) return [];
    const tools = chatTools.TOOLS.map((tool) => tool.function as RequestTool);
    return [{ id: `replies.jsonl, ${id}`, said: words, tools, options: {}, finish: "stop" as const }];
  }),
];

/** A tool that no wire takes, by its name, stands in no request. */
const TRAFFIC = ALL.filter(({ tools }) => !tools.some(({ name }) => /["<>\s]/.test(name)));

function plain(id: string, text: string): Words {
  return { id, said: [["text", text]], tools: TOOLS, options: {}, finish: "stop" };
}

const SETTINGS = {
  fenced: "TOOLCALL_FENCED",
  undeclared: "TOOLCALL_UNDECLARED",
  malformed: "TOOLCALL_MALFORMED",
  reasoningCalls: "TOOLCALL_REASONING_CALLS",
  afterCalls: "TOOLCALL_AFTER_CALLS",
} as const;

function variablesFor({ options }: Words): Variables {
  const set = Object.entries(SETTINGS).map(([name, variable]) => [
    variable,
    options[name as keyof typeof SETTINGS] ?? "",
  ]);
  return {
    ...Object.fromEntries(set),
    TOOLCALL_DIALECTS: (options.dialects ?? []).join(","),
    TOOLCALL_REASONING: options.startsInReasoning ? "open" : "",
  };
}

/** Between code points; 0: whole. */
function pieces(text: string, size: number): string[] {
  if (text === "") return [];
  if (size === 0) return [text];
  const points = Array.from(text);
  const starts = points.flatMap((_, at) => (at % size === 0 ? [at] : []));
  return starts.map((at) => points.slice(at, at + size).join(""));
}

const deltas = ({ said }: Words, size: number) =>
  said.flatMap(([channel, text]) => pieces(text, size).map((piece) => [channel, piece] as const));

const FINISHES: Partial<Record<FinishReason, string>> = { tool: "tool_calls", filter: "content_filter" };

function script(words: Words, size: number): Script {
  const events = deltas(words, size).map(([channel, piece]) =>
    chunk({ [channel === "text" ? "content" : "reasoning_content"]: piece }),
  );
  const end = chunk({}, FINISHES[words.finish] ?? words.finish) + DONE;
  return { steps: [...events, end].map((send) => ({ send })) };
}

interface Told {
  calls: string[];
  text: string;
  repairs: string[];
}

/** What the sieve gives of whole texts, alone and in one mode. */
function alone(words: Words, mode: Mode, gatewayStop: readonly string[]): Told {
  const sieve = openSieve(words, mode, gatewayStop);
  const events = deltas(words, 0).flatMap(([channel, text]) => sieve.push(text, channel));
  events.push(...sieve.end(words.finish));
  const { blocks } = sieve.report();
  return {
    calls: callsIn(events),
    text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    repairs: blocks.flatMap(({ repairs }) => repairs).toSorted(),
  };
}

function callsIn(events: readonly ReplyEvent[]): string[] {
  const calls = new Map<number, string>();
  const ended = new Set<number>();
  for (const event of events) {
    if (event.type === "call-start") calls.set(event.index, `${event.name} `);
    if (event.type === "call-arguments") calls.set(event.index, calls.get(event.index) + event.json);
    if (event.type === "call-end") ended.add(event.index);
  }
  return [...calls].filter(([index]) => ended.has(index)).map(([, call]) => call);
}

function openSieve({ tools, options }: Words, mode: Mode, gatewayStop: readonly string[]) {
  const dialects = ["canonical", ...(options.dialects ?? [])];
  const { maxCalls, ...rest } = options;
  return createSieve({ tools, ...rest, mode, dialects, gatewayStop, ...(maxCalls === 1 && { maxCalls }) });
}

/** The sieve stopped to read by itself, and the other one would have read on: nobody knows what. */
function partedWays(words: Words, size: number, modes: readonly [Mode, Mode], gatewayStop: readonly string[]): boolean {
  const [main, other] = modes.map((mode) => openSieve(words, mode, gatewayStop));
  for (const [channel, piece] of deltas(words, size)) {
    for (const sieve of [main, other]) sieve?.push(piece, channel);
    if (main?.report().ended) return !other?.report().ended;
  }
  return false;
}

const MODES: readonly (readonly [Mode, Mode])[] = [
  ["canonical", "feature_match"],
  ["feature_match", "canonical"],
];
const WAYS = [
  { way: "streamed, cut into deltas of 3", stream: true, size: 3 },
  { way: "in one piece", stream: false, size: 0 },
];

const [chat] = WIRES as [Wire, ...Wire[]];
const wires = WIRES.map((wire) => [wire.name, wire] as const);

/** What is random, or the time, in an answer. */
const unstable = (text: string) =>
  text.replace(/((?:call_|fc_|ctc_|rs_|toolu_|msg_|resp_|chatcmpl-|"responseId":")\w+)|_at":\d+|"created":\d+/g, "");

async function answerOf(gateway: InProcessGateway, wire: Wire, words: Words, stream: boolean): Promise<string> {
  const request = {
    turns: [{ user: "Go on." }],
    tools: words.tools as RequestTool[],
    maxTokens: 100_000,
    ...(words.options.maxCalls === 1 && { parallel: false }),
  };
  const { response } = await gateway.ask(wire, request, { stream });
  expect(response.status, words.id).toBe(200);
  return unstable(await response.text());
}

/** By what the operator has set, so that one gateway serves them all. */
const groupsOf = (words: readonly Words[]) =>
  [...Map.groupBy(words, (each) => JSON.stringify(variablesFor(each)))].map(
    ([set, group]) => [JSON.parse(set) as Variables, group] as const,
  );

/** From whole texts, by nothing that the shadow has. */
function difference(words: Words, modes: readonly [Mode, Mode], gatewayStop: readonly string[]) {
  const [mine, theirs] = modes.map((mode) => alone(words, mode, gatewayStop)) as [Told, Told];
  const differs = (["calls", "text", "repairs"] as const).filter(
    (name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]),
  );
  return {
    outcome: differs.length === 0 ? "same" : "different",
    ...Object.fromEntries(differs.map((name) => [name, true])),
  };
}

describe.each(MODES)("the cases as traffic in %s, with %s as its shadow", (...modes) => {
  const [mode, other] = modes;

  test.each(WAYS)("differ exactly as the two modes alone do; $way", async ({ stream, size }) => {
    const kinds = new Map<string, number>();
    for (const [set, group] of groupsOf(TRAFFIC)) {
      const scripts = group.map((words) => script(words, size));
      const gateway = inProcess({ ...set, TOOLCALL_MODE: mode, TOOLCALL_SHADOW_MODE: other }, ...scripts);
      for (const [index, words] of group.entries()) {
        await answerOf(gateway, chat, words, stream);
        const { stop = [] } = gateway.requests[index] ?? {};
        const parted = partedWays(words, size, modes, stop);
        const wanted = parted ? { outcome: "incomplete" } : difference(words, modes, stop);
        const told = gateway.reports[index]?.shadow;
        expect(told, words.id).toEqual(wanted);
        for (const kind of [wanted.outcome, ...Object.keys(wanted)]) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    // The traffic has much of everything.
    const most = { same: 1_000, different: 750, calls: 700, text: 700, repairs: 150 };
    for (const [kind, count] of Object.entries(most)) expect(kinds.get(kind), kind).toBeGreaterThan(count);
  });

  test.each(wires)("the reply is byte for byte the one without; %s", async (_name, wire) => {
    const some = TRAFFIC.filter((_, index) => index % 24 === 0);
    for (const { stream, size } of WAYS) {
      for (const [set, group] of groupsOf(some)) {
        const given = { ...set, TOOLCALL_MODE: mode };
        const scripts = group.map((words) => script(words, size));
        const without: string[] = [];
        const bare = inProcess(given, ...scripts);
        for (const words of group) without.push(await answerOf(bare, wire, words, stream));
        expect(bare.reports.filter((line) => "shadow" in line)).toEqual([]);
        const gateway = inProcess({ ...given, TOOLCALL_SHADOW_MODE: other }, ...scripts);
        for (const [index, words] of group.entries()) {
          expect(await answerOf(gateway, wire, words, stream), words.id).toBe(without[index]);
        }
        expect(gateway.reports.every((line) => "shadow" in line)).toBe(true);
      }
    }
  });
});
