import { expect, test, vi } from "vitest";
import { TENANT_LIMITS } from "../../../src/limits.ts";
import { createTenantStore } from "../../../src/tenants/store.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { variables } from "../../variables.ts";
import { MemoryStore } from "./stored-tenant.ts";

const GATEWAY = loadConfig(variables({}));
if (!GATEWAY.config) throw new Error("the configuration is invalid");

test("C37: what a record makes is frozen, routes and all", async () => {
  const kv = new MemoryStore();
  await kv.tenant("acme", { upstreams: { main: {} }, routes: [{ models: ["a"] }], models: ["a"] });
  const stored = await createTenantStore(kv, GATEWAY).tenant("acme");
  const [route] = stored?.outcome.config?.routes ?? [];
  for (const each of [
    stored,
    stored?.outcome.config,
    stored?.outcome.config?.models,
    route,
    route?.models,
    route?.config.toolcall,
  ]) {
    expect(each !== undefined && Object.isFrozen(each)).toBe(true);
  }
});

test("as many are kept as there is room for, and nothing of what is not there", async () => {
  const kv = new MemoryStore();
  const store = createTenantStore(kv, GATEWAY, undefined, () => 0);
  const names = Array.from({ length: TENANT_LIMITS.kept + 1 }, (_, index) => `tenant-${index}`);
  for (const name of names) {
    kv.putTenant(name, { v: 1, rev: 1, status: "active", keys: [], settings: {} });
    await store.tenant(name);
  }
  kv.reads.length = 0;
  for (const name of ["tenant-1", "tenant-0", "nobody", "nobody"]) await store.tenant(name);
  expect(kv.reads).toEqual(["v1:tenant:tenant-0", "v1:tenant:nobody", "v1:tenant:nobody"]);
});

test("what is no name is not asked for", async () => {
  const kv = new MemoryStore();
  const store = createTenantStore(kv, GATEWAY);
  for (const name of ["", "a", "-a", "A1", "../x", "a\n", "a".repeat(40), "__proto__"]) {
    expect(await store.tenant(name)).toBeUndefined();
  }
  expect(kv.reads).toEqual([]);
});

test("of two answers the one that was asked for last counts, whichever comes first", async () => {
  const late = Promise.withResolvers<string>();
  const answers = [late.promise, Promise.resolve('{"t":"new"}')];
  let time = 0;
  const store = createTenantStore({ get: async () => (await answers.shift()) ?? null }, GATEWAY, undefined, () => time);
  const first = store.tenantOfKey("hash");
  time = 1;
  expect(await store.tenantOfKey("hash")).toBe("new");
  time = 29_999;
  late.resolve('{"t":"old"}');
  expect(await first).toBe("old");
  expect(await store.tenantOfKey("hash")).toBe("new");
});

test("a store that does not answer is one that is away", async () => {
  vi.useFakeTimers();
  const store = createTenantStore({ get: () => new Promise(() => {}) }, GATEWAY);
  const asked = expect(store.tenant("acme")).rejects.toMatchObject({ error: { kind: "store-failed" } });
  await vi.advanceTimersByTimeAsync(TENANT_LIMITS.wait);
  await asked;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test.each([undefined, 7, { v: 1 }, new ArrayBuffer(2)])("a store that gives %j says nothing", async (given) => {
  const store = createTenantStore({ get: async () => given as never }, GATEWAY);
  expect(await store.tenant("acme")).toMatchObject({ keys: undefined, outcome: { fault: { kind: "config-invalid" } } });
  expect(await store.tenantOfKey("hash")).toBe("");
});
