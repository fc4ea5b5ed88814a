import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { missesPromtool, promtool } from "../ops/promtool.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

const OPERATED = { ADMIN_TOKEN: "operator", UPSTREAM_BASE_URL: "https://llm.example/v1" };
const TOKEN = { headers: { authorization: "Bearer operator" } };

async function counted(given: Parameters<typeof platform>[0] = {}, record: object = {}) {
  const world = platform({ ...OPERATED, ...given });
  const { key } = await world.store.tenant("acme", server("acme"), record);
  await world.ask(key);
  await world.ask("own");
  return { ...world, key };
}

test("C10: without an ADMIN_TOKEN there is no such path", async () => {
  const { send } = await counted({ ADMIN_TOKEN: "" });
  const unknown = await send("/nothing", TOKEN);
  for (const path of ["/metrics", "/t/acme/metrics"]) {
    const response = await send(path, TOKEN);
    expect([response.status, await response.json()]).toEqual([404, await unknown.clone().json()]);
  }
});

test("the text, and its head alone", async () => {
  const { send } = await counted();
  const response = await send("/metrics", TOKEN);
  expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
    ...[200, "text/plain; version=0.0.4; charset=utf-8", "no-store"],
  ]);
  expect(await response.text()).toMatch(/^toolcall_replies_total\{tenant="_gateway",.*\} 1$/m);
  const head = await send("/metrics", { ...TOKEN, method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test.each(["POST", "PUT", "DELETE"])("%s is told what the path takes", async (method) => {
  const { send } = await counted();
  const response = await send("/metrics", { ...TOKEN, method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("C16: no page reads it, whatever origins are allowed", async () => {
  const { send } = await counted({ ALLOWED_ORIGINS: "https://app.example" });
  for (const method of ["GET", "OPTIONS"]) {
    const headers = { ...TOKEN.headers, origin: "https://app.example" };
    const response = await send("/metrics", { method, headers });
    expect([response.ok, response.headers.get("access-control-allow-origin")]).toEqual([true, null]);
  }
});

describe("whose numbers", () => {
  test("a tenant's are at its path; of a disabled one, too; an unknown one has none", async () => {
    const { send, store } = await counted();
    const text = await (await send("/t/acme/metrics", TOKEN)).text();
    expect(text).toContain('tenant="acme"');
    expect(text).not.toContain('tenant="_gateway"');
    expect((await send("/t/nobody/metrics", TOKEN)).status).toBe(404);
    await store.tenant("empty", server("empty"), { status: "disabled" });
    const empty = await send("/t/empty/metrics", TOKEN);
    expect([empty.status, await empty.text()]).toEqual([200, ""]);
  });

  test("under a tenant's host name its own, and no other's", async () => {
    const { send, store } = await counted({ GATEWAY_HOSTS: "localhost" }, { hosts: ["ai.acme.example"] });
    store.values.set("v1:host:ai.acme.example", JSON.stringify({ t: "acme" }));
    const own = await send("https://ai.acme.example/metrics", TOKEN);
    expect(await own.text()).toContain('tenant="acme"');
    expect((await send("https://ai.acme.example/t/other/metrics", TOKEN)).status).toBe(401);
    expect((await send("https://ai.nobody.example/metrics", TOKEN)).status).toBe(401);
  });

  test("where nothing keeps counts, that is said", async () => {
    const { send } = platform(OPERATED, { bound: false });
    const response = await send("/metrics", TOKEN);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("TENANT_OBJECTS")]);
  });
});

test.skipIf(missesPromtool)("Prometheus' own parser takes it", async () => {
  const { send, ask, key } = await counted();
  for (const stream of [true, false]) await ask(key, { stream, model: "qwen3-8b" });
  await send("/v1/chat/completions", { method: "POST", headers: { "x-api-key": key }, body: "{" });
  const text = await (await send("/t/acme/metrics", TOKEN)).text();
  expect(text).toMatch(/toolcall_errors_total\{tenant="acme",model="",wire="openai-chat",kind="invalid-request"\} 1/);
  expect(promtool(["check", "metrics"], text)).toEqual({ status: 0, told: "" });
});
