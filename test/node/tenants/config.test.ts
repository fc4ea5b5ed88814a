import { describe, expect, test } from "vitest";
import { secretsOf } from "../../../src/tenants/config.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

const load = (env: object) => {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  return config;
};

const DEFAULTS = {
  upstream: { kind: "demo" },
  fallbacks: [],
  models: undefined,
  keys: [],
  adminTokens: [],
  deniedKeys: [],
  gatewayHosts: [],
  upstreamHosts: ["*:443"],
  auth: "keys",
  toolcall: {
    mode: "feature_match",
    earlyEmit: "high",
    teach: "auto",
    docs: { form: "signatures", budget: undefined },
    strings: "cdata",
    force: "retry",
    dialects: [],
    reasoning: "marked",
    reasoningHistory: "auto",
    policy: {
      fenced: "text",
      undeclared: "pass",
      malformed: "text",
      reasoningCalls: "when_answer_empty",
      afterCalls: "keep",
    },
    resultCharacters: 100_000,
    overrides: ["teach"],
    report: "request",
  },
  limits: {
    requestsPerMinute: undefined,
    concurrentRequests: undefined,
    tokensPerDay: undefined,
    onFailure: "closed",
    maxTokens: undefined,
    calls: 128,
    heldCharacters: 2_000_000,
    streamedCharacters: 67_108_864,
    collectedCharacters: 8_388_608,
  },
  byok: "off",
  queryKeys: true,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 900_000,
  lenientEof: false,
  heartbeatMs: 10_000,
  metrics: true,
  maxBodyBytes: 8_000_000,
  allowedOrigins: [],
  routes: [],
};

describe("defaults", () => {
  const names = [
    "UPSTREAM_BASE_URL",
    "UPSTREAM_KIND",
    "MODELS",
    "GATEWAY_API_KEYS",
    "TOOLCALL_MODE",
    "TOOLCALL_DOCS",
    "TOOLCALL_DOCS_BUDGET",
    "TOOLCALL_DIALECTS",
    "HEARTBEAT_MS",
  ];
  test.each([undefined, null, "", "  "])("%j is the same as unset", (value) => {
    expect(load(Object.fromEntries(names.map((name) => [name, value])))).toEqual(DEFAULTS);
  });

  test("bindings that are no variables are not looked at", () => {
    expect(load({ ASSETS: { fetch() {} }, SOMETHING: "else" })).toEqual(DEFAULTS);
  });
});

