/**
 * Caps on what is held, and time-outs, each with its outcome. Characters are UTF-16 code units *held*, not streamed. A bound
 * that belongs to one algorithm stands beside it.
 */

/** The sieve's caps. A streamed string argument has none of its own. */
export const SIEVE_LIMITS = {
  /** A tag or comment; at the cap the block is text and scanning goes on behind what was read. */
  tag: 4_096,
  /** Blanks behind a possible closer, and the blanks a value begins with; at the cap they are data. */
  blanks: 4_096,
  /** Blanks and comments between two tags of a block; at the cap scanning goes on behind what was read. */
  between: 65_536,
  /** How far behind a block a closing backtick run is waited for on its line (A2); then it is a call. */
  codeSpan: 256,
  /** A bare value held from its first entity on (V5); then nothing in it is decoded. */
  entities: 65_536,
  /** A CDATA section inside a bare value (V2); then its marker is data. */
  section: 65_536,
  /** Calls parked in reasoning with the text behind them (A4); then all of it is reasoning. */
  parked: 65_536,
  /** White space held until something visible follows (W1); then it goes out. */
  whiteSpace: 65_536,
  /** A block that is not announced; then it is text, `malformed`. */
  block: 2_000_000,
  /**
   * A block of a form that needs the whole reply, or a declared name that has not come; then it is text, `malformed`. And
   * what may be an example in a fence; then that fence shows none.
   */
  undecided: 65_536,
  /** A value that cannot stream; then its call is none: one that is announced stays open, and the reply ends in `length`. */
  value: 1_000_000,
  /** Parameters of a call; with more of them it is none. */
  parameters: 4_096,
  /** Nested block quotes and list items that Markdown is told of; a deeper mark counts as text of its parent. */
  containers: 32,
  /** Nesting of a native call's arguments: to write a deeper value may overflow the stack; then the call is none. */
  nativeDepth: 2_000,
  /** Native calls and reasoning that wait for the end of an open call; then the reply ends in an error. */
  waiting: 1_000_000,
  /** Blocks that are reported one by one, repairs of one block, rejected names; more are only counted. */
  reports: 1_000,
  /** Calls of one reply; a block that begins behind the last of them is text. Native calls are lost, and the reply ends in `length`. */
  calls: 128,
} as const;

/**
 * Nesting of a value that is read as JSON, a Python literal or elements; a deeper one stays text. Well below the depth
 * of a body, since on some wires the value comes back in the next request's history as JSON.
 */
export const VALUE_DEPTH = 64;

/** Caps on what a client sends. */
export const REQUEST_LIMITS = {
  /** Bytes of a body; 413. */
  body: 8_000_000,
  /** Until all of a body is there, in milliseconds: what has come is held meanwhile; 400. */
  bodyTimeout: 120_000,
  /** Nesting of a body's JSON; 400. */
  depth: 100,
  /** Brackets, braces, colons and commas of a body's JSON outside strings; 400. */
  structure: 300_000,
  messages: 5_000,
  /** A model's name is echoed in every chunk. */
  modelName: 512,
  /** Also of the choices among them. */
  tools: 512,
  toolName: 128,
  /** Stop strings. */
  stops: 64,
  /** Characters of one tool's schema as JSON. */
  schema: 262_144,
  /** Characters of a key of the client's own for an upstream; 400. Some are signed tokens. */
  upstreamKey: 2_048,
} as const;

/** Caps on what the model is shown. */
export const PROMPT_LIMITS = {
  /** Characters of one tool's result, and of a document; of a longer one the model gets head and tail. */
  result: 100_000,
  /** Characters of a list of tools, roughly: references that fan out grow without end. Types and schemas beyond it say nothing. */
  tools: 1_000_000,
} as const;

/** Caps and time-outs of what comes from an upstream. Times in milliseconds. */
export const UPSTREAM_LIMITS = {
  /** Characters of one event; then the answer cannot be read. */
  event: 1_048_576,
  /** Characters of a streamed answer. */
  streamed: 67_108_864,
  /** Bytes of the body that an answer comes in: a delta of one character may have half a kilobyte of framing. */
  bytes: 1_073_741_824,
  /** Characters of an answer collected into one body, and of native calls, which are held until their answer's end. */
  collected: 8_388_608,
  /** Bytes of an error body that are read, and how long that may take. */
  errorBody: 65_536,
  errorBodyTimeout: 5_000,
  /** Until the upstream's status is there. */
  headersTimeout: 60_000,
  /** The longest retry-after that is waited out for the one retry; a longer one goes to the client at once. */
  retryWait: 1_000,
  /** For how long a field that an upstream has refused is not sent to it, and for how many models at most that is known. */
  dropped: 3_600_000,
  droppedModels: 512,
  /** Characters: blanks at the start of an answer that was begun for the model, which may begin it anew behind them. */
  blanks: 64,
  /** Between two reads of the upstream's body. */
  idleTimeout: 120_000,
  /** From the first request to an upstream to the end of its answer. */
  totalTimeout: 900_000,
  /** Behind that, for how long a client may still take what it was written; then it is given up. */
  lastRead: 60_000,
  /** From the upstream's 200 on, how long the first event is waited for before our own headers go out. */
  firstEvent: 10_000,
  /** Gateways that a request has passed; then 508. */
  hops: 3,
  /** The upstream's list of models: how long it may take, how long it is kept. */
  modelsTimeout: 5_000,
  modelsCache: 60_000,
} as const;

