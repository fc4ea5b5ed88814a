import { askInWords, askNatively, callableTools } from "./asking.ts";
import type { Content, Conversation } from "./conversation.ts";
import { findTaught, isDialect } from "./dialects/all.ts";
import { canonical } from "./dialects/canonical.ts";
import type { TaughtDialect } from "./dialects/dialect.ts";
import { type ModelNotations, notationsOf } from "./dialects/models.ts";
import { forceCall } from "./forcing.ts";
import { once } from "./once.ts";
import { warningsOf } from "./plan-warnings.ts";
import { type PreparedHistory, prepareHistory } from "./prompt/prepare-history.ts";
import type { Quoting } from "./prompt/quoting.ts";
import type { ToolDocs } from "./prompt/tool-docs.ts";
import { reasoningHistory } from "./reasoning-history.ts";
import type { SieveOptions } from "./sieve/index.ts";
import type { Config } from "./tenants/config.ts";
import { estimatePromptTokens } from "./tokens.ts";
import { capabilitiesOf } from "./upstreams/capabilities.ts";
import { NATIVE_TOOLS } from "./upstreams/lessons.ts";
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
  /** What the same words are read by a second time, to be counted alone. */
  readonly shadow: SieveOptions | undefined;
  readonly upstream: UpstreamRequest;
  /** An estimate of what goes upstream. */
  readonly promptTokens: () => number;
  /** What of the request the model does not get; told to the client. */
  readonly warnings: readonly string[];
  /** The same with more than words for a required call, to be tried if it has not come. */
  readonly forced?: Plan;
  /** The same in words alone, to be tried if the server refuses what else is in this one. */
  readonly unforced?: Plan;
  /** What was done to the history. */
  readonly history: Pick<PreparedHistory, "repaired" | "resultsCut">;
  /** How much of the tools is told; absent where they are not told in words. */
  readonly docs: Pick<ToolDocs, "level" | "fits"> | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Decides how an exchange goes, from what the operator has set and what the client asks.
 * @param refusedFor what the server has refused of late, for that model
 */
export function planExchange(
  config: Config,
  conversation: Conversation,
  refusedFor: (model: string) => ReadonlySet<string> = () => NONE,
): Plan {
  const { toolcall, upstream } = config;
  const refused = refusedFor(upstream.model ?? conversation.model);
  const plan = planUnforced(config, conversation, refused);
  if (toolcall.force === "never") return plan;
  const { dialect, quoting } = plan;
  const request = forceCall(plan.upstream, conversation, { config, dialect, quoting, refused });
  if (!request) return plan;
  const forced = { ...plan, ...asked(request) };
  return Object.freeze(toolcall.force === "always" ? { ...forced, unforced: plan } : { ...plan, forced });
}

