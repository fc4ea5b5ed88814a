import { afterEach, beforeEach, describe, expect, test } from "vitest";
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

test.each(["", " ", null])(
  "C10: a key of an upstream that is not set, as %j, can be put back as it is shown",
  async (api_key) => {
    const { create, admin, put } = operate();
    await create("acme", record(server("acme", { api_key })));
    const { body } = await admin("GET", "/acme");
    expect((await put("acme", body, 1)).status).toBe(200);
  },
);

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
