import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { operate, record } from "./operator.ts";
import { server, stubUpstreams, unstubUpstreams } from "./platform.ts";

let log: string[];
beforeEach(() => {
  ({ log } = stubUpstreams());
});
afterEach(unstubUpstreams);

const SECRET = "sk-upstream-Secret/1234";
const acme = (more: object = {}) => record(server("acme", { api_key: SECRET, ...more }));

describe("C10: a tenant from its creation to its end", () => {
  test("is created, read, changed and deleted, each by who has seen the latest revision", async () => {
    const { admin, create, put, store } = operate();
    const created = await create("acme", acme());
    expect([created.status, created.body, created.headers.get("etag")]).toEqual([201, { id: "acme", rev: 1 }, '"1"']);
    const read = await admin("GET", "/acme");
    expect([read.status, read.headers.get("etag")]).toEqual([200, '"1"']);
    expect(read.body).toMatchObject({ v: 1, rev: 1, status: "active", keys: [] });
    // As it was read it can be put back, its revision included.
    const changed = await put("acme", { ...read.body, hosts: ["ai.acme.example"] }, 1);
    expect([changed.status, changed.body.rev]).toEqual([200, 2]);
    expect((await admin("GET", "")).body).toEqual({ tenants: [{ id: "acme" }] });
    const deleted = await admin("DELETE", "/acme", undefined, { "if-match": 'W/"2"' });
    expect([deleted.status, deleted.body]).toEqual([200, { id: "acme", rev: 3 }]);
    expect((await admin("GET", "/acme")).status).toBe(404);
    expect([...store.values.keys()].filter((key) => !key.startsWith("v1:audit:"))).toEqual([]);
    // Numbers are never used again.
    expect((await create("acme", acme())).body.rev).toBe(4);
  });

  test.each<[string, string, Record<string, string>, number, string | null]>([
    ["PUT", "nothing", {}, 428, null],
    ["DELETE", "nothing", {}, 428, null],
    ["PUT", "an older revision", { "if-match": '"1"' }, 412, '"2"'],
    ["DELETE", "an older revision", { "if-match": '"1"' }, 412, '"2"'],
    ["PUT", "a creation", { "if-none-match": "*" }, 412, '"2"'],
    ["DELETE", "a creation", { "if-none-match": "*" }, 400, null],
    ["PUT", "both", { "if-match": '"2"', "if-none-match": "*" }, 400, null],
    ["PUT", "any revision", { "if-match": "*" }, 400, null],
    ["PUT", "several", { "if-match": '"1", "2"' }, 400, null],
    ["PUT", "no quotes", { "if-match": "2" }, 400, null],
    ["PUT", "a zero", { "if-match": '"0"' }, 400, null],
    ["PUT", "no star", { "if-none-match": '"2"' }, 400, null],
  ])("%s with %s as its condition changes nothing", async (method, _what, headers, status, etag) => {
    const { admin, create, put, store } = operate();
    await create("acme", acme());
    await put("acme", acme(), 1);
    const before = store.values.get("v1:tenant:acme");
    const answer = await admin(method, "/acme", method === "PUT" ? acme() : undefined, headers);
    expect([answer.status, answer.headers.get("etag")]).toEqual([status, etag]);
    expect(answer.body.error).toMatchObject({ type: "invalid_request_error", message: expect.any(String) });
    expect(store.values.get("v1:tenant:acme")).toBe(before);
  });

  test("one that is not there cannot be changed", async () => {
    const { admin, put, objects } = operate();
    const none = await put("acme", acme(), 1);
    expect([none.status, none.headers.get("etag")]).toEqual([412, null]);
    expect((await admin("DELETE", "/acme", undefined, { "if-match": '"1"' })).status).toBe(412);
    for (const path of ["/acme/keys", "/acme/keys/abcdefgh:rotate", "/acme/keys/abcdefgh:disable"]) {
      expect((await admin("POST", path)).status).toBe(404);
    }
    const asked = objects.calls.length;
    for (const id of ["ACME", "a", "-a", "a_b", "..", "%61cme", "x".repeat(40)]) {
      expect((await admin("PUT", `/${id}`, acme(), { "if-none-match": "*" })).status).toBeOneOf([400, 404]);
    }
    expect(objects.calls).toHaveLength(asked);
  });

  test("a key or a host of another tenant is not to be had", async () => {
    const { create, batch } = operate();
    const keys = [{ id: "abcdefgh", hash: "a".repeat(64) }];
    await create("acme", record({}, { keys, hosts: ["ai.acme.example"] }));
    for (const taken of [{ keys }, { hosts: ["ai.acme.example"] }]) {
      const answer = await create("beta", record({}, taken));
      expect([answer.status, answer.headers.get("x-should-retry"), answer.body.error.code]).toEqual([
        409,
        "false",
        "already_taken",
      ]);
      expect((await batch([{ id: "beta", record: record({}, taken) }])).lines).toMatchObject([
        { id: "beta", status: 409 },
      ]);
    }
  });

  test("the list goes on where a page has ended", async () => {
    const { admin, batch } = operate();
    await batch(["aa", "bb", "cc"].map((id) => ({ id, record: record() })));
    const first = await admin("GET", "?limit=2");
    expect(first.body.tenants).toEqual([{ id: "aa" }, { id: "bb" }]);
    const rest = await admin("GET", `?limit=2&cursor=${encodeURIComponent(first.body.cursor)}`);
    expect(rest.body).toEqual({ tenants: [{ id: "cc" }] });
    for (const limit of ["0", "1001", "x", "-1", "1.5"])
      expect((await admin("GET", `?limit=${limit}`)).status).toBe(400);
  });

  test("where the store or the object is away nothing is changed, and a repetition helps", async () => {
    const { create, admin, store, objects } = operate();
    for (const part of [store, objects]) {
      part.broken = true;
      const answer = await create("acme", acme());
      expect([answer.status, answer.headers.get("x-should-retry"), answer.body.error.code]).toEqual([
        503,
        null,
        "store_unavailable",
      ]);
      part.broken = false;
    }
    expect((await create("acme", acme())).body.rev).toBe(1);
    store.broken = true;
    expect((await admin("GET", "")).status).toBe(503);
  });
});