describe("values", () => {
  test("an address makes a server of the upstream", () => {
    const env = {
      UPSTREAM_BASE_URL: "http://127.0.0.1:9399/v1/",
      UPSTREAM_API_KEY: "up",
      UPSTREAM_MODEL: "qwen3",
      UPSTREAM_HEADERS_TIMEOUT_MS: "1500",
    };
    expect(load(env).upstream).toEqual({
      kind: "generic",
      baseUrl: "http://127.0.0.1:9399/v1",
      apiKey: "up",
      model: "qwen3",
      headersTimeoutMs: 1_500,
      images: false,
    });
  });

  test("C18: a day's tokens", () => {
    const env = { TOKENS_PER_DAY: "5000", LIMITS_ON_FAILURE: "open" };
    expect(load(env).limits).toMatchObject({ tokensPerDay: 5_000, onFailure: "open" });
  });

  test("a model may see", () => {
    const address = "http://127.0.0.1/v1";
    expect(load({ UPSTREAM_BASE_URL: address, UPSTREAM_IMAGES: "yes" }).upstream).toMatchObject({ images: true });
  });

  test("Workers AI has no address", () => {
    const env = { UPSTREAM_KIND: "workers-ai", UPSTREAM_MODEL: "@cf/a/b", UPSTREAM_BASE_URL: "https://h/v1" };
    expect(load(env).upstream).toEqual({
      kind: "workers-ai",
      baseUrl: "binding:AI",
      model: "@cf/a/b",
      headersTimeoutMs: 60_000,
      images: false,
    });
  });

  test("without an address any other kind is the demo", () => {
    expect(load({ UPSTREAM_KIND: "vllm", UPSTREAM_MODEL: "echo" }).upstream).toEqual({ kind: "demo", model: "echo" });
  });

  test("the idle time-out holds for the demo too", () => {
    const { upstream, idleTimeoutMs } = load({ UPSTREAM_IDLE_TIMEOUT_MS: "1500" });
    expect([upstream.kind, idleTimeoutMs]).toEqual(["demo", 1_500]);
  });

  test("a TOML file gives numbers", () => {
    expect(load({ HEARTBEAT_MS: 200 }).heartbeatMs).toBe(200);
  });

  test("no heartbeat is one of 0", () => {
    expect(load({ HEARTBEAT_MS: "0" }).heartbeatMs).toBe(0);
  });

  test("what may be taught is taken", () => {
    for (const teach of ["auto", "native", "canonical", "hermes", "llama3_json"]) {
      expect(load({ TOOLCALL_TEACH: teach }).toolcall).toEqual({ ...DEFAULTS.toolcall, teach });
    }
  });

  test("tools are told as signatures or by their schemas, in a number of tokens", () => {
    const docs = (form: string, budget?: string) =>
      load({ TOOLCALL_DOCS: form, TOOLCALL_DOCS_BUDGET: budget }).toolcall.docs;
    expect(docs("auto", "2000")).toEqual({ form: "signatures", budget: 2_000 });
    expect(docs("signatures")).toEqual({ form: "signatures" });
    expect(docs("schema")).toEqual({ form: "schema" });
  });

  test("notations that are there may be expected", () => {
    expect(load({ TOOLCALL_DIALECTS: " canonical, " }).toolcall.dialects).toEqual(["canonical"]);
  });

  test("replies may begin inside reasoning", () => {
    expect(load({ TOOLCALL_REASONING: "open" }).toolcall.reasoning).toBe("open");
  });

  test("lists lose the blanks around their entries and empty entries", () => {
    const { models, allowedOrigins } = load({
      MODELS: " a , claude-*,,",
      ALLOWED_ORIGINS: "https://a.example,http://b:1",
    });
    expect(models).toEqual(["a", "claude-*"]);
    expect(allowedOrigins).toEqual(["https://a.example", "http://b:1"]);
  });

  test("keys stand in clear or as their SHA-256", () => {
    const hex = "0f".repeat(32);
    expect(load({ GATEWAY_API_KEYS: `secret, sha256:${hex}` }).keys).toEqual([
      { clear: "secret" },
      { sha256: new Uint8Array(32).fill(15) },
    ]);
  });
});

