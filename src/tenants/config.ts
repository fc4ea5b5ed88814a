import * as v from "valibot";
import { isDialect, taughtNames } from "../dialects/all.ts";
import type { GatewayError } from "../errors.ts";
import { HEARTBEAT_MS, PROMPT_LIMITS, REQUEST_LIMITS, UPSTREAM_LIMITS } from "../limits.ts";
import type { ToolDocsSettings } from "../prompt/tool-docs.ts";
import type { SieveOptions } from "../sieve/index.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../upstreams/capabilities.ts";
import { AI_BINDING } from "../upstreams/workers-ai.ts";
import { apiKey, choice, type GatewayKey, integer, keys, list, origins, text, url, wordsOf } from "./variables.ts";

/** Where requests go: the model built in, or a server. */
type UpstreamConfig = DemoUpstream | ServerUpstream;

interface DemoUpstream {
  kind: "demo";
  /** The model asked for whatever the client names. */
  model?: string;
}

export interface ServerUpstream {
  kind: UpstreamKind;
  /** Without a slash at its end; `AI_BINDING` where it is no server. */
  baseUrl: string;
  apiKey?: string;
  model?: string;
  headersTimeoutMs: number;
  /** Its model sees. */
  images: boolean;
}

interface ToolCallConfig extends Required<Pick<SieveOptions, "mode" | "earlyEmit">> {
  /** How tools reach the model: `native` in the upstream's own form, else in words; `auto`: as the model's name asks for. */
  teach: string;
  docs: ToolDocsSettings;
  /** How the canonical notation is taught to write a string. */
  strings: "cdata" | "raw";
  /** When a required call is asked for by more than words: if it has not come, from the start, or not at all. */
  force: "retry" | "always" | "never";
  /** Notations that are expected whatever the model is. */
  dialects: readonly string[];
  /** `open`: replies begin inside reasoning, since the chat template has opened it (sieve.md A4). */
  reasoning: "marked" | "open";
  /** What of the model's earlier reasoning goes upstream. */
  reasoningHistory: "auto" | "always" | "never" | "inline";
  /** What becomes of what the sieve finds. */
  policy: Required<Pick<SieveOptions, "fenced" | "undeclared" | "malformed" | "reasoningCalls" | "afterCalls">>;
  /** The most characters of one result that the model is shown. */
  resultCharacters: number;
  /** Settings that a request may make for itself (`overrides.ts`). */
  overrides: readonly string[];
}

/** One tenant's settings, checked and with every default filled in. */
export interface Config {
  upstream: UpstreamConfig;
  /** Names and `*` patterns; undefined = every name is passed on. */
  models: readonly string[] | undefined;
  keys: readonly GatewayKey[];
  /** Of operators; none: what is theirs alone is nobody's. */
  adminTokens: readonly GatewayKey[];
  /** `none`: a real upstream may be used without a key, from this machine alone. */
  auth: "keys" | "none";
  toolcall: ToolCallConfig;
  /** The longest that one read of the upstream's body may wait. */
  idleTimeoutMs: number;
  heartbeatMs: number;
  maxBodyBytes: number;
  /** Web origins that may read answers. */
  allowedOrigins: readonly string[];
}

/** The longest that a timer can be set for: a longer one fires at once. */
const LONGEST_TIMER = 2_147_483_647;
const LARGEST_BODY = 100_000_000;
const LARGEST_BUDGET = 10_000_000;

/** Settings that a request may make for itself, where the operator lets it. */
const OVERRIDES: readonly string[] = ["teach"];

/** How tools may reach a model. */
export const Teach = choice(["auto", "native", ...taughtNames()], "auto");

/** In mode `canonical` nothing else is read. */
const TEACH_IN_CANONICAL: readonly string[] = ["auto", "native", "canonical", "canonical_raw"];

/** Whether calls are read in the notation that they are taught in. */
export function readsTaught(mode: Config["toolcall"]["mode"], teach: string): boolean {
  return mode !== "canonical" || TEACH_IN_CANONICAL.includes(teach);
}

export const TEACHES_UNREAD = `takes ${TEACH_IN_CANONICAL.join(", ")} where TOOLCALL_MODE is canonical: calls in another notation would stay text`;

/** The one schema of the configuration; variables are its source. */
const Entries = v.object({
  UPSTREAM_BASE_URL: url,
  UPSTREAM_API_KEY: apiKey,
  UPSTREAM_KIND: choice(["demo", ...UPSTREAM_KINDS], "generic"),
  UPSTREAM_MODEL: text,
  UPSTREAM_IMAGES: choice(["no", "yes"], "no"),
  UPSTREAM_HEADERS_TIMEOUT_MS: integer(UPSTREAM_LIMITS.headersTimeout, LONGEST_TIMER),
  UPSTREAM_IDLE_TIMEOUT_MS: integer(UPSTREAM_LIMITS.idleTimeout, LONGEST_TIMER),
  MODELS: list,
  GATEWAY_API_KEYS: keys,
  // Not shown: somebody may have put the key here.
  GATEWAY_AUTH: choice(["keys", "none"], "keys", { shown: false }),
  ADMIN_TOKEN: keys,
  TOOLCALL_MODE: choice(["off", "canonical", "feature_match"], "feature_match"),
  TOOLCALL_EARLY_EMIT: choice(["high", "low", "off"], "high"),
  TOOLCALL_TEACH: Teach,
  TOOLCALL_STRINGS: choice(["cdata", "raw"], "cdata"),
  // The first two mean the same.
  TOOLCALL_DOCS: choice(["auto", "signatures", "schema"], "auto"),
  TOOLCALL_DOCS_BUDGET: integer(undefined, LARGEST_BUDGET),
  TOOLCALL_FORCE: choice(["retry", "always", "never"], "retry"),
  TOOLCALL_DIALECTS: wordsOf(isDialect, "takes notations of the README's table, parted by commas"),
  TOOLCALL_REASONING: choice(["marked", "open"], "marked"),
  TOOLCALL_REASONING_HISTORY: choice(["auto", "always", "never", "inline"], "auto"),
  TOOLCALL_FENCED: choice(["text", "sole"], "text"),
  TOOLCALL_UNDECLARED: choice(["pass", "text"], "pass"),
  TOOLCALL_MALFORMED: choice(["text", "drop"], "text"),
  TOOLCALL_REASONING_CALLS: choice(["when_answer_empty", "never"], "when_answer_empty"),
  TOOLCALL_AFTER_CALLS: choice(["keep", "end"], "keep"),
  TOOLCALL_RESULT_CHARS: integer(PROMPT_LIMITS.result, LARGEST_BODY),
  TOOLCALL_OVERRIDES: wordsOf(
    (word) => word === "none" || OVERRIDES.includes(word),
    `takes none, or of ${OVERRIDES.join(", ")} some, parted by commas`,
    OVERRIDES,
  ),
  // 0: never.
  HEARTBEAT_MS: integer(HEARTBEAT_MS, LONGEST_TIMER, 0),
  MAX_BODY_BYTES: integer(REQUEST_LIMITS.body, LARGEST_BODY),
  ALLOWED_ORIGINS: origins,
});

