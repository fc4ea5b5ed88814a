import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seal, unseal } from "../../../src/tenants/sealed.ts";
import { operate, record, TOKEN } from "./operator.ts";
import { MASTER, sent, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

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

describe("C2, C10: secrets go in, and never come out", () => {
  test("a key in clear is sealed under the newest master key, for this tenant and upstream alone", async () => {
    const newer = new Uint8Array(32).fill(9);
    const { create, admin, ask, store } = operate({ MASTER_KEY_2: btoa(String.fromCharCode(...newer)) });
    await create("acme", acme());
    const { body, text } = await admin("GET", "/acme");
    const sealed = body.settings.upstreams.main.api_key;
    expect(sealed).toMatch(/^s1\.2\./);
    const target = { tenant: "acme", upstream: "main" };
    expect(await unseal(sealed, target, { 2: newer })).toBe(SECRET);
    expect(await unseal(sealed, { ...target, tenant: "beta" }, { 2: newer })).toBeUndefined();
    const { body: made } = await admin("POST", "/acme/keys");
    expect((await ask(made.key)).calls).toBe(1);
    expect(sent.at(-1)?.authorization).toBe(`Bearer ${SECRET}`);
    const everything = [text, ...[...store.values].flat(), ...log].join("\n");
    expect(everything).not.toContain(SECRET);
    expect(everything).not.toContain(made.key.slice(12));
    expect(everything).not.toContain(TOKEN);
  });

  test("what is sealed stays as it is, and opens for its tenant and upstream, or is refused", async () => {
    const { create, put, store } = operate();
    const sealed = await seal(SECRET, { tenant: "acme", upstream: "main" }, "1", MASTER);
    await create("acme", acme({ api_key: sealed }));
    expect(JSON.parse(store.values.get("v1:tenant:acme") ?? "").settings.upstreams.main.api_key).toBe(sealed);
    const elsewhere = [
      ["beta", acme({ api_key: sealed })],
      ["acme", record({ upstreams: { other: { base_url: "https://acme.example/v1", api_key: sealed } } })],
      [
        "acme",
        acme({
          api_key: await seal(
            SECRET,
            { tenant: "acme", upstream: "main" },
            "1",
            MASTER.map(() => 1),
          ),
        }),
      ],
      ["acme", acme({ api_key: sealed.replace("s1.1", "s1.2") })],
    ] as const;
    for (const [id, given] of elsewhere) {
      const { status, body } = id === "acme" ? await put(id, given, 1) : await create(id, given);
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/api_key is sealed for another/)]);
    }
  });

  test("without a master key nothing can be sealed", async () => {
    const { create } = operate({ MASTER_KEY_1: "" });
    const { status, body } = await create("acme", acme());
    expect([status, body.error.param]).toEqual([400, "settings.upstreams.main.api_key"]);
    expect((await create("acme", record(server("acme")))).status).toBe(201);
  });

  test("what somebody has written by hand in clear is not shown, and closes nothing that it need not", async () => {
    const { store, admin, put } = operate();
    store.putTenant("acme", { v: 1, rev: 5, keys: [], ...acme(), extra: { api_key: [SECRET] } });
    const { body, text } = await admin("GET", "/acme");
    expect(text).not.toContain(SECRET);
    expect((await put("acme", { ...body, extra: undefined }, 5)).status).toBe(400);
    expect((await put("acme", acme(), 5)).body.rev).toBe(6);
    store.values.set("v1:tenant:beta", SECRET);
    const broken = await admin("GET", "/beta");
    expect(broken.status).toBe(503);
    expect(broken.text).not.toContain(SECRET);
    expect((await put("beta", record(), 1)).status).toBe(200);
  });
});