/** A call that is required is asked for in words, and no more is done for it. */
function planUnforced(config: Config, conversation: Conversation, refused: ReadonlySet<string>): Plan {
  const { toolcall, upstream, limits } = config;
  const { sampling, reasoning } = conversation;
  const { stop: wanted = [], ...rest } = sampling;
  const model = upstream.model ?? conversation.model;
  const capabilities = capabilitiesOf(upstream.kind);
  const notations = notationsOf(model);
  const { dialect, native } = howTold(toolcall, notations, capabilities.tools && !refused.has(NATIVE_TOOLS));
  const withPins = (added: readonly string[]) => [
    ...new Set([...(native ? [] : [dialect.id]), ...added, ...notations.expected.filter(isDialect)]),
  ];
  const dialects = withPins(toolcall.dialects);
  const thoughts = reasoningHistory(toolcall.reasoningHistory, capabilities, notations.inline);
  const history = prepareHistory(conversation, {
    sieve: { tools: conversation.tools, mode: toolcall.mode, dialects },
    resultCharacters: toolcall.resultCharacters,
    reasoning: thoughts.kept,
    images: upstream.kind !== "demo" && upstream.images ? capabilities.images : [],
  });
  const shown = { ...conversation, turns: history.turns };
  // A model that is taught to call while nothing reads its calls would show their markup to the user.
  const taught = toolcall.mode === "off" ? { ...shown, tools: [], toolChoice: { mode: "none" as const } } : shown;
  const asking = native
    ? askNatively(shown, capabilities.formats, thoughts.inline)
    : askInWords(taught, dialect, toolcall.docs, capabilities.formats, thoughts.inline);
  const callsInText = !native && callableTools(taught).length > 0;
  const stop = wanted.slice(0, capabilities.stops);
  const maxTokens = clamp(rest.maxTokens, limits.maxTokens) ?? capabilities.maxTokens;
  const gatewayStop = callsInText && upstream.kind !== "demo" ? ownStops(dialect, stop, capabilities.stops) : [];
  const request: UpstreamRequest = {
    model,
    clientNamed: upstream.model === undefined,
    ...(upstream.kind !== "demo" && upstream.clientKeyed && { clientKeyed: true }),
    ...asking.request,
    sampling: { ...rest, ...(maxTokens !== undefined && { maxTokens }) },
    // The client's own come first: one that cannot go upstream would be missed, ours only saves tokens.
    stop: [...stop, ...gatewayStop],
    ...(callsInText && { callsInText }),
    ...(reasoning.effort && { effort: reasoning.effort }),
    ...(thoughts.field && { reasoningField: thoughts.field }),
  };
  const sieve: SieveOptions = {
    tools: callableTools(taught),
    mode: toolcall.mode,
    earlyEmit: toolcall.earlyEmit,
    ...toolcall.policy,
    dialects,
    startsInReasoning: toolcall.reasoning === "open",
    gatewayStop,
    ...(!conversation.parallelToolCalls && { maxCalls: 1 }),
    limits: { calls: limits.calls, block: limits.heldCharacters },
  };
  const otherwise = toolcall.shadow?.sieve;
  return Object.freeze({
    dialect,
    told: asking.told,
    quoting: asking.quoting,
    sieve,
    // Its tools are the client's own: where calls are off, those of the other one are none.
    shadow: otherwise && {
      ...sieve,
      tools: callableTools(conversation),
      ...otherwise,
      dialects: withPins(otherwise.dialects ?? toolcall.dialects),
    },
    ...asked(request),
    warnings: [
      ...history.warnings,
      ...warningsOf(conversation, asking, { stops: capabilities.stops, tokens: limits.maxTokens }),
    ],
    history,
    docs: asking.docs,
  });
}

/**
 * In `canonical` no other notation is read, whatever the model was trained on. What `auto` does not teach it gives to a
 * server that takes tools; with calls off it tells of none either way.
 *
 * @param takesTools the server does
 */
function howTold(
  { teach, mode, strings }: Config["toolcall"],
  { taught, native }: ModelNotations,
  takesTools: boolean,
): { dialect: TaughtDialect; native: boolean } {
  const auto = teach === "auto";
  const own = findTaught(auto && mode !== "canonical" ? taught : teach) ?? canonical;
  const dialect = own === canonical && strings === "raw" ? findTaught("canonical_raw") : own;
  return {
    dialect: dialect ?? canonical,
    native: teach === "native" || (auto && native && takesTools && mode === "feature_match"),
  };
}

/** What is allowed of what is wanted; where nothing is wanted, all of it. */
function clamp(wanted: number | undefined, allowed: number | undefined): number | undefined {
  return wanted === undefined || allowed === undefined ? (wanted ?? allowed) : Math.min(wanted, allowed);
}

/** No server is known that takes fewer; many take no more, and which one stands behind `generic` nobody knows. */
const STOPS_ANYWHERE = 4;

/**
 * Stops a model that goes on behind its calls and makes up their results: it has read what results look like in its
 * history. Where the client's own strings leave no room, the sieve alone ends such a reply.
 */
function ownStops({ results = [] }: TaughtDialect, wanted: readonly string[], most: number): readonly string[] {
  const [opener] = results;
  const room = wanted.length < Math.min(most, STOPS_ANYWHERE);
  return opener === undefined || !room || wanted.includes(opener) ? [] : [opener];
}

function asked(request: UpstreamRequest): Pick<Plan, "upstream" | "promptTokens"> {
  return { upstream: request, promptTokens: once(() => estimatePromptTokens(textsOf(request))) };
}

/** All that a chat template makes a prompt of. */
function textsOf({ messages, native, forced, reasoningField }: UpstreamRequest): { content: Content }[] {
  const texts = messages.map((message) => {
    if (message.role !== "assistant") return message;
    const { content, calls, reasoning = "" } = message;
    return { content: content + (reasoningField ? reasoning : "") + (calls ? JSON.stringify(calls) : "") };
  });
  if (forced?.prefill) texts.push({ content: forced.prefill.text });
  return [...texts, ...(native?.tools.map((tool) => ({ content: JSON.stringify(tool) })) ?? [])];
}
