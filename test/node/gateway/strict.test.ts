import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TENANT_LIMITS } from "../../../src/limits.ts";
import type { MemoryStore } from "../tenants/stored-tenant.ts";
import { platform, sent, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

let log: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  ({ log } = stubUpstreams());
});
afterEach(unstubUpstreams);

/** A strict tenant that its object keeps, and a gateway that has read it; other changes of its record stay unknown to its store. */
async function strict(options = {}) {
  const world = platform({}, options);
  const { store, objects } = world;
  const made = await store.tenant("acme", server("acme"), { strict: true });
  const fields = recordOf(store, "acme");
  const object = objects.getByName("acme");
  await object.writeRecord({ id: "acme", fields, ifMatch: 1 });
  await world.ask(made.key);
  const change = async (changed: object, ifMatch = 2) => {
    // What the platform has of the store it may go on giving for a minute.
    const before = store.values.get("v1:tenant:acme") ?? "";
    await object.writeRecord({ id: "acme", fields: { ...fields, ...changed }, ifMatch });
    store.values.set("v1:tenant:acme", before);
  };
  const [key] = fields.keys;
  store.reads.length = 0;
  objects.calls.length = 0;
  sent.length = 0;
  return { ...world, ...made, key: made.key, stored: key, change, object };
}

function recordOf(store: MemoryStore, id: string): { keys: object[]; settings: object } {
  return JSON.parse(store.values.get(`v1:tenant:${id}`) ?? "");
}

describe("C3: of a strict tenant what changes holds at once", () => {
  test("a key that is disabled is refused, also where the store goes on giving the old record", async () => {
    const { ask, key, stored, change } = await strict();
    expect((await ask(key)).response.status).toBe(200);
    await change({ keys: [{ ...stored, status: "disabled" }] });
    expect((await ask(key)).response.status).toBe(401);
    vi.advanceTimersByTime(TENANT_LIMITS.fresh);
    expect((await ask(key)).response.status).toBe(401);
    expect((await ask(key, { prefix: "/t/acme" })).response.status).toBe(401);
    expect(sent).toHaveLength(1);
  });

  test("a changed mode and upstream are those of the next request", async () => {
    const { ask, key, change } = await strict();
    expect((await ask(key)).calls).toBe(1);
    await change({ settings: { ...server("other"), toolcall: { mode: "off" } } });
    expect((await ask(key)).calls).toBe(0);
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(["acme.example", "other.example"]);
  });

  test("one that is deleted, or that is strict no more", async () => {
    const { ask, key, change, object, objects } = await strict();
    await change({ strict: false });
    expect((await ask(key)).response.status).toBe(200);
    expect((await ask(key)).response.status).toBe(200);
    expect(objects.asked.filter((call) => call.endsWith("readRecordUnless"))).toHaveLength(1);
    vi.advanceTimersByTime(TENANT_LIMITS.fresh);
    await change({}, 3);
    await object.writeRecord({ id: "acme", fields: undefined, ifMatch: 4 });
    expect((await ask(key, { prefix: "/t/acme" })).response.status).toBe(401);
  });

  test("what was written into the store by hand, under the object's own number, too", async () => {
    const { ask, key, stored, change, store } = await strict();
    await change({ keys: [{ ...stored, status: "disabled" }] });
    store.putTenant("acme", { ...recordOf(store, "acme"), rev: 3, settings: server("by-hand") });
    vi.advanceTimersByTime(TENANT_LIMITS.fresh);
    expect((await ask(key, { prefix: "/t/acme" })).response.status).toBe(401);
    expect(sent).toEqual([]);
  });

  test("each request asks the object once, and reads no more of the store than others", async () => {
    const { ask, key, objects, store } = await strict();
    for (const _ of [1, 2, 3]) await ask(key);
    expect(objects.asked).toEqual(Array(3).fill("acme readRecordUnless"));
    expect(store.reads.filter((read) => read !== "v1:tenant:acme")).toEqual([]);
  });

  test("other tenants ask nobody", async () => {
    const { ask, store, objects } = platform();
    const { key } = await store.tenant("acme", server("acme"));
    await ask(key);
    expect([store.reads.length, objects.asked]).toEqual([2, []]);
  });
});

describe("C3, C11: where its object cannot be asked a strict tenant is closed", () => {
  test("the object is away: 503 to its keys, the same 401 as ever to others", async () => {
    const { ask, key, objects } = await strict();
    objects.broken = true;
    const { response, text } = await ask(key);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([503, null]);
    expect(text).toContain("store_unavailable");
    const refused = await Promise.all(["/t/acme", "/t/nobody"].map((prefix) => ask("wrong", { prefix })));
    expect(refused.map(({ response: { status } }) => status)).toEqual([401, 401]);
    expect(sent).toEqual([]);
    objects.broken = false;
    expect((await ask(key)).response.status).toBe(200);
  });

  test("one that does not answer is away", async () => {
    const { ask, key, objects } = await strict();
    vi.useFakeTimers();
    objects.gate = new Promise(() => {});
    const asked = ask(key);
    await vi.waitFor(() => expect(objects.asked).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(TENANT_LIMITS.wait);
    expect((await asked).response.status).toBe(503);
  });

  test("there is no binding: its settings cannot be had as it wants them, which the log tells", async () => {
    const { store, ask } = platform({}, { bound: false });
    const { key } = await store.tenant("acme", server("acme"), { strict: true });
    const { response, text } = await ask(key);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([503, "false"]);
    expect(text).toContain("config_invalid");
    expect(text).not.toContain("TENANT_OBJECTS");
    expect(log.join()).toContain("TENANT_OBJECTS");
  });
});
