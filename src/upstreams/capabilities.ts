import type { Effort, ResponseFormat } from "../conversation.ts";
import type { ImageForm } from "../prompt/media.ts";

/** Fields of a request that some servers do not know. What all of them know is not listed: model, messages, tools and the like. */
export type OptionalField =
  | "stream_options"
  | "presence_penalty"
  | "frequency_penalty"
  | "top_k"
  | "seed"
  | "logit_bias"
  | "user"
  | "verbosity"
  | "reasoning_effort"
  | "tool_choice"
  | "parallel_tool_calls";

/** How a server can be made to give a call that is taught in words. */
export type Forcing =
  /** `response_format` with what stands around each call, and the schema of what stands in it. */
  | { readonly by: "structural-tag" }
  /** A grammar in GBNF. */
  | { readonly by: "grammar"; fields(grammar: string): object }
  /** A last message of the assistant that the model goes on with. */
  | {
      readonly by: "prefill";
      /** Of that message. */
      readonly mark?: object;
      readonly fields?: object;
      /** What the base URL ends in where it is taken. */
      readonly below?: string;
    }
  /** `response_format` with the schema of a call that is JSON and nothing else. */
  | { readonly by: "json-schema" };

/** Names that servers have for the reasoning of an answer, the one that most of them have first. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];
export const [USUAL_REASONING] = REASONING_FIELDS;

/** What is known of the servers of one kind. */
export interface Capabilities {
  /** Absent: whatever the client gives is sent, and the server's own words tell what it does not take. */
  readonly fields?: readonly OptionalField[];
  /** Names that it has for a field of its own taste. */
  readonly spellings?: Readonly<Partial<Record<OptionalField, string>>>;
  /** Response formats that it enforces; the others are asked for in words. */
  readonly formats: readonly ResponseFormat["type"][];
  /** The most stop strings of a request. */
  readonly stops: number;
  /** Takes tools, and renders them as its model's own template has them. */
  readonly tools: boolean;
  /** Takes the name of one tool as a choice, not only `required` and the like. */
  readonly namesTool: boolean;
  /** How a call can be forced upon its models, best first. */
  readonly forcings: readonly Forcing[];
  /** The most tokens of an answer that are asked for where the client sets none: its own default is a few sentences. */
  readonly maxTokens?: number;
  /** Refuses a message without a text, even one of calls alone. */
  readonly wantsText?: boolean;
  /** Where it reads the reasoning of earlier answers; absent where it refuses such a field, or nobody knows. */
  readonly reasoning?: ReasoningField;
  /** Levels of effort that are sure to be taken; absent: all. */
  readonly efforts?: readonly Effort[];
  /** How it is told not to think, where that is no level of effort. */
  readonly withoutThinking?: object;
  /** Forms of images that it takes, if its model sees. */
  readonly images: readonly ImageForm[];
  /** Fields of its own that are always worth sending. */
  readonly extras?: object;
  /** Those that are while calls are looked for in its text. */
  readonly extrasForCalls?: object;
}

const PENALTIES = ["presence_penalty", "frequency_penalty"] as const;
/** What servers that are close to OpenAI's API know of it. */
const USUAL = [
  ...PENALTIES,
  "stream_options",
  "seed",
  "reasoning_effort",
  "tool_choice",
  "parallel_tool_calls",
  "logit_bias",
  "user",
  "top_k",
] as const;

const DEFAULTS: Capabilities = {
  formats: ["json", "json-schema"],
  stops: Number.POSITIVE_INFINITY,
  tools: true,
  namesTool: true,
  images: ["url", "png", "jpeg", "gif", "webp"],
  forcings: [],
};

const STRUCTURAL_TAG: Forcing = { by: "structural-tag" };
const JSON_SCHEMA: Forcing = { by: "json-schema" };
/** Hugging Face's own words for it. */
const CONTINUED: Forcing = {
  by: "prefill",
  fields: { continue_final_message: true, add_generation_prompt: false },
};

/** Marks of calls may be special tokens, and those are left out of the text unless it is asked for them. */
const SPECIAL_TOKENS = { skip_special_tokens: false };

/** Levels of effort that every server knows that has any. */
const USUAL_EFFORTS = ["low", "medium", "high"] as const;

/**
 * A row a kind, as their makers document them. A server that passes over in silence what it does not know is given more
 * than a strict one: what a newer version of it has learnt does no harm to an older one.
 */
