import * as v from "valibot";
import { isDialect, taughtNames } from "../dialects/all.ts";
import { isObject } from "../json.ts";
import {
  HEARTBEAT_MS,
  ISOLATE_LIMITS,
  LONGEST_TIMER,
  PROMPT_LIMITS,
  REQUEST_LIMITS,
  SIEVE_LIMITS,
  UPSTREAM_LIMITS,
} from "../limits.ts";
import { UPSTREAM_KINDS } from "../upstreams/capabilities.ts";
import { apiKey, choice, integer, list, origins, someWordsOf, text, url, wordsOf } from "./values.ts";

type Leaf = v.GenericSchema<unknown>;

/** Each schema of ours has words of its own: valibot's show what was given. */
export const NO_OBJECT = "is missing, or no object";

/** An object that has no member but these: a setting that is misspelled would be a default in silence. */
export function strict<E extends v.ObjectEntries>(entries: E): Strict<E> {
  const members = v.strictObject(entries, ({ expected }) => (expected === "never" ? "is no setting" : NO_OBJECT));
  return v.pipe(object, members as Strict<E>);
}

type Strict<E extends v.ObjectEntries> = v.GenericSchema<unknown, v.InferOutput<v.StrictObjectSchema<E, undefined>>>;

/** A list would do for an object in which everything may be missing. */
const object = v.pipe(v.any(), v.check(isObject, NO_OBJECT));

/** Each may be missing: that is the same as an empty text. */
function whole<E extends Record<string, Leaf>>(entries: E) {
  const optional = Object.entries(entries).map(([name, leaf]) => [name, v.optional(leaf, "")]);
  return strict(Object.fromEntries(optional) as { [Name in keyof E]: v.OptionalSchema<E[Name], ""> });
}

/** Each may be missing: then it is as elsewhere. */
function some<E extends Record<string, Leaf>>(entries: E) {
  const optional = Object.entries(entries).map(([name, leaf]) => [name, v.exactOptional(leaf)]);
  return strict(Object.fromEntries(optional) as { [Name in keyof E]: v.ExactOptionalSchema<E[Name], undefined> });
}

const LARGEST_RESULT = 100_000_000;
const LARGEST_BUDGET = 10_000_000;
const LARGEST_RATE = 1_000_000;
const TOKENS_PER_DAY = 1_000_000_000_000;
const LARGEST_ANSWER = 10_000_000;

const MODES = ["off", "canonical", "feature_match"] as const;
const EARLY_EMITS = ["high", "low", "off"] as const;
const FENCED = ["text", "sole"] as const;
const UNDECLARED = ["pass", "text"] as const;
const MALFORMED = ["text", "drop"] as const;
const REASONING_CALLS = ["when_answer_empty", "never"] as const;
const AFTER_CALLS = ["keep", "end"] as const;
const NOTATIONS = [isDialect, "takes notations of the README's table, parted by commas"] as const;
/** How tools may reach a model. */
const TEACHES = ["auto", "native", ...taughtNames()];

/** What a request may set otherwise, where the operator lets it, or a roll-out for some conversations; undefined: as elsewhere. */
export const Switches = {
  mode: choice(MODES, undefined),
  early_emit: choice(EARLY_EMITS, undefined),
  teach: choice(TEACHES, undefined),
};

export type SwitchName = keyof typeof Switches;
export const SWITCHES = Object.keys(Switches) as readonly SwitchName[];
export type SwitchSettings = { [Name in SwitchName]?: NonNullable<v.InferOutput<(typeof Switches)[Name]>> };

/** In mode `canonical` nothing else is read. */
const TEACH_IN_CANONICAL: readonly string[] = ["auto", "native", "canonical", "canonical_raw"];

const UNREAD = "calls in another notation would stay text";

/**
 * What is wrong where calls are taught in a notation in which they are not read, with the switch to blame: what is told of how they
 * are taught, unless that was not set here.
 */