describe("a bad value makes the configuration invalid", () => {
  const KEYS = "takes keys parted by commas; behind `sha256:` stand 64 hexadecimal digits";
  const ADDRESS = "takes an address that begins with http:// or https://, without a user, a query or a fragment";
  const NOTATIONS = "takes notations of the README's table, parted by commas";
  const ORIGINS = "takes origins such as https://app.example, parted by commas";
  const COMMAS = "holds nothing but commas";
  const TIMER = "takes a whole number from 1 to 2147483647";
  const messageOf = (env: object) => (loadConfig(env) as { error: { kind: string; message: string } }).error;

  test.each([
    [{ UPSTREAM_BASE_URL: "ftp://host/v1" }, ADDRESS],
    [{ UPSTREAM_BASE_URL: "host/v1" }, ADDRESS],
    [{ UPSTREAM_BASE_URL: "https://user:secret@host/v1" }, ADDRESS],
    [{ UPSTREAM_BASE_URL: "https://host/v1?key=secret" }, ADDRESS],
    [{ UPSTREAM_BASE_URL: "https://host/v1#x" }, ADDRESS],
    [{ UPSTREAM_API_KEY: "secret\nlines" }, "takes a key of visible ASCII characters"],
    [{ UPSTREAM_HEADERS_TIMEOUT_MS: "0" }, `${TIMER}, not "0"`],
    [{ UPSTREAM_IDLE_TIMEOUT_MS: "2147483648" }, `${TIMER}, not "2147483648"`],
    [{ MODELS: "," }, COMMAS],
    [{ GATEWAY_API_KEYS: " , " }, COMMAS],
    [{ GATEWAY_API_KEYS: "sha256:secret" }, KEYS],
    [{ GATEWAY_API_KEYS: "sha256:secret,sha256:secret" }, KEYS],
    [{ GATEWAY_AUTH: "secret" }, "takes keys, none"],
    [{ TOOLCALL_MODE: "on" }, 'takes off, canonical, feature_match, not "on"'],
    [{ TOOLCALL_EARLY_EMIT: "medium" }, 'takes high, low, off, not "medium"'],
    [{ TOOLCALL_REASONING: "closed" }, 'takes marked, open, not "closed"'],
    [{ TOOLCALL_DIALECTS: "canonical,cliine" }, `${NOTATIONS}, not "cliine"`],
    [{ TOOLCALL_DIALECTS: "hermes cline" }, `${NOTATIONS}, not "hermes cline"`],
    [{ TOOLCALL_DIALECTS: "Canonical" }, `${NOTATIONS}, not "Canonical"`],
    [{ TOOLCALL_DIALECTS: "," }, COMMAS],
    [{ HEARTBEAT_MS: "-1" }, 'takes a whole number from 0 to 2147483647, not "-1"'],
    [{ HEARTBEAT_MS: "1e3" }, 'takes a whole number from 0 to 2147483647, not "1e3"'],
    [{ HEARTBEAT_MS: "10s" }, 'takes a whole number from 0 to 2147483647, not "10s"'],
    [{ TOKENS_PER_DAY: "0" }, 'takes a whole number from 1 to 1000000000000, not "0"'],
    [{ LIMITS_ON_FAILURE: "shut" }, 'takes closed, open, not "shut"'],
    [{ MAX_BODY_BYTES: "1.5" }, 'takes a whole number from 1 to 24000000, not "1.5"'],
    [{ MAX_BODY_BYTES: "9".repeat(15) }, `takes a whole number from 1 to 24000000, not "${"9".repeat(15)}"`],
    [{ MAX_BODY_BYTES: "24000001" }, 'takes a whole number from 1 to 24000000, not "24000001"'],
    [{ MAX_BODY_BYTES: {} }, "takes a text"],
    [{ ALLOWED_ORIGINS: "*" }, `${ORIGINS}, not "*"`],
    [{ ALLOWED_ORIGINS: "null" }, `${ORIGINS}, not "null"`],
    [{ ALLOWED_ORIGINS: "https://a.example/" }, `${ORIGINS}, not "https://a.example/"`],
    [{ ALLOWED_ORIGINS: "https://a.example,b.example" }, `${ORIGINS}, not "b.example"`],
  ])("%j", (env, reason) => {
    const [name] = Object.keys(env);
    const error = messageOf(env);
    expect(error).toEqual({
      kind: "config-invalid",
      message: `The configuration of this gateway is invalid. ${name} ${reason}.`,
    });
    expect(error.message).not.toContain("secret");
  });

  test("what may be taught is listed", () => {
    const listed =
      /TOOLCALL_TEACH takes auto, native, canonical, canonical_raw, hermes, .*bare_json, .*, not "kimi_k2"\.$/;
    expect(messageOf({ TOOLCALL_TEACH: "kimi_k2" }).message).toMatch(listed);
  });

  test("nothing may be taught that is not read", () => {
    const message = "where TOOLCALL_MODE is canonical: calls in another notation would stay text.";
    const strict = (teach: string) => ({ TOOLCALL_MODE: "canonical", TOOLCALL_TEACH: teach });
    expect(messageOf(strict("hermes")).message).toMatch(
      `TOOLCALL_TEACH takes auto, native, canonical, canonical_raw ${message}`,
    );
    for (const teach of ["auto", "native", "canonical", "canonical_raw"])
      expect(load(strict(teach)).toolcall.teach).toBe(teach);
  });

  test("the kinds of upstreams are listed", () => {
    expect(messageOf({ UPSTREAM_KIND: "gpt" }).message).toMatch(/UPSTREAM_KIND takes demo, generic, .*, not "gpt"\.$/);
  });

  test("a long one is shown in part, on one line", () => {
    const { message } = messageOf({ TOOLCALL_MODE: `a\n${"b".repeat(100)}` });
    expect(message).toMatch(/not "a\\nb{38}…"\.$/);
  });

  test("all bad variables are named at once", () => {
    const { message } = messageOf({ TOOLCALL_MODE: "x", HEARTBEAT_MS: "x" });
    expect(message).toMatch(/ TOOLCALL_MODE takes .*, not "x"\. HEARTBEAT_MS takes .*, not "x"\.$/);
  });
});

test("one set of variables is read once", () => {
  const env = { MODELS: "a" };
  expect(load(env)).toBe(load(env));
});

test("the upstream's key is a secret of the log", () => {
  expect(secretsOf(load({ UPSTREAM_BASE_URL: "https://host/v1", UPSTREAM_API_KEY: "up" }))).toEqual(["up"]);
  expect(secretsOf(load({}))).toEqual([]);
});