const TABLE = {
  // Whether it takes tools, nobody knows: it is not given any unless it is asked for.
  generic: { tools: false },
  vllm: {
    fields: USUAL,
    reasoning: "reasoning",
    extrasForCalls: SPECIAL_TOKENS,
    forcings: [STRUCTURAL_TAG, CONTINUED],
  },
  sglang: {
    fields: USUAL,
    reasoning: "reasoning_content",
    extrasForCalls: SPECIAL_TOKENS,
    forcings: [STRUCTURAL_TAG, CONTINUED],
  },
  llamacpp: {
    fields: USUAL,
    // The name of a tool is passed over: any may be called then.
    namesTool: false,
    reasoning: "reasoning_content",
    // Versions that do not know the effort know this.
    withoutThinking: { chat_template_kwargs: { enable_thinking: false } },
    forcings: [{ by: "grammar", fields: (grammar) => ({ grammar }) }, { by: "prefill" }],
    images: ["url", "png", "jpeg", "gif"],
  },
  ollama: {
    fields: [...PENALTIES, "stream_options", "seed", "reasoning_effort"],
    reasoning: "reasoning",
    forcings: [JSON_SCHEMA],
    efforts: ["none", ...USUAL_EFFORTS],
    images: ["png", "jpeg", "webp"],
  },
  lmstudio: {
    fields: [...PENALTIES, "stream_options", "seed", "reasoning_effort", "tool_choice", "logit_bias", "top_k"],
    formats: ["json-schema"],
    namesTool: false,
    images: ["png", "jpeg"],
    forcings: [JSON_SCHEMA],
    efforts: ["none", ...USUAL_EFFORTS],
  },
  openrouter: {
    fields: [...USUAL, "verbosity"],
    stops: 4,
    reasoning: "reasoning",
    // It would leave out the middle of a long conversation, where an error makes agents compact it with care.
    extras: { plugins: [{ id: "context-compression", enabled: false }] },
    forcings: [JSON_SCHEMA],
  },
  deepseek: {
    fields: [...PENALTIES, "stream_options", "reasoning_effort", "tool_choice"],
    formats: ["json"],
    stops: 16,
    reasoning: "reasoning_content",
    forcings: [{ by: "prefill", mark: { prefix: true }, below: "/beta" }],
    withoutThinking: { thinking: { type: "disabled" } },
  },
  mistral: {
    // Counts without being asked to, and refuses to be.
    fields: [...PENALTIES, "seed", "reasoning_effort", "tool_choice", "parallel_tool_calls"],
    spellings: { seed: "random_seed" },
    stops: 4,
    forcings: [{ by: "prefill", mark: { prefix: true } }],
    efforts: ["none", "high"],
  },
  together: {
    fields: [...PENALTIES, "seed", "reasoning_effort", "tool_choice", "logit_bias", "top_k"],
    reasoning: "reasoning",
    forcings: [JSON_SCHEMA],
    efforts: USUAL_EFFORTS,
    withoutThinking: { reasoning: { enabled: false } },
  },
  groq: {
    fields: ["stream_options", "seed", "reasoning_effort", "tool_choice", "parallel_tool_calls", "user"],
    stops: 4,
    reasoning: "reasoning",
    efforts: ["none", ...USUAL_EFFORTS],
    forcings: [{ by: "prefill" }],
  },
  fireworks: {
    fields: USUAL,
    stops: 4,
    reasoning: "reasoning_content",
    efforts: ["none", ...USUAL_EFFORTS],
    forcings: [{ by: "grammar", fields: (grammar) => ({ response_format: { type: "grammar", grammar } }) }],
  },
  // Of two kinds of inputs that its models have, the older one knows less, and passes over the rest.
  "workers-ai": {
    fields: USUAL,
    formats: [],
    images: ["png", "jpeg", "gif", "webp"],
    maxTokens: 4_096,
    wantsText: true,
  },
} satisfies Record<string, Partial<Capabilities>>;

/** Servers that speak OpenAI's Chat Completions, each with habits of its own; `generic` is any. */
export type UpstreamKind = keyof typeof TABLE;

export const UPSTREAM_KINDS = Object.keys(TABLE) as UpstreamKind[];

/** Of the demo the same is known as of any server. */
export function capabilitiesOf(kind: UpstreamKind | "demo"): Capabilities {
  return { ...DEFAULTS, ...TABLE[kind === "demo" ? "generic" : kind] };
}
