import { describe, expect, test } from "vitest";
import { loadConfig, secretsOf } from "../../../src/tenants/config.ts";

const load = (env: object) => {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  return config;
};

const DEFAULTS = {
  upstream: { kind: "demo" },
  models: undefined,
  keys: [],
  auth: "keys",
  toolcall: { mode: "feature_match", earlyEmit: "high", teach: "auto", dialects: [], reasoning: "marked" },
  idleTimeoutMs: 120_000,
  heartbeatMs: 10_000,
  maxBodyBytes: 8_000_000,
  allowedOrigins: [],
};

describe("defaults", () => {
  const names = [
    "UPSTREAM_BASE_URL",
    "UPSTREAM_KIND",
    "MODELS",
    "GATEWAY_API_KEYS",
    "TOOLCALL_MODE",
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
    });
  });

  test("without an address any kind is the demo", () => {
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
    for (const teach of ["auto", "canonical", "native"]) {
      expect(load({ TOOLCALL_TEACH: teach }).toolcall).toEqual({ ...DEFAULTS.toolcall, teach });
    }
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

describe("a bad value makes the configuration invalid and is not repeated", () => {
  test.each([
    { UPSTREAM_BASE_URL: "ftp://host/v1" },
    { UPSTREAM_BASE_URL: "host/v1" },
    { UPSTREAM_BASE_URL: "https://user:secret@host/v1" },
    { UPSTREAM_BASE_URL: "https://host/v1?key=secret" },
    { UPSTREAM_BASE_URL: "https://host/v1#x" },
    { UPSTREAM_API_KEY: "two\nlines" },
    { UPSTREAM_KIND: "secret" },
    { UPSTREAM_HEADERS_TIMEOUT_MS: "0" },
    { UPSTREAM_IDLE_TIMEOUT_MS: "2147483648" },
    { MODELS: "," },
    { GATEWAY_API_KEYS: " , " },
    { GATEWAY_API_KEYS: "sha256:secret" },
    { GATEWAY_AUTH: "off" },
    { TOOLCALL_MODE: "on" },
    { TOOLCALL_EARLY_EMIT: "medium" },
    { TOOLCALL_TEACH: "secret" },
    { TOOLCALL_REASONING: "closed" },
    { TOOLCALL_DIALECTS: "canonical,secret" },
    { TOOLCALL_DIALECTS: "Canonical" },
    { TOOLCALL_DIALECTS: "," },
    { HEARTBEAT_MS: "-1" },
    { HEARTBEAT_MS: "1e3" },
    { HEARTBEAT_MS: "10s" },
    { MAX_BODY_BYTES: "1.5" },
    { MAX_BODY_BYTES: {} },
    { ALLOWED_ORIGINS: "*" },
    { ALLOWED_ORIGINS: "null" },
    { ALLOWED_ORIGINS: "https://a.example/" },
    { ALLOWED_ORIGINS: "https://a.example,b.example" },
  ])("%j", (env) => {
    const [name] = Object.keys(env);
    expect(loadConfig(env)).toEqual({
      error: { kind: "config-invalid", message: `The configuration of this gateway is invalid: ${name}.` },
    });
  });

  test("all bad variables are named at once", () => {
    const { error } = loadConfig({ TOOLCALL_MODE: "x", HEARTBEAT_MS: "x" }) as { error: { message: string } };
    expect(error.message).toMatch(/TOOLCALL_MODE, HEARTBEAT_MS\.$/);
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