describe("C11: a record is taken as requests would take it, or not at all", () => {
  const told = async (given: unknown, variables = {}) => {
    const { create } = operate(variables);
    const { status, body, text } = await create("acme", given);
    return { status, message: String(body.error?.message), param: body.error?.param, text };
  };

  test("all that is wrong is told, by its path", async () => {
    const { status, message, param } = await told({
      status: "open",
      colour: "blue",
      keys: [{ id: "abcdefgh", hash: "gk_secret" }],
      hosts: ["AI.acme.example", "localhost"],
      settings: {
        upstreams: { main: { base_url: "ftp://x", api_key: "with blanks" } },
        routes: [{ models: [] }],
        toolcall: { mode: "on" },
      },
    });
    expect(status).toBe(400);
    expect(param).toBe("status");
    for (const path of [
      "status takes active or disabled",
      "colour is no setting",
      "keys.0.hash takes 64 hexadecimal digits",
      "hosts.0 takes public host names",
      "hosts.1 takes public host names",
      "settings.upstreams.main.base_url takes",
      "settings.upstreams.main.api_key takes a key of visible ASCII characters",
      "settings.routes.0.models takes",
      "settings.toolcall.mode takes",
    ]) {
      expect(message).toContain(path);
    }
  });

  test("what makes no sense together is told, all of it", async () => {
    const { message } = await told(
      record(
        {
          upstreams: { main: { base_url: "https://127.0.0.1/v1" }, spare: { base_url: "https://other.example" } },
          routes: [{ models: ["a"], upstream: "none" }],
        },
        { hosts: ["gw.example"] },
      ),
      { UPSTREAM_HOSTS: "*.acme.example", GATEWAY_HOSTS: "gw.example,localhost" },
    );
    expect(message.match(/(?<=[ .])[\w.]+ (?=takes|names)/g)).toEqual([
      "settings.routes.0.upstream ",
      "settings.upstreams.main.base_url ",
      "settings.upstreams.spare.base_url ",
      "hosts.0 ",
    ]);
  });

  test.each([
    ["a list", []],
    ["a text", '"x"'],
    ["null", "null"],
    ["no JSON", "{"],
    ["nothing", ""],
    ["another version", record({}, { v: 2 })],
    ["a revision that is none", record({}, { rev: 7 })],
    ["no settings", { status: "active" }],
    ["keys that are no list", record({}, { keys: "gk_secret" })],
    ["too many keys", record({}, { keys: Array(201).fill({ id: "abcdefgh", hash: "a".repeat(64) }) })],
    ["too many hosts", record({}, { hosts: Array(51).fill("ai.acme.example") })],
    ["__proto__", '{"status":"active","settings":{},"__proto__":{"keys":[]}}'],
  ])("%s is refused", async (_what, given) => {
    const { status, text } = await told(given);
    expect(status).toBe(400);
    expect(text).not.toContain("gk_secret");
  });

  test("a record that SQLite could not hold is refused before anything is written", async () => {
    const { create, store } = operate();
    const models = Array.from({ length: 30_000 }, (_, index) => `${index}`.padStart(20, "m"));
    expect((await create("acme", record({ models }))).status).toBe(413);
    expect(store.values.size).toBe(0);
  });

  test("no value is told where a secret could stand", async () => {
    const canary = "CANARY-7fd31";
    for (const odd of [canary, [canary], { [canary]: canary }, `${canary} x`]) {
      for (const given of [
        record(server("acme", { api_key: odd })),
        record({}, { keys: odd }),
        record({}, { keys: [odd] }),
        record({}, { keys: [{ id: odd, hash: odd, status: odd, expires: odd, label: [odd] }] }),
        record({}, { hosts: odd }),
        record({}, { hosts: [odd] }),
      ]) {
        const { text } = await told(given);
        // A name of a member is told: it is a path.
        expect(text.replaceAll(new RegExp(`[\\w.]*${canary} is no setting`, "g"), "")).not.toContain(canary);
      }
    }
    expect(log.join("\n")).not.toContain(canary);
  });

  test("keys that a PUT says nothing of stay", async () => {
    const { create, put, admin, ask } = operate();
    await create("acme", record(server("acme")));
    const { key } = (await admin("POST", "/acme/keys")).body;
    await put("acme", record(server("acme2")), 2);
    expect((await ask(key)).calls).toBe(1);
    await put("acme", record(server("acme2"), { keys: [] }), 3);
    expect((await admin("GET", "/acme")).body.keys).toEqual([]);
  });
});

