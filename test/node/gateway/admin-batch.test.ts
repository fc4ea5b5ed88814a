import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { operate, record } from "./operator.ts";
import { sent, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

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
      { line: 3, status: 400, error },
      { id: "gone", status: 200, rev: 2 },
      { id: "late", status: 412, rev: 0, error },
      { id: "bad", status: 400, error: { param: "settings.colour" } },
      { id: "none", status: 404, error },
      { id: "new", status: 400, error },
      { id: "Odd", status: 400, error },
      { id: "next", status: 201, rev: 1 },
      { line: 11, status: 400, error },
      { line: 12, status: 400, error },
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