describe("C10: what is done is written down", () => {
  test("who, what, whose, from which revision to which, and which keys; for 90 days", async () => {
    const { create, put, admin, batch, audits, store } = operate();
    await create("acme", acme());
    await put("acme", acme(), 1);
    const { id } = (await admin("POST", "/acme/keys")).body;
    const rotated = (await admin("POST", `/acme/keys/${id}:rotate`)).body.id;
    await admin("POST", `/acme/keys/${id}:disable`);
    await admin("DELETE", "/acme", undefined, { "if-match": '"5"' });
    await batch([
      { id: "beta", record: record() },
      { id: "X", record: null },
      { id: "gamma", record: record() },
    ]);
    const change = (tenant: string, before: number, after: number) => ({ tenant, before, after });
    const expected = [
      ["put", [change("acme", 0, 1)], undefined],
      ["put", [change("acme", 1, 2)], undefined],
      ["key-create", [change("acme", 2, 3)], [id]],
      ["key-rotate", [change("acme", 3, 4)], [id, rotated]],
      ["key-disable", [change("acme", 4, 5)], [id]],
      ["delete", [change("acme", 5, 6)], undefined],
      ["batch", [change("beta", 0, 1), change("gamma", 0, 1)], undefined],
    ];
    expect(audits().map(({ what, changes, keys }) => [what, changes, keys])).toEqual(expected);
    expect(new Set(audits().map(({ by }) => by)).size).toBe(1);
    expect(audits()[0]).toMatchObject({
      v: 1,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      by: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    for (const [key, seconds] of store.lifetimes)
      expect([key, seconds]).toEqual([expect.stringMatching(/^v1:audit:/), 7_776_000]);
    expect(store.lifetimes.size).toBe(expected.length);
  });

  test("nothing is where nothing was changed", async () => {
    const { create, admin, audits, batch } = operate();
    await create("acme", { status: "?" });
    await admin("GET", "/acme");
    await admin("GET", "");
    await batch([{ id: "acme", record: {} }]);
    expect(audits()).toEqual([]);
  });

  test("where it cannot be, the change stands, and the log has it", async () => {
    const { create, store } = operate();
    const put = store.put.bind(store);
    vi.spyOn(store, "put").mockImplementation(async (key, value, options) => {
      if (key.startsWith("v1:audit:")) throw new Error("away");
      return put(key, value, options);
    });
    expect((await create("acme", acme())).status).toBe(201);
    expect(log.map((line) => JSON.parse(line))).toEqual([
      {
        level: "error",
        event: "audit_failed",
        by: expect.any(String),
        what: "put",
        changes: [{ tenant: "acme", before: 0, after: 1 }],
      },
    ]);
  });
});
