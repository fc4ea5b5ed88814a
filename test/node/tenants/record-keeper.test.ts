import { describe, expect, test, vi } from "vitest";
import { ADMIN_LIMITS } from "../../../src/limits.ts";
import { createRecordKeeper } from "../../../src/tenants/record-keeper.ts";
import { memorySql } from "./memory-objects.ts";
import { MemoryStore } from "./stored-tenant.ts";

const fields = (hashes: string[], hosts: string[] = []) => ({ keys: hashes.map((hash) => ({ hash })), hosts });

function keep(kv = new MemoryStore()) {
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

/** A change whose entries are written, and whose record is not. */
async function halfWritten(kv: MemoryStore, write: () => Promise<unknown>) {
  const put = kv.put.bind(kv);
  const putting = vi.spyOn(kv, "put").mockImplementation(async (key, value) => {
    if (key.startsWith("v1:tenant:")) throw new Error("away");
    return put(key, value);
  });
  await expect(write()).rejects.toThrow("away");
  putting.mockRestore();
}

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
    await halfWritten(kv, () => keeper.write({ id: "acme", fields: hosts("ai.acme.example"), ifMatch: 1 }));
    expect(kv.values.has(HOST)).toBe(true);
    await keeper.write({ id: "acme", fields: hosts(), ifMatch: 1 });
    expect(kv.values.has(HOST)).toBe(false);
  });

  test.each([
    ["a name", HOST, hosts("ai.acme.example")],
    ["a key", "v1:key:a", fields(["a"])],
  ])("of two that list %s the one that lets go of it leaves it to the other", async (_, entry, both) => {
    for (const then of [hosts(), undefined]) {
      const { kv, keeper } = keep();
      await keeper.write({ id: "acme", fields: both, ifMatch: 0 });
      kv.values.set(entry, '{"t":"beta"}');
      await keeper.write({ id: "acme", fields: then, ifMatch: 1 });
      expect(kv.values.get(entry)).toBe('{"t":"beta"}');
    }
  });

  test.each([
    ["a name", HOST, hosts("ai.acme.example")],
    ["a key", "v1:key:a", fields(["a"])],
  ])("%s is nobody's whose tenant could not be created; whoever has it then keeps it", async (_, entry, both) => {
    const { kv, keeper } = keep();
    const { keeper: other } = keep(kv);
    const change = { id: "acme", fields: both, ifMatch: 0 };
    await halfWritten(kv, () => keeper.write(change));
    expect(kv.values.get(entry)).toBe('{"t":"acme"}');
    expect(await other.write({ ...change, id: "beta" })).toEqual({ outcome: "written", rev: 1 });
    expect((await keeper.write(change)).outcome).toBe("taken");
    expect(await keeper.write({ ...change, fields: fields([]) })).toEqual({ outcome: "written", rev: 1 });
    expect(kv.values.get(entry)).toBe('{"t":"beta"}');
  });

  test.each([
    ["no record", undefined],
    ["a record that does not list it", JSON.stringify(hosts("other.acme.example"))],
    ["a record that is no JSON", "{"],
  ])("one that leads to %s is nobody's", async (_, record) => {
    const { kv, keeper } = keep();
    kv.values.set(HOST, '{"t":"beta"}');
    if (record !== undefined) kv.values.set("v1:tenant:beta", record);
    await keeper.write({ id: "acme", fields: hosts("ai.acme.example"), ifMatch: 0 });
    expect(kv.values.get(HOST)).toBe('{"t":"acme"}');
  });

  test("one that leads to what can be no tenant's name is nobody's, and no such record is asked for", async () => {
    const { kv, keeper } = keep();
    const name = "x".repeat(600);
    kv.values.set(HOST, JSON.stringify({ t: name }));
    await keeper.write({ id: "acme", fields: hosts("ai.acme.example"), ifMatch: 0 });
    expect(kv.values.get(HOST)).toBe('{"t":"acme"}');
    expect(kv.reads).not.toContain(`v1:tenant:${name}`);
  });

  test("a record that was put there by hand and could not be deleted is still there to be", async () => {
    const { kv, keeper } = keep();
    kv.putTenant("acme", { v: 1, rev: 3, ...hosts("ai.acme.example") });
    kv.values.set(HOST, '{"t":"acme"}');
    const deletion = { id: "acme", fields: undefined, ifMatch: 3 };
    const deleting = vi.spyOn(kv, "delete").mockImplementation(async (key) => {
      if (key === HOST) throw new Error("away");
      kv.values.delete(key);
    });
    await expect(keeper.write(deletion)).rejects.toThrow("away");
    deleting.mockRestore();
    expect([...kv.values.keys()]).toEqual([HOST]);
    expect((await keeper.read("acme"))?.rev).toBe(3);
    expect(await keeper.write(deletion)).toEqual({ outcome: "written", rev: 4 });
    expect(kv.values.size).toBe(0);
  });

  test("a record by hand that is longer than any is changed all the same", async () => {
    const { kv, keeper } = keep();
    kv.putTenant("acme", { v: 1, rev: 3, note: "x".repeat(3_000_000), ...hosts("ai.acme.example") });
    expect(await keeper.write({ id: "acme", fields: hosts(), ifMatch: 3 })).toEqual({ outcome: "written", rev: 4 });
  });

  test("those of a record that was put there by hand are made, unless they are another's", async () => {
    const { kv, keeper } = keep();
    kv.putTenant("acme", { v: 1, rev: 1, ...hosts("ai.acme.example") });
    kv.values.set(HOST, '{"t":"beta"}');
    kv.putTenant("beta", { v: 1, rev: 1, ...hosts("ai.acme.example") });
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

/** What the platform lets one invocation ask of the store. */
const OPERATIONS = 1_000;

class CountedStore extends MemoryStore {
  operations = 0;

  override async get(key: string) {
    this.operations += 1;
    return super.get(key);
  }

  override async put(key: string, value: string) {
    this.operations += 1;
    return super.put(key, value);
  }

  override async delete(key: string) {
    this.operations += 1;
    return super.delete(key);
  }
}

/** As many entries as a record may have, and no two alike. */
function most(name: string) {
  const list = (length: number, form: (number: number) => string) =>
    Array.from({ length }, (_, number) => form(number));
  return fields(
    list(ADMIN_LIMITS.keys, (number) => `${name}${number}`),
    list(ADMIN_LIMITS.hosts, (number) => `${name}${number}.example`),
  );
}

function entriesOf({ keys, hosts: names }: ReturnType<typeof most>): string[] {
  return [...keys.map(({ hash }) => `v1:key:${hash}`), ...names.map((name) => `v1:host:${name}`)];
}

describe("C10: one change never asks more of the store than the platform allows", () => {
  test("with all that a record may list replaced, behind one that failed, and each new entry once another's", async () => {
    const kv = new CountedStore();
    const { keeper } = keep(kv);
    await halfWritten(kv, () => keeper.write({ id: "acme", fields: most("failed"), ifMatch: 0 }));
    kv.putTenant("acme", { v: 1, rev: 1, ...most("old") });
    for (const entry of entriesOf(most("old"))) kv.values.set(entry, '{"t":"acme"}');
    for (const [index, entry] of entriesOf(most("new")).entries()) kv.values.set(entry, `{"t":"gone-${index}"}`);
    kv.operations = 0;
    expect(await keeper.write({ id: "acme", fields: most("new"), ifMatch: 1 })).toEqual({ outcome: "written", rev: 2 });
    expect(kv.operations).toBeLessThan(OPERATIONS);
    // What there was no room for goes with the next changes.
    expect(kv.values.size).toBeGreaterThan(entriesOf(most("new")).length + 1);
    await keeper.write({ id: "acme", fields: most("new"), ifMatch: 2 });
    expect([...kv.values.keys()].sort()).toEqual([...entriesOf(most("new")), "v1:tenant:acme"].sort());
    kv.operations = 0;
    await keeper.write({ id: "acme", fields: most("new"), ifMatch: 3 });
    expect(kv.operations).toBe(1);
  });

  test("without a failure nothing is left of what a change replaces", async () => {
    const { kv, keeper } = keep();
    await keeper.write({ id: "acme", fields: most("old"), ifMatch: 0 });
    await keeper.write({ id: "acme", fields: most("new"), ifMatch: 1 });
    expect([...kv.values.keys()].sort()).toEqual([...entriesOf(most("new")), "v1:tenant:acme"].sort());
    await keeper.write({ id: "acme", fields: undefined, ifMatch: 2 });
    expect(kv.values.size).toBe(0);
  });

  test("failures in a row leave no more behind than one of them", async () => {
    const kv = new CountedStore();
    const { keeper } = keep(kv);
    for (const name of ["a", "b", "c", "d"]) {
      kv.operations = 0;
      await halfWritten(kv, () => keeper.write({ id: "acme", fields: most(name), ifMatch: 0 }));
      expect(kv.operations).toBeLessThan(OPERATIONS);
      expect([...kv.values.keys()].sort()).toEqual(entriesOf(most(name)).sort());
    }
  });
});
