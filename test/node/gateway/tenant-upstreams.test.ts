import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seal } from "../../../src/tenants/sealed.ts";
import { listUpstreamModels } from "../../../src/upstream-access.ts";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { gatewayOf } from "./in-process.ts";
import { MASTER, platform, sent, server, stubUpstreams, unstubUpstreams, VARIABLES } from "./platform.ts";

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

describe("C6: no client names an address", () => {
  const ELSEWHERE = "https://trap.example/v1";
  test.each<[string, string, object, Record<string, string>]>([
    [
      "a header",
      "",
      {},
      { "x-upstream-base-url": ELSEWHERE, "openai-base-url": ELSEWHERE, forwarded: "host=trap.example" },
    ],
    ["the query", `?base_url=${ELSEWHERE}&api_base=${ELSEWHERE}`, {}, {}],
    ["the body", "", { base_url: ELSEWHERE, api_base: ELSEWHERE, upstream: { base_url: ELSEWHERE } }, {}],
    ["the model", "", { model: ELSEWHERE }, {}],
    [
      "a reference in a schema",
      "",
      { tools: [{ type: "function", function: { name: "f", parameters: { $ref: `${ELSEWHERE}/schema.json` } } }] },
      {},
    ],
    [
      "an image",
      "",
      {
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "http://169.254.169.254/latest" } }] },
          { role: "user", content: "?" },
        ],
      },
      {},
    ],
  ])("by %s", async (_by, query, body, headers) => {
    const { store, send } = platform();
    const { key } = await store.tenant("acme", server("acme"));
    const response = await send(`/v1/chat/completions${query}`, {
      method: "POST",
      headers: { "x-api-key": key, ...headers },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }], ...body }),
    });
    expect(response.status).toBe(200);
    expect(sent.map(({ url }) => url)).toEqual(["https://acme.example/v1/chat/completions"]);
  });
});

describe("C7: a tenant's upstream is no private host, and not this gateway", () => {
  test("a record with such an address serves nothing, not even what asks no upstream", async () => {
    const { store, send } = platform();
    const { key } = await store.tenant("acme", { ...server("acme", { base_url: "https://[::1]/v1" }), models: ["m"] });
    const response = await send("/v1/models", { headers: { "x-api-key": key } });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("config_invalid");
  });

  test("UPSTREAM_HOSTS holds for tenants alone", async () => {
    const { store, ask } = platform({
      UPSTREAM_HOSTS: "acme.example, *.beta.example",
      UPSTREAM_BASE_URL: "http://127.0.0.1:9399/v1",
    });
    const status = async (id: string, host: string) => {
      const { key } = await store.tenant(id, server(host));
      return (await ask(key)).response.status;
    };
    expect(await status("acme", "acme")).toBe(200);
    expect(await status("beta", "eu.beta")).toBe(200);
    expect(await status("other", "other")).toBe(503);
    expect((await ask("own")).response.status).toBe(200);
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(["acme.example", "eu.beta.example", "127.0.0.1:9399"]);
  });

  test.each([
    [undefined, 503],
    ["*", 503],
    ["*, workers-ai", 200],
  ])("the operator's own models, with UPSTREAM_HOSTS %s: %i", async (hosts, status) => {
    const run = async () => Response.json({ choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] });
    const { store, ask } = platform({ AI: { run }, ...(hosts && { UPSTREAM_HOSTS: hosts }) });
    const { key } = await store.tenant("acme", { upstreams: { main: { kind: "workers-ai", model: "@cf/m" } } });
    expect((await ask(key)).response.status).toBe(status);
  });

  test.each(["http://acme.example", "https://ACME.example", "https://acme.example.:8443"])(
    "asked as %s: an answer, and its list of models",
    async (origin) => {
      const store = new MemoryStore();
      const gateway = gatewayOf({ ...VARIABLES, TENANTS: store }, { listUpstreamModels });
      const { key } = await store.tenant("acme", server("acme"));
      const headers = { "x-api-key": key };
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }] });
      const ask = (from: string) => gateway.send(`${from}/v1/chat/completions`, { method: "POST", headers, body });
      const refused = await ask(origin);
      expect(refused.status).toBe(503);
      expect(await refused.text()).toContain("config_invalid");
      const listed = await gateway.send(`${origin}/v1/models`, { headers });
      expect(await listed.json()).toMatchObject({ data: [] });
      expect(sent).toEqual([]);
      expect((await ask("https://gateway.example")).status).toBe(200);
      await gateway.send("https://gateway.example/v1/models", { headers });
      expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(["/v1/chat/completions", "/v1/models"]);
    },
  );
});

test.each([301, 302, 303, 307, 308])("C8: a tenant's upstream that answers %i leads nowhere", async (status) => {
  const { store, ask } = platform();
  const secret = await seal("sk-acme", { tenant: "acme", upstream: "main" }, "1", MASTER);
  const { key } = await store.tenant("acme", server("acme", { api_key: secret }));
  const fetched = vi.fn(
    async (_url: string, _init: RequestInit) =>
      new Response(null, { status, headers: { location: "https://trap.example/v1/chat/completions" } }),
  );
  vi.stubGlobal("fetch", fetched);
  const { response, text } = await ask(key);
  expect(response.status).toBe(502);
  expect(text).not.toContain("trap");
  expect(fetched.mock.calls.map(([url, { redirect }]) => [url, redirect])).toEqual([
    ["https://acme.example/v1/chat/completions", "manual"],
  ]);
});
