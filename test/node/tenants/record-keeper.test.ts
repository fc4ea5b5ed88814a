import { describe, expect, test, vi } from "vitest";
import { createRecordKeeper } from "../../../src/tenants/record-keeper.ts";
import { memorySql } from "./memory-objects.ts";
import { MemoryStore } from "./stored-tenant.ts";

const fields = (hashes: string[], hosts: string[] = []) => ({ keys: hashes.map((hash) => ({ hash })), hosts });

function keep() {
  const kv = new MemoryStore();
  return { kv, keeper: createRecordKeeper(memorySql(), kv) };
}

describe("C10: a record is changed only by who has seen its latest revision", () => {
  test("numbers go up, also over a deletion, and nothing is written on a conflict", async () => {
    const { kv, keeper } = keep();
    const write = (ifMatch: number, hashes?: string[]) =>
      keeper.write({ id: "acme", fields: hashes && fields(hashes), ifMatch });
    expect(await write(3, ["a"])).toEqual({ outcome: "conflict", current: 0 });
    expect(kv.values.size).toBe(0);
    expect(await write(0, ["a"])).toEqual({ outcome: "written", rev: 1 });
    expect(await write(0, ["b"])).toEqual({ outcome: "conflict", current: 1 });
    expect(await write(1, ["b"])).toEqual({ outcome: "written", rev: 2 });
    expect(await write(2)).toEqual({ outcome: "written", rev: 3 });
    expect(kv.values.size).toBe(0);
    expect(await write(3, ["c"])).toEqual({ outcome: "conflict", current: 0 });
    expect(await write(0, ["c"])).toEqual({ outcome: "written", rev: 4 });
    expect(JSON.parse(kv.values.get("v1:tenant:acme") ?? "")).toEqual({ ...fields(["c"]), v: 1, rev: 4 });
  });

  test("of changes at the same time one is made", async () => {
    const { kv, keeper } = keep();
    const written = await Promise.all(
      ["a", "b", "c"].map((hash) => keeper.write({ id: "acme", fields: fields([hash]), ifMatch: 0 })),
    );
    expect(written.map(({ outcome }) => outcome)).toEqual(["written", "conflict", "conflict"]);
    expect([...kv.values.keys()].sort()).toEqual(["v1:key:a", "v1:tenant:acme"]);
  });

  test("a record that was put there by hand is the first", async () => {
    const { kv, keeper } = keep();
    kv.putTenant("acme", { v: 1, rev: 7, ...fields(["a"]) });
    kv.values.set("v1:key:a", '{"t":"acme"}');
    expect(await keeper.write({ id: "acme", fields: fields(["b"]), ifMatch: 7 })).toEqual({
      outcome: "written",
      rev: 8,
    });
    expect([...kv.values.keys()].sort()).toEqual(["v1:key:b", "v1:tenant:acme"]);
  });

  test("a store that fails leaves the revision, and the same change can be made again", async () => {
    const { kv, keeper } = keep();
    kv.broken = true;
    const change = { id: "acme", fields: fields(["a"]), ifMatch: 0 };
    await expect(keeper.write(change)).rejects.toThrow("away");
    kv.broken = false;
    expect(await keeper.write(change)).toEqual({ outcome: "written", rev: 1 });
  });
});

const HOST = "v1:host:ai.acme.example";
const hosts = (...names: string[]) => fields([], names);

describe("C10: entries are what the record lists, whatever went wrong before", () => {
  test("one that could not be deleted is no change that was made; with another change it is what that one says", async () => {
    for (const [then, entry] of [
      [hosts(), undefined],
      [hosts("ai.acme.example"), '{"t":"acme"}'],
      [undefined, undefined],
    ] as const) {
      const { kv, keeper } = keep();
      await keeper.write({ id: "acme", fields: hosts("ai.acme.example"), ifMatch: 0 });
      for (const when of ["before", "behind"]) {
        vi.spyOn(kv, "delete").mockImplementationOnce(async (key) => {
          if (when === "behind") kv.values.delete(key);
          throw new Error("away");
        });
        await expect(keeper.write({ id: "acme", fields: hosts(), ifMatch: 1 })).rejects.toThrow("away");
      }
      expect(await keeper.write({ id: "acme", fields: then, ifMatch: 1 })).toEqual({ outcome: "written", rev: 2 });
      expect(kv.values.get(HOST)).toBe(entry);
    }
  });

  test("one that was made before the record could not be written goes with the next change", async () => {
    const { kv, keeper } = keep();
    await keeper.write({ id: "acme", fields: hosts(), ifMatch: 0 });
    const put = kv.put.bind(kv);
    vi.spyOn(kv, "put").mockImplementation(async (key, value) => {
      if (key === "v1:tenant:acme") throw new Error("away");
      return put(key, value);
    });
    await expect(keeper.write({ id: "acme", fields: hosts("ai.acme.example"), ifMatch: 1 })).rejects.toThrow("away");
    vi.restoreAllMocks();
    expect(kv.values.has(HOST)).toBe(true);
    await keeper.write({ id: "acme", fields: hosts(), ifMatch: 1 });
    expect(kv.values.has(HOST)).toBe(false);
  });

  test("of two that got a name at once the one that lets go of it leaves it to the other", async () => {
    const { kv, keeper } = keep();
    await keeper.write({ id: "acme", fields: hosts("ai.acme.example"), ifMatch: 0 });
    kv.values.set(HOST, '{"t":"beta"}');
    await keeper.write({ id: "acme", fields: hosts(), ifMatch: 1 });
    expect(kv.values.get(HOST)).toBe('{"t":"beta"}');
  });

  test("those of a record that was put there by hand are made, unless they are another's", async () => {
    const { kv, keeper } = keep();
    kv.putTenant("acme", { v: 1, rev: 1, ...hosts("ai.acme.example") });
    kv.values.set(HOST, '{"t":"beta"}');
    const change = { id: "acme", fields: hosts("ai.acme.example"), ifMatch: 1 };
    expect(await keeper.write(change)).toEqual({ outcome: "taken", what: "host" });
    kv.values.delete(HOST);
    expect(await keeper.write(change)).toEqual({ outcome: "written", rev: 2 });
    expect(kv.values.get(HOST)).toBe('{"t":"acme"}');
  });
});

test("entries of keys and hosts come and go with their record, and are nobody else's", async () => {
  const { kv, keeper } = keep();
  const other = createRecordKeeper(memorySql(), kv);
  await keeper.write({ id: "acme", fields: fields(["a", "b"], ["acme.example"]), ifMatch: 0 });
  for (const [taken, what] of [
    [fields(["b"]), "key"],
    [fields([], ["acme.example"]), "host"],
  ] as const) {
    expect(await other.write({ id: "beta", fields: taken, ifMatch: 0 })).toEqual({ outcome: "taken", what });
  }
  await keeper.write({ id: "acme", fields: fields(["b", "c"]), ifMatch: 1 });
  expect([...kv.values.keys()].sort()).toEqual(["v1:key:b", "v1:key:c", "v1:tenant:acme"]);
  expect(await other.write({ id: "beta", fields: fields(["a"], ["acme.example"]), ifMatch: 0 })).toEqual({
    outcome: "written",
    rev: 1,
  });
});
