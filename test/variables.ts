/**
 * Every variable that the gateway reads, unset: a test gateway gets all of them, so that a developer's `.dev.vars` cannot
 * leak into a test.
 */
const UNSET = {
  UPSTREAM_BASE_URL: "",
  UPSTREAM_API_KEY: "",
  UPSTREAM_KIND: "",
  UPSTREAM_MODEL: "",
  UPSTREAM_IMAGES: "",
  UPSTREAM_HEADERS_TIMEOUT_MS: "",
  UPSTREAM_IDLE_TIMEOUT_MS: "",
  UPSTREAM_TOTAL_TIMEOUT_MS: "",
  UPSTREAM_EOF: "",
  BYOK: "",
  QUERY_KEYS: "",
  MODELS: "",
  GATEWAY_API_KEYS: "",
  GATEWAY_AUTH: "",
  ADMIN_TOKEN: "",
  DENY_KEY_IDS: "",
  UPSTREAM_HOSTS: "",
  GATEWAY_HOSTS: "",
  MASTER_KEY_1: "",
  MASTER_KEY_2: "",
  TOOLCALL_MODE: "",
  TOOLCALL_EARLY_EMIT: "",
  TOOLCALL_TEACH: "",
  TOOLCALL_STRINGS: "",
  TOOLCALL_DOCS: "",
  TOOLCALL_DOCS_BUDGET: "",
  TOOLCALL_FORCE: "",
  TOOLCALL_DIALECTS: "",
  TOOLCALL_REASONING: "",
  TOOLCALL_REASONING_HISTORY: "",
  TOOLCALL_FENCED: "",
  TOOLCALL_UNDECLARED: "",
  TOOLCALL_MALFORMED: "",
  TOOLCALL_REASONING_CALLS: "",
  TOOLCALL_AFTER_CALLS: "",
  TOOLCALL_RESULT_CHARS: "",
  TOOLCALL_OVERRIDES: "",
  MAX_TOKENS: "",
  MAX_CALLS: "",
  MAX_HELD_CHARS: "",
  MAX_STREAMED_CHARS: "",
  MAX_COLLECTED_CHARS: "",
  HEARTBEAT_MS: "",
  MAX_BODY_BYTES: "",
  ALLOWED_ORIGINS: "",
  RATE_LIMIT: "",
  CONCURRENT_REQUESTS: "",
  TOKENS_PER_DAY: "",
  LIMITS_ON_FAILURE: "",
};

export type Variables = { [name in keyof typeof UNSET]?: string };

export function variables(given: Variables): Required<Variables> {
  return { ...UNSET, ...given };
}
