import type { Conversation, Part } from "./conversation.ts";
import { DIALECTS } from "./dialects/all.ts";
import { canonical } from "./dialects/canonical.ts";
import { reservedSpellings, type TaughtDialect } from "./dialects/dialect.ts";
import { once } from "./once.ts";
import { renderPrompt } from "./prompt/prompt.ts";
import { createQuoting, type Quoting } from "./prompt/quoting.ts";
import type { SieveOptions } from "./sieve/index.ts";
import type { Config } from "./tenants/config.ts";
import { estimatePromptTokens } from "./tokens.ts";
import type { UpstreamRequest } from "./upstreams/upstream.ts";

/** All that is decided once per exchange and handed down; nothing in it changes while the reply streams. */
export interface Plan {
  /** The notation that the model is taught, and in which it reads its own history. */
  readonly dialect: TaughtDialect;
  readonly quoting: Quoting;
  readonly sieve: SieveOptions;
  readonly upstream: UpstreamRequest;
  /** An estimate of what goes upstream. */
  readonly promptTokens: () => number;
  /** What of the request the model does not get; told to the client. */
  readonly warnings: readonly string[];
}

// Compiled once: it depends on nothing but the dialects that exist.
const quoting = createQuoting(
  DIALECTS.map((dialect) => ({ reserved: reservedSpellings(dialect), results: dialect.results })),
);

/** Decides how an exchange goes, from what the operator has set and what the client asks. */
export function planExchange(config: Config, conversation: Conversation): Plan {
  const { toolcall, upstream } = config;
  const { sampling, reasoning } = conversation;
  const { stop = [], ...rest } = sampling;
  // A model that is taught to call while nothing reads its calls would show their markup to the user.
  const asked =
    toolcall.mode === "off" ? { ...conversation, tools: [], toolChoice: { mode: "none" as const } } : conversation;
  const tools = callableTools(asked);
  const { responseFormat, ...unformatted } = asked;
  // A grammar on the upstream's side would forbid the markup of a call: then the format is asked for in words.
  const enforced = tools.length === 0;
  const messages = renderPrompt(enforced ? unformatted : asked, canonical, quoting);
  return Object.freeze({
    dialect: canonical,
    quoting,
    sieve: {
      tools,
      mode: toolcall.mode,
      earlyEmit: toolcall.earlyEmit,
      ...(!conversation.parallelToolCalls && { maxCalls: 1 }),
    },
    upstream: {
      model: upstream.model ?? conversation.model,
      clientNamed: upstream.model === undefined,
      messages,
      sampling: rest,
      stop,
      ...(enforced && responseFormat && { responseFormat }),
      ...(reasoning.effort && { effort: reasoning.effort }),
    },
    promptTokens: once(() => estimatePromptTokens(messages)),
    warnings: warningsOf(asked, enforced),
  });
}

function warningsOf({ turns, responseFormat }: Conversation, enforced: boolean): string[] {
  const warnings: string[] = [];
  if (turns.some(({ parts }) => holdsMedia(parts))) {
    warnings.push("images and files cannot be shown to this model: a placeholder stands for each");
  }
  if (responseFormat && !enforced) {
    warnings.push("the response format is asked for in words alone: enforced, it would forbid tool calls");
  }
  return warnings;
}

function holdsMedia(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === "media" || (part.type === "tool-result" && holdsMedia(part.parts)));
}

/** Tools that may be called in this turn; with none the sieve is off and markup is just text (sieve.md M1). */
function callableTools({ tools, toolChoice }: Conversation): Conversation["tools"] {
  return toolChoice.mode === "none" ? [] : tools;
}
