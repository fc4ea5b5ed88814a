import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ADMIN_LIMITS } from "../../../src/limits.ts";
import { operate, record } from "./operator.ts";
import { server, stubUpstreams, unstubUpstreams } from "./platform.ts";

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

describe("C2, C3: keys of clients", () => {
  test.each([
    [{}, 10_000_000],
    [{ tokens_per_day: 5 }, 5],
    [{ tokens_per_day: null }, undefined],
  ])("C18: made with %j, has %s tokens a day, and so has what takes its place", async (terms, tokens) => {
    const { create, admin } = operate();
    await create("acme", record(server("acme")));
    const { body } = await admin("POST", "/acme/keys", terms);
    expect(body.tokens_per_day).toBe(tokens);
    expect((await admin("POST", `/acme/keys/${body.id}:rotate`)).body.tokens_per_day).toBe(tokens);
  });

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
        tokens_per_day: 10_000_000,
        rev: 2,
      },
    ]);
    expect((await ask(made.body.key)).calls).toBe(1);
    vi.setSystemTime(1_000_040_000);
    const rotated = await admin("POST", `/acme/keys/${made.body.id}:rotate`, { grace_seconds: 60 });
    expect(rotated).toMatchObject({
      status: 201,
      body: {
        label: "ci",
        expires: 1_500_000,
        rev: 3,
        old: { id: made.body.id, expires: 1_500_000, replaced: 1_000_100 },
      },
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
    expect(old.replaced - Date.now() / 1_000).toBeCloseTo(86_400, -1);
  });

  test("C2: who never got the new key rotates the old one again: neither a new one's end nor a longer grace comes of it", async () => {
    vi.useFakeTimers({ now: 1_000_000_000, toFake: ["Date"] });
    const { create, admin, ask } = operate();
    await create("acme", record(server("acme")));
    const { id, key } = (await admin("POST", "/acme/keys")).body;
    const rotate = async (grace_seconds: number) =>
      (await admin("POST", `/acme/keys/${id}:rotate`, { grace_seconds })).body;
    await rotate(60);
    const again = await rotate(600);
    expect([again.expires, again.replaced, again.old.replaced]).toEqual([undefined, undefined, 1_000_060]);
    vi.setSystemTime(1_000_060_000);
    expect([(await ask(key)).response.status, (await ask(again.key)).response.status]).toEqual([401, 200]);
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
    await create("acme", record({}, { keys: Array(ADMIN_LIMITS.keys).fill({ id: "abcdefgh", hash: "a".repeat(64) }) }));
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
