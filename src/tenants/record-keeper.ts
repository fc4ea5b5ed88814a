import { isObject, parseJson } from "../json.ts";
import { ADMIN_LIMITS } from "../limits.ts";
import type { KeyValueBinding } from "./key-value.ts";
import { hostKey, keyKey, readOwner, tenantKey, writeOwner } from "./stored-keys.ts";

/** As much of a Durable Object's SQLite as is asked for here. */
export interface Sql {
  exec(query: string, ...bindings: (string | number | null)[]): { toArray(): Record<string, unknown>[] };
}

/** What stands in a tenant's record, whatever it is worth, but for its version and its revision. */
type RecordFields = object & { readonly keys?: unknown; readonly hosts?: unknown };

export interface Revision {
  rev: number;
  /** The record as JSON; undefined where it was deleted. */
  text: string | undefined;
}

export interface RecordChange {
  /** The tenant. */
  id: string;
  /** Undefined deletes it. */
  fields: RecordFields | undefined;
  /** The revision that is to be changed; 0: there must be none. */
  ifMatch: number;
}

/** How a change went. `current`: the revision that there is in place of the one that was to be changed. */
export type Written =
  | { outcome: "written"; rev: number }
  | { outcome: "conflict"; current: number }
  /** A key or a host that is another tenant's. */
  | { outcome: "taken"; what: "key" | "host" };

/**
 * Changes a tenant's record, one change at a time, and only where whoever changes it has seen the latest one: a key-value store
 * alone can neither compare nor tell what is latest. Lives in the tenant's Durable Object; requests go on reading from the
 * key-value store, which is written first: so what is kept here is never ahead of it.
 */
export interface RecordKeeper {
  read(id: string): Promise<Revision | undefined>;
  /** @throws whatever the store throws; then the revision is what it was, and this change can be made once more, or another one */
  write(change: RecordChange): Promise<Written>;
}