/** What is kept of tenants that were read from a store, and reserved of their budgets. Times in milliseconds. */
export const TENANT_LIMITS = {
  /** Tenants, and keys. */
  kept: 512,
  /** For so long the answer of the store, or of a tenant's object, is waited for. */
  wait: 5_000,
  /** For so long the store is not asked again. */
  fresh: 30_000,
  /** For so long what was read before goes on to hold, where the store cannot be asked. */
  stale: 300_000,
  /** Tokens of an answer that are reserved of a budget where neither the client nor the upstream's kind sets a most. */
  answer: 8_192,
} as const;

/** Caps on how often somebody asks. */
export const RATE_LIMITS = {
  /** Requests of an operator in a minute. */
  operator: 3_000,
  /** Requests from an address in 10 seconds that nobody has let in; then all from there are 429 until these are over. As in `wrangler.toml`. */
  failures: 300,
  /** Keys, and addresses, that an isolate counts at once; of those beyond the ones that were counted last. */
  kept: 4_096,
} as const;

/** Caps on what all requests of an isolate take together. It has 128 MB, and needs a multiple of what a body has. */
export const ISOLATE_LIMITS = {
  /** Bytes of bodies and characters of answers that are held; then a request that begins, or is still read, is 503. */
  held: 48_000_000,
  /** The same of one tenant of several: whoever sends much shuts out nobody but himself. */
  heldByTenant: 24_000_000,
} as const;

/** What a client is told of its own reply. */
export const REPORT_LIMITS = {
  /** Characters: some proxies have 4 KB for all headers of an answer. In a longer one its lists are left out. */
  text: 2_048,
} as const;

/** Caps on the points that one reply writes to Workers Analytics Engine, which takes 250 of a request and 16 KB of texts in one. */
export const ANALYTICS_LIMITS = {
  /** Those behind them are left out. */
  points: 250,
  /** Characters of a text; the rest is left out. */
  blob: 512,
} as const;

/** What of a conversation says on which side of a roll-out it is. */
export const ROLLOUT_LIMITS = {
  /** The last characters of each turn before the first answer: what stands before them does not count. */
  turn: 16_384,
} as const;

/** Caps on what a tenant's object counts of its replies. */
export const COUNT_LIMITS = {
  /** Models by wires. Others are counted with all that have no name: who changes the names of models makes new ones. */
  groups: 150,
  /**
   * Sums of one of them; of further ones it is only counted that they are lost. Their labels are of closed lists, and a model writes few
   * notations. All of a group are one row, of which SQLite holds 2 MB, and all rows one answer, of which the platform carries 32.
   */
  sums: 1_000,
} as const;

/** Of a second reading of a reply. */
export const SHADOW_LIMITS = {
  /** Characters that it reads; then it is given up, and nothing is compared. */
  read: UPSTREAM_LIMITS.collected,
} as const;

/** Caps on what operators send. */
export const ADMIN_LIMITS = {
  /** Characters of a record as JSON; 413. SQLite holds 2 MB of one. */
  record: 500_000,
  /**
   * Keys, and host names, of a tenant; 400. An entry of the store belongs to each. Where a change replaces them all, each new one is looked
   * at, with the record of whoever has it, and written.
   */
  keys: 150,
  hosts: 40,
  /**
   * Entries that one change looks at and deletes; the next one goes on. All that one may list, and a few of those that a failed one left behind.
   * Together with the above less than the thousand operations on the store that the platform allows.
   */
  releases: 200,
  /** What is wrong with a record, and is told of. */
  faults: 50,
  /** Changes of one batch; 400. Each asks its tenant's object twice, and a request may ask a thousand times. */
  batch: 400,
  /** Changes of a batch that are made at a time. */
  batchLanes: 6,
  /** Tenants on a page of the list, if the request does not say how many, and at most. */
  page: 100,
  largestPage: 1_000,
  /** Seconds that a key goes on to be good once another has taken its place, if the request does not say how many, and at most. */
  grace: 86_400,
  longestGrace: 31_536_000,
  /** How often a change of keys is made on what is latest by then, before it is given up. */
  tries: 3,
  /** Seconds that a change is told of in the store. */
  audit: 7_776_000,
} as const;

/** The longest that a timer can be set for, in milliseconds: a longer one fires at once. */
export const LONGEST_TIMER = 2_147_483_647;

/** Silence after which a heartbeat is written, in milliseconds. */
export const HEARTBEAT_MS = 10_000;