export function unreadFault(
  { mode, teach }: { mode: string; teach: string },
  set: SwitchSettings,
): { name: SwitchName; message: string } | undefined {
  if (mode !== "canonical" || TEACH_IN_CANONICAL.includes(teach)) return undefined;
  const readable = TEACH_IN_CANONICAL.join(", ");
  return set.teach === undefined
    ? { name: "mode", message: `takes canonical where TOOLCALL_TEACH is one of ${readable}: ${UNREAD}` }
    : { name: "teach", message: `takes ${readable} where TOOLCALL_MODE is canonical: ${UNREAD}` };
}

const OVERRIDES = `takes none, or of ${SWITCHES.join(", ")} some, parted by commas`;

/** How tools are told, and what becomes of calls. */
const FlatToolCall = {
  mode: choice(MODES, "feature_match"),
  early_emit: choice(EARLY_EMITS, "high"),
  teach: choice(TEACHES, "auto"),
  strings: choice(["cdata", "raw"], "cdata"),
  // The first two mean the same.
  docs: choice(["auto", "signatures", "schema"], "auto"),
  docs_budget: integer(undefined, LARGEST_BUDGET),
  force: choice(["retry", "always", "never"], "retry"),
  dialects: wordsOf(...NOTATIONS),
  reasoning: choice(["marked", "open"], "marked"),
  reasoning_history: choice(["auto", "always", "never", "inline"], "auto"),
  fenced: choice(FENCED, "text"),
  undeclared: choice(UNDECLARED, "pass"),
  malformed: choice(MALFORMED, "text"),
  reasoning_calls: choice(REASONING_CALLS, "when_answer_empty"),
  after_calls: choice(AFTER_CALLS, "keep"),
  result_chars: integer(PROMPT_LIMITS.result, LARGEST_RESULT),
  overrides: v.pipe(
    wordsOf(
      (word) => word === "none" || Object.hasOwn(Switches, word),
      OVERRIDES,
      // The others say what becomes of a model's words, which is the operator's to say.
      ["teach"],
    ),
    // Whoever says both may mean either.
    v.check((words) => words.length <= 1 || !words.includes("none"), OVERRIDES),
  ),
  // Whether answers tell what became of them: never, where a request asks for it, always.
  report: choice(["off", "request", "on"], "request"),
};

export const TOOLCALL_SETTINGS: readonly string[] = Object.keys(FlatToolCall);

/** What a model's words are read by, set otherwise for the shadow; undefined: as elsewhere. What the model is told is not of it. */
const Shadowed = {
  mode: Switches.mode,
  early_emit: Switches.early_emit,
  dialects: someWordsOf(...NOTATIONS),
  fenced: choice(FENCED, undefined),
  undeclared: choice(UNDECLARED, undefined),
  malformed: choice(MALFORMED, undefined),
  reasoning_calls: choice(REASONING_CALLS, undefined),
  after_calls: choice(AFTER_CALLS, undefined),
};

export const SHADOWED: readonly string[] = Object.keys(Shadowed);

/** A group of settings within a group, which may be missing as a whole. */
const nested = v.pipe(
  v.unknown(),
  v.transform((given) => (given === "" ? {} : given)),
);

const ToolCall = {
  ...FlatToolCall,
  /** Switches that are set otherwise for so many of a hundred conversations. Without a switch there is none. */
  rollout: v.pipe(nested, whole({ percent: integer(0, 100, 0), ...Switches })),
  /** How the words of so many of a hundred conversations are read a second time, to be counted alone. */
  shadow: v.pipe(nested, whole({ percent: integer(undefined, 100, 0), ...Shadowed })),
};

/** Of one answer. What guards the memory that all tenants share can be lowered alone. */
const AnswerLimits = {
  max_tokens: integer(undefined, LARGEST_ANSWER),
  max_calls: integer(SIEVE_LIMITS.calls, SIEVE_LIMITS.calls),
  max_held_chars: integer(SIEVE_LIMITS.block, SIEVE_LIMITS.block),
  max_streamed_chars: integer(UPSTREAM_LIMITS.streamed, UPSTREAM_LIMITS.streamed),
  max_collected_chars: integer(UPSTREAM_LIMITS.collected, UPSTREAM_LIMITS.collected),
};

export const ANSWER_LIMITS: readonly string[] = Object.keys(AnswerLimits);