describe("C2, C3: keys of clients", () => {
  test("are made and shown once, rotated with a grace, and disabled", async () => {
    vi.useFakeTimers({ now: 1_000_000_000, toFake: ["Date"] });
    const { create, admin, ask } = operate();
    await create("acme", record(server("acme")));
    const made = await admin("POST", "/acme/keys", { label: "ci", expires: 1_500_000 });
    expect([made.status, made.body]).toEqual([
      201,
      {
        key: expect.stringMatching(/^gk_/),
        id: made.body.key.slice(3, 11),
        status: "active",
        label: "ci",
        expires: 1_500_000,
        rev: 2,
      },
    ]);
    expect((await ask(made.body.key)).calls).toBe(1);
    vi.setSystemTime(1_000_040_000);
    const rotated = await admin("POST", `/acme/keys/${made.body.id}:rotate`, { grace_seconds: 60 });
    expect(rotated).toMatchObject({
      status: 201,
      body: { label: "ci", expires: 1_500_000, rev: 3, old: { id: made.body.id, expires: 1_000_100 } },
    });
    for (const [time, old] of [
      [1_000_099_000, 200],
      [1_000_100_000, 401],
    ] as const) {
      vi.setSystemTime(time);
      expect((await ask(made.body.key)).response.status).toBe(old);
      expect((await ask(rotated.body.key)).response.status).toBe(200);
    }
    const disabled = await admin("POST", `/acme/keys/${rotated.body.id}:disable`);
    expect([disabled.status, disabled.body]).toMatchObject([200, { id: rotated.body.id, status: "disabled", rev: 4 }]);
    vi.setSystemTime(1_000_200_000);
    expect((await ask(rotated.body.key)).response.status).toBe(401);
    // What is closed is not opened by whatever rotates keys.
    for (const id of [made.body.id, rotated.body.id]) {
      expect((await admin("POST", `/acme/keys/${id}:rotate`)).status).toBe(400);
    }
  });

  test("a day is the grace that nobody has asked for", async () => {
    const { create, admin } = operate();
    await create("acme", record(server("acme")));
    const { id } = (await admin("POST", "/acme/keys", "")).body;
    const { old } = (await admin("POST", `/acme/keys/${id}:rotate`, {})).body;
    expect(old.expires - Date.now() / 1_000).toBeCloseTo(86_400, -1);
  });

  test.each([
    ["", { label: 5 }],
    ["", { expires: "tomorrow" }],
    ["", { colour: "blue" }],
    ["", []],
    ["", "{"],
    ["/KEY:rotate", { grace_seconds: -1 }],
    ["/KEY:rotate", { grace_seconds: 31_536_001 }],
    ["/KEY:rotate", { grace: 5 }],
  ])("keys%s with %j is refused", async (path, body) => {
    const { create, admin } = operate();
    await create("acme", record(server("acme")));
    const { id } = (await admin("POST", "/acme/keys")).body;
    expect((await admin("POST", `/acme/keys${path.replace("KEY", id)}`, body)).status).toBe(400);
    expect((await admin("GET", "/acme")).headers.get("etag")).toBe('"2"');
  });

  test("no more of them than a record may have", async () => {
    const { create, admin } = operate();
    await create("acme", record({}, { keys: Array(200).fill({ id: "abcdefgh", hash: "a".repeat(64) }) }));
    expect((await admin("POST", "/acme/keys")).status).toBe(400);
  });

  test("are disabled even where the settings are wrong by now", async () => {
    const { store, admin } = operate();
    const { id } = await store.tenant("acme", { colour: "blue" });
    expect((await admin("POST", `/acme/keys/${id}:disable`)).body.status).toBe("disabled");
    expect((await admin("POST", "/acme/keys/unknown:disable")).status).toBe(404);
    expect((await admin("POST", `/acme/keys/${id}:enable`)).status).toBe(404);
    store.putTenant("beta", { v: 1, rev: 1, status: "active", keys: "none", settings: {} });
    expect((await admin("POST", "/beta/keys")).status).toBe(400);
  });

  test("several changes at once are all made, one after the other", async () => {
    const { create, admin } = operate();
    await create("acme", record(server("acme")));
    const made = await Promise.all(Array.from({ length: 3 }, () => admin("POST", "/acme/keys")));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await admin("GET", "/acme")).body.keys).toHaveLength(3);
  });

  test("what loses three times is told of the conflict", async () => {
    const { create, admin, objects } = operate();
    await create("acme", record(server("acme")));
    const object = objects.getByName("acme");
    vi.spyOn(objects, "getByName").mockReturnValue({
      ...object,
      readRecord: async (id) => object.readRecord(id),
      writeRecord: async () => ({ outcome: "conflict", current: 9 }),
    });
    objects.calls.length = 0;
    const answer = await admin("POST", "/acme/keys");
    expect([answer.status, answer.headers.get("etag")]).toEqual([412, '"9"']);
    expect(objects.calls).toHaveLength(3);
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
      by: expect.stringMatching(/^[0-9a-f]{8}$/),
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

describe("C10: a batch", () => {
  test("answers each line in order; a bad one fails alone", async () => {
    const { batch, create, admin } = operate();
    await create("old", record());
    await create("gone", record());
    const { status, lines } = await batch([
      { id: "new", record: record(server("new")) },
      { id: "old", record: record({}, { status: "disabled" }), if_match: 1 },
      "{",
      { id: "gone", record: null },
      { id: "late", record: record(), if_match: 3 },
      { id: "bad", record: record({ colour: "blue" }) },
      { id: "none", record: null },
      { id: "new", record: record() },
      { id: "Odd", record: record() },
      { id: "next", record: record(), if_match: 0 },
      { id: "odd", record: record(), if_match: "1" },
      { id: "odd2" },
    ]);
    expect(status).toBe(200);
    const error = { message: expect.any(String) };
    expect(lines).toMatchObject([
      { id: "new", status: 201, rev: 1 },
      { id: "old", status: 200, rev: 2 },
      { status: 400, error },
      { id: "gone", status: 200, rev: 2 },
      { id: "late", status: 412, rev: 0, error },
      { id: "bad", status: 400, error: { param: "settings.colour" } },
      { id: "none", status: 404, error },
      { id: "new", status: 400, error },
      { id: "Odd", status: 400, error },
      { id: "next", status: 201, rev: 1 },
      { status: 400, error },
      { status: 400, error },
    ]);
    expect((await admin("GET", "")).body.tenants.map(({ id }: { id: string }) => id)).toEqual(["new", "next", "old"]);
  });

  test("of more than 400 lines, or nested too deeply, is none", async () => {
    const { batch, store } = operate();
    const many = await batch(Array.from({ length: 401 }, (_, index) => ({ id: `t-${index}`, record: record() })));
    expect([many.status, store.values.size]).toEqual([400, 0]);
    expect((await batch([`{"id":"deep","record":${"[".repeat(200)}`, "", "  "])).lines).toMatchObject([
      { status: 400 },
    ]);
  });

  test("10,000 tenants are loaded, and a request of one costs two reads, and none when they are kept", async () => {
    const { batch, admin, store, ask } = operate();
    const started = performance.now();
    for (let from = 0; from < 10_000; from += 400) {
      const { lines } = await batch(
        Array.from({ length: Math.min(400, 10_000 - from) }, (_, index) => ({
          id: `tenant-${from + index}`,
          record: record(server(`t${from + index}`)),
        })),
      );
      expect(lines.every(({ status, rev }) => status === 201 && rev === 1)).toBe(true);
    }
    expect(performance.now() - started).toBeLessThan(60_000);
    const { key, id } = (await admin("POST", "/tenant-9999/keys")).body;
    expect(id).toHaveLength(8);
    store.reads.length = 0;
    for (const prefix of ["", "/t/tenant-9999"]) expect((await ask(key, { prefix })).calls).toBe(1);
    expect(store.reads).toHaveLength(2);
    expect(sent.at(-1)?.url).toContain("t9999.example");
  });
});
