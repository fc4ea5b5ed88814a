import { type Asking, askInWords, askNatively, callableTools } from "./asking.ts";
import type { Conversation } from "./conversation.ts";
import { findTaught, isDialect } from "./dialects/all.ts";
import { canonical } from "./dialects/canonical.ts";
import type { TaughtDialect } from "./dialects/dialect.ts";
import { notationsOf } from "./dialects/models.ts";
import { once } from "./once.ts";
import { prepareHistory } from "./prompt/prepare-history.ts";
import type { Quoting } from "./prompt/quoting.ts";
import type { SieveOptions } from "./sieve/index.ts";
import type { Config } from "./tenants/config.ts";
import { estimatePromptTokens } from "./tokens.ts";
import { capabilitiesOf } from "./upstreams/capabilities.ts";
import type { UpstreamRequest } from "./upstreams/upstream.ts";

/** All that is decided once per exchange and handed down; nothing in it changes while the reply streams. */
export interface Plan {
  /** The notation that the model is taught, and in which it reads its own history. */
  readonly dialect: TaughtDialect;
  /** How the tools are told: the id of the notation, or `native`; absent where none are. */
  readonly told: string | undefined;
  /** Absent where nothing is quoted: what looks quoted in the reply is the model's own. */
  readonly quoting: Quoting | undefined;
  readonly sieve: SieveOptions;
  readonly upstream: UpstreamRequest;
  /** An estimate of what goes upstream. */
  readonly promptTokens: () => number;
  /** What of the request the model does not get; told to the client. */
  readonly warnings: readonly string[];
}

/** Decides how an exchange goes, from what the operator has set and what the client asks. */
export function planExchange(config: Config, conversation: Conversation): Plan {
  const { toolcall, upstream } = config;
  const { sampling, reasoning } = conversation;
  const { stop: asked = [], ...rest } = sampling;
  const model = upstream.model ?? conversation.model;
  const native = toolcall.teach === "native";
  const notations = notationsOf(model);
  const dialect = dialectOf(toolcall, notations.taught);
  const pins = [...(native ? [] : [dialect.id]), ...toolcall.dialects, ...notations.expected.filter(isDialect)];
  const dialects = [...new Set(pins)];
  const { formats, stops, reasoning: reasoningField } = capabilitiesOf(upstream.kind);
  const history = prepareHistory(conversation, {
    sieve: { tools: conversation.tools, mode: toolcall.mode, dialects },
    resultCharacters: toolcall.resultCharacters,
    keepsReasoning: reasoningField !== undefined,
  });
  const shown = { ...conversation, turns: history.turns };
  // A model that is taught to call while nothing reads its calls would show their markup to the user.
  const taught = toolcall.mode === "off" ? { ...shown, tools: [], toolChoice: { mode: "none" as const } } : shown;
  const asking = native ? askNatively(shown, formats) : askInWords(taught, dialect, toolcall.docs, formats);
  const callsInText = !native && callableTools(taught).length > 0;
  const stop = asked.slice(0, stops);
  const gatewayStop = callsInText && upstream.kind !== "demo" ? ownStops(dialect, stop, stops) : [];
  return Object.freeze({
    dialect,
    told: asking.told,
    quoting: asking.quoting,
    sieve: {
      tools: callableTools(taught),
      mode: toolcall.mode,
      earlyEmit: toolcall.earlyEmit,
      dialects,
      startsInReasoning: toolcall.reasoning === "open",
      gatewayStop,
      ...(!conversation.parallelToolCalls && { maxCalls: 1 }),
    },
    upstream: {
      model,
      clientNamed: upstream.model === undefined,
      ...asking.request,
      sampling: rest,
      // The client's own come first: one that cannot go upstream would be missed, ours only saves tokens.
      stop: [...stop, ...gatewayStop],
      ...(callsInText && { callsInText }),
      ...(reasoning.effort && { effort: reasoning.effort }),
    },
    promptTokens: once(() => estimatePromptTokens(textsOf(asking))),
    warnings: [...history.warnings, ...warningsOf(conversation, asking, stops)],
  });
}

/** No server is known that takes fewer; many take no more, and which one stands behind `generic` nobody knows. */
const STOPS_ANYWHERE = 4;

/**
 * Stops a model that goes on behind its calls and makes up their results: it has read what results look like in its
 * history. Where the client's own strings leave no room, the sieve alone ends such a reply.
 */
function ownStops({ results = [] }: TaughtDialect, asked: readonly string[], most: number): readonly string[] {
  const [opener] = results;
  const room = asked.length < Math.min(most, STOPS_ANYWHERE);
  return opener === undefined || !room || asked.includes(opener) ? [] : [opener];
}

/** In `canonical` no other notation is read, whatever the model was trained on. */
function dialectOf({ teach, mode }: Config["toolcall"], modelsOwn: string): TaughtDialect {
  if (mode === "canonical") return canonical;
  return findTaught(teach === "auto" ? modelsOwn : teach) ?? canonical;
}

function warningsOf({ sampling }: Conversation, { formatInWords, docs }: Asking, stops: number): string[] {
  const warnings: string[] = [];
  if (formatInWords) {
    const why = formatInWords === "calls" ? "enforced, it would forbid tool calls" : "the upstream does not enforce it";
    warnings.push(`the response format is asked for in words alone: ${why}`);
  }
  if ((sampling.stop?.length ?? 0) > stops) {
    warnings.push(`the upstream takes ${stops} stop strings at most: those behind them are left out`);
  }
  if (docs?.fits === false) {
    warnings.push("the tools take more of the prompt than they may, though each has one line: none is left out");
  } else if (docs?.level === "shortened" || docs?.level === "brief") {
    warnings.push("descriptions of tools are cut: whole, they take more of the prompt than they may");
  }
  return warnings;
}

/** All that a chat template makes a prompt of. */
function textsOf({ request: { messages, native } }: Asking): { content: string }[] {
  const texts = messages.map((message) => {
    if (message.role !== "assistant") return message;
    const { content, calls, reasoning = "" } = message;
    return { content: content + reasoning + (calls ? JSON.stringify(calls) : "") };
  });
  return [...texts, ...(native?.tools.map((tool) => ({ content: JSON.stringify(tool) })) ?? [])];
}