const Variables = v.pipe(
  Entries,
  v.forward(
    v.partialCheck(
      [["TOOLCALL_MODE"], ["TOOLCALL_TEACH"]],
      ({ TOOLCALL_MODE, TOOLCALL_TEACH }) => readsTaught(TOOLCALL_MODE, TOOLCALL_TEACH),
      TEACHES_UNREAD,
    ),
    ["TOOLCALL_TEACH"],
  ),
);

type Settings = v.InferOutput<typeof Variables>;

function toConfig(settings: Settings): Config {
  return {
    upstream: toUpstream(settings),
    models: settings.MODELS,
    keys: settings.GATEWAY_API_KEYS,
    adminTokens: settings.ADMIN_TOKEN,
    auth: settings.GATEWAY_AUTH,
    toolcall: {
      mode: settings.TOOLCALL_MODE,
      earlyEmit: settings.TOOLCALL_EARLY_EMIT,
      teach: settings.TOOLCALL_TEACH,
      docs: {
        form: settings.TOOLCALL_DOCS === "schema" ? "schema" : "signatures",
        budget: settings.TOOLCALL_DOCS_BUDGET,
      },
      strings: settings.TOOLCALL_STRINGS,
      force: settings.TOOLCALL_FORCE,
      dialects: settings.TOOLCALL_DIALECTS,
      reasoning: settings.TOOLCALL_REASONING,
      reasoningHistory: settings.TOOLCALL_REASONING_HISTORY,
      policy: {
        fenced: settings.TOOLCALL_FENCED,
        undeclared: settings.TOOLCALL_UNDECLARED,
        malformed: settings.TOOLCALL_MALFORMED,
        reasoningCalls: settings.TOOLCALL_REASONING_CALLS,
        afterCalls: settings.TOOLCALL_AFTER_CALLS,
      },
      resultCharacters: settings.TOOLCALL_RESULT_CHARS,
      overrides: settings.TOOLCALL_OVERRIDES,
    },
    idleTimeoutMs: settings.UPSTREAM_IDLE_TIMEOUT_MS,
    heartbeatMs: settings.HEARTBEAT_MS,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    allowedOrigins: settings.ALLOWED_ORIGINS,
  };
}

function toUpstream(settings: Settings): UpstreamConfig {
  const { UPSTREAM_KIND: kind, UPSTREAM_API_KEY: key, UPSTREAM_MODEL: model } = settings;
  const baseUrl = kind === "workers-ai" ? AI_BINDING : settings.UPSTREAM_BASE_URL;
  const named = model === undefined ? {} : { model };
  // Whatever other kind is named, without an address there is nothing but the demo to talk to.
  if (kind === "demo" || baseUrl === undefined) return { kind: "demo", ...named };
  return {
    kind,
    baseUrl,
    ...named,
    ...(key !== undefined && { apiKey: key }),
    headersTimeoutMs: settings.UPSTREAM_HEADERS_TIMEOUT_MS,
    images: settings.UPSTREAM_IMAGES === "yes",
  };
}

/** With an invalid configuration the gateway still runs, and says so to every request. */
export type LoadedConfig = { config: Config } | { config?: never; error: GatewayError };

/** The runtime hands over the same object for every request of an isolate. */
const loaded = new WeakMap<object, LoadedConfig>();

/** The configuration that variables give. */
export function loadConfig(env: object): LoadedConfig {
  const known = loaded.get(env);
  if (known) return known;
  const result = readVariables(env);
  loaded.set(env, result);
  return result;
}

function readVariables(env: object): LoadedConfig {
  // A key that is not there at all would be an issue, not a default.
  const given = Object.fromEntries(Object.keys(Entries.entries).map((name) => [name, Reflect.get(env, name)]));
  const result = v.safeParse(Variables, given);
  if (result.success) return { config: toConfig(result.output) };
  const reasons = new Map(result.issues.map(({ path, message }) => [String(path?.[0]?.key), message]));
  const sentences = [...reasons].map(([name, reason]) => `${name} ${reason}.`);
  return {
    error: { kind: "config-invalid", message: `The configuration of this gateway is invalid. ${sentences.join(" ")}` },
  };
}

/** What must never stand in a log, whoever repeats it. */
export function secretsOf({ upstream }: Config): readonly string[] {
  return upstream.kind === "demo" || upstream.apiKey === undefined ? [] : [upstream.apiKey];
}
