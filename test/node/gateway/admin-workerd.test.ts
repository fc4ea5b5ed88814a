import { afterAll, expect, test } from "vitest";
import { startBareGateway } from "./bare-workerd.ts";

const MASTER_KEY_1 = btoa("m".repeat(32));
const gateway = await startBareGateway({ ADMIN_TOKEN: "operator", MASTER_KEY_1 }, { tenants: true });
afterAll(() => gateway.close());

async function ask(method: string, path: string, headers: Record<string, string>, body?: object | string) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: whatever is answered
  const read: any = await response.json();
  return { status: response.status, etag: response.headers.get("etag"), body: read };
}

const admin = (method: string, path: string, body?: object | string, headers = {}) =>
  ask(method, `/admin/v1/tenants${path}`, { authorization: "Bearer operator", ...headers }, body);

test("C10: with the platform's own objects, changes at once are made one after the other, and requests see them", async () => {
  const record = { status: "active", settings: { upstreams: { main: { kind: "demo", api_key: "sk-secret" } } } };
  const created = await Promise.all([1, 2, 3].map(() => admin("PUT", "/acme", record, { "if-none-match": "*" })));
  expect(created.map(({ status }) => status).toSorted()).toEqual([201, 412, 412]);
  const made = await Promise.all([1, 2].map(() => admin("POST", "/acme/keys")));
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const read = await admin("GET", "/acme");
  expect([read.etag, read.body.keys.length]).toEqual(['"3"', 2]);
  expect(JSON.stringify(read.body)).not.toContain("sk-secret");
  for (const { body } of made) {
    for (const path of ["/v1/models", "/t/acme/v1/models"]) {
      expect((await ask("GET", path, { "x-api-key": body.key })).status).toBe(200);
    }
  }
  const lines = ["beta", "gamma"].map((id) => `${JSON.stringify({ id, record })}\n`).join("");
  const batch = await fetch(`http://127.0.0.1:${gateway.port}/admin/v1/tenants:batch`, {
    method: "POST",
    headers: { authorization: "Bearer operator" },
    body: lines,
  });
  expect(await batch.text()).toBe('{"id":"beta","status":201,"rev":1}\n{"id":"gamma","status":201,"rev":1}\n');
  expect((await admin("DELETE", "/acme", undefined, { "if-match": '"3"' })).body).toEqual({ id: "acme", rev: 4 });
  expect((await admin("GET", "")).body).toEqual({ tenants: [{ id: "beta" }, { id: "gamma" }] });
  expect(gateway.log).toEqual([]);
});