/** How often, and how much. */
const Limits = {
  requests_per_minute: integer(undefined, LARGEST_RATE),
  concurrent_requests: integer(undefined, LARGEST_RATE),
  tokens_per_day: integer(undefined, TOKENS_PER_DAY),
  // Where it cannot be asked how much has been used.
  on_failure: choice(["closed", "open"], "closed"),
  ...AnswerLimits,
};

const Upstream = {
  kind: choice(["demo", ...UPSTREAM_KINDS], "generic"),
  base_url: url,
  api_key: apiKey,
  model: text,
  images: choice(["no", "yes"], "no"),
  headers_timeout_ms: integer(UPSTREAM_LIMITS.headersTimeout, LONGEST_TIMER),
  idle_timeout_ms: integer(UPSTREAM_LIMITS.idleTimeout, LONGEST_TIMER),
  total_timeout_ms: integer(UPSTREAM_LIMITS.totalTimeout, LONGEST_TIMER),
  // Whether an answer that just ends, and says neither why nor that it does, is whole.
  eof: choice(["strict", "lenient"], "strict"),
};

/**
 * A name of the tenant's own for one of its upstreams. The first one counts, and JavaScript puts names of digits before all others;
 * the two words are passed over in silence where valibot reads a record.
 */
const UPSTREAM_ID = /^(?!(?:constructor|prototype)$)[a-z][a-z0-9_-]{0,31}$/;
const NAMES = "takes names of lower-case letters and digits that begin with a letter";
export const UpstreamId = v.pipe(v.string(NAMES), v.regex(UPSTREAM_ID, NAMES));

/** None: an empty list. */
const names = v.pipe(
  list,
  v.transform((given) => given ?? []),
);

/** What is asked where, and how, of some models: the first one that fits a model's name is taken. */
const Route = strict({
  /** Names and `*` patterns, as clients name models. */
  models: v.pipe(
    names,
    v.check(({ length }) => length > 0, "takes names and patterns of models"),
  ),
  upstream: v.optional(UpstreamId),
  /** Upstreams that are asked, in this order, where the one before has failed. */
  fallback: v.optional(names),
  /** The model asked for upstream. */
  model: v.optional(text),
  toolcall: v.optional(some(ToolCall), {}),
  limits: v.optional(some(AnswerLimits), {}),
});

/** Without an upstream there is the model built in. */
const wholeUpstream = whole(Upstream);
export const DEMO = v.parse(wholeUpstream, { kind: "demo" });

/**
 * The one schema of what can be set for a tenant: its record in the store is such an object, and variables make one. What is
 * not set has its default; what is not known is an error.
 */
export const Settings = strict({
  /** The first one is asked for whatever no route is about; none: the demo. */
  upstreams: v.optional(
    v.pipe(
      v.any(),
      v.check((given) => isObject(given) && Object.keys(given).every((name) => UPSTREAM_ID.test(name)), NAMES),
      v.record(v.string(), wholeUpstream),
    ),
    {},
  ),
  fallback: v.optional(names, ""),
  models: v.optional(list),
  routes: v.optional(v.array(Route, "takes a list"), []),
  toolcall: v.optional(whole(ToolCall), {}),
  limits: v.optional(whole(Limits), {}),
  // Whether clients may, or have to, bring a key of their own for the upstream.
  byok: v.optional(choice(["off", "optional", "required"], "off"), ""),
  // Whether a key may stand in the URL, on the wire whose clients put one there.
  query_keys: v.optional(choice(["yes", "no"], "yes"), ""),
  // Whether what becomes of replies is added up, besides the line that the log has of each.
  metrics: v.optional(choice(["on", "off"], "on"), ""),
  // 0: never.
  heartbeat_ms: v.optional(integer(HEARTBEAT_MS, LONGEST_TIMER, 0), ""),
  // No larger than can be held at all: a body that can never be is too large, and not one to be sent again.
  max_body_bytes: v.optional(integer(REQUEST_LIMITS.body, ISOLATE_LIMITS.heldByTenant), ""),
  allowed_origins: v.optional(origins, ""),
});

export type Settings = v.InferOutput<typeof Settings>;
export type ToolCallSettings = Settings["toolcall"];
export type UpstreamSettings = Settings["upstreams"][string];