export function createRecordKeeper(sql: Sql, kv: KeyValueBinding): RecordKeeper {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS record (one INTEGER PRIMARY KEY CHECK (one = 1), rev INTEGER NOT NULL, text TEXT)",
  );
  // Entries of the store that a change was about which has not come to its end: they may be there or not.
  sql.exec("CREATE TABLE IF NOT EXISTS unsettled (entry TEXT PRIMARY KEY)");
  /** Of the latest change, settled or not. */
  let latest: Promise<unknown> = Promise.resolve();

  async function read(id: string): Promise<Revision | undefined> {
    const [row] = sql.exec("SELECT rev, text FROM record").toArray();
    if (row) return { rev: Number(row.rev), text: row.text === null ? undefined : String(row.text) };
    // Put there by hand, before anything was changed here.
    const text = (await kv.get(tenantKey(id))) ?? undefined;
    return text === undefined ? undefined : { rev: revisionOf(text), text };
  }

  async function write({ id, fields, ifMatch }: RecordChange): Promise<Written> {
    const before = await read(id);
    const current = before?.text === undefined ? 0 : before.rev;
    if (ifMatch !== current) return { outcome: "conflict", current };
    const [had, has] = [pointersOf(parseJson(before?.text ?? "")), pointersOf(fields)];
    const { touched, left } = touchedBy(had, has);
    const lists = new Map<string, Pointers>();
    for (const pointer of touched) {
      const what = has.get(pointer);
      if (what && (await isTaken(pointer, id, lists))) return { outcome: "taken", what };
    }
    // First of all: so there are never more of them than one change leaves behind.
    await release(left, id);
    settle(left);
    begin(before, touched);
    // Of a tenant that was deleted, too: its numbers are never used again.
    const rev = (before?.rev ?? 0) + 1;
    const text = fields && JSON.stringify({ ...fields, v: 1, rev });
    const made = touched.filter((pointer) => has.has(pointer));
    for (const pointer of made) await kv.put(pointer, writeOwner(id));
    if (text === undefined) await kv.delete(tenantKey(id));
    else await kv.put(tenantKey(id), text);
    const gone = touched.filter((pointer) => !has.has(pointer)).slice(0, ADMIN_LIMITS.releases - left.length);
    await release(gone, id);
    sql.exec("INSERT OR REPLACE INTO record (one, rev, text) VALUES (1, ?, ?)", rev, text ?? null);
    settle([...made, ...gone]);
    return { outcome: "written", rev };
  }

  /**
   * Entries that a change is about, and those that one before it has left behind: neither record lists them. Of a record that was
   * put there by hand nobody knows whether its entries were, too.
   */
  function touchedBy(had: Pointers, has: Pointers): { touched: readonly string[]; left: readonly string[] } {
    const byHand = sql.exec("SELECT one FROM record").toArray().length === 0;
    const unsettled = new Set(
      sql
        .exec("SELECT entry FROM unsettled")
        .toArray()
        .map(({ entry }) => String(entry)),
    );
    const listed = [...new Set([...had.keys(), ...has.keys()])];
    return {
      touched: listed.filter((entry) => byHand || unsettled.has(entry) || had.has(entry) !== has.has(entry)),
      left: [...unsettled].filter((entry) => !had.has(entry) && !has.has(entry)).slice(0, ADMIN_LIMITS.releases),
    };
  }

  /**
   * Before the store is touched, since nobody knows what it holds if that fails. A record that was put there by hand is kept here, too,
   * or there would be nothing left of one that was deleted but for its entries; a longer one than is ever written may not fit.
   */
  function begin(before: Revision | undefined, touched: readonly string[]) {
    for (const pointer of touched) sql.exec("INSERT OR IGNORE INTO unsettled (entry) VALUES (?)", pointer);
    if (before?.text === undefined || before.text.length > ADMIN_LIMITS.record) return;
    sql.exec("INSERT OR IGNORE INTO record (one, rev, text) VALUES (1, ?, ?)", before.rev, before.text);
  }

  function settle(pointers: readonly string[]) {
    for (const pointer of pointers) sql.exec("DELETE FROM unsettled WHERE entry = ?", pointer);
  }

  /** What leads to another tenant is left to it, be it listed there or not: its change may be under way. */
  async function release(pointers: readonly string[], id: string) {
    for (const pointer of pointers) if (!(await othersOf(pointer, id))) await kv.delete(pointer);
  }

  /**
   * An entry is whose record lists it: one that leads to a record that does not, or to none, was left behind by a change that failed.
   * @param lists of owners that were asked already
   */
  async function isTaken(pointer: string, id: string, lists: Map<string, Pointers>): Promise<boolean> {
    const owner = await othersOf(pointer, id);
    if (!owner) return false;
    const list = lists.get(owner) ?? pointersOf(parseJson((await kv.get(tenantKey(owner))) ?? ""));
    lists.set(owner, list);
    return list.has(pointer);
  }

  /** The other tenant that an entry leads to; empty: it leads to none. */
  async function othersOf(pointer: string, id: string): Promise<string> {
    const owner = readOwner((await kv.get(pointer)) ?? "");
    return owner === id ? "" : owner;
  }

  return {
    read,
    write(change) {
      const written = latest.then(() => write(change));
      latest = written.catch(() => {});
      return written;
    },
  };
}

type Pointers = ReadonlyMap<string, "key" | "host">;

/** The entries that lead to a record: of its keys, and of its host names. */
function pointersOf(record: unknown): Pointers {
  const { keys, hosts } = (record ?? {}) as RecordFields;
  const hashes = Array.isArray(keys) ? keys.map((key) => String(key?.hash)) : [];
  const names = Array.isArray(hosts) ? hosts.map(String) : [];
  return new Map([
    ...hashes.map((hash) => [keyKey(hash), "key"] as const),
    ...names.map((name) => [hostKey(name), "host"] as const),
  ]);
}

/** Of a record that was put there by hand, and may be anything. */
function revisionOf(text: string): number {
  const record = parseJson(text);
  const rev = isObject(record) ? record.rev : undefined;
  return typeof rev === "number" && Number.isSafeInteger(rev) && rev > 0 ? rev : 1;
}
