import { COUNT_LIMITS } from "../limits.ts";
import type { Sql } from "./record-keeper.ts";

/** How often something happened. */
export interface Count {
  /** What is counted, by its name; with an ending for a bucket or the sum of a histogram. */
  series: string;
  /** Values of its labels, in their order. */
  labels: readonly string[];
  value: number;
}

/** What is counted of replies that have a model and a wire in common. */
export interface Tally {
  model: string;
  wire: string;
  counts: readonly Count[];
}

/** What a model is counted as where there are too many of them. */
export const OTHER_MODEL = "other";

/** What of all others has no room; it always has. */
const LOST = "toolcall_lost_counts_total";

/** Adds up what is counted of a tenant's replies, for ever. Lives in the tenant's Durable Object, so nothing is counted twice or lost. */
export interface CountKeeper {
  /** One row is written, however much is counted. */
  count(tally: Tally): void;
  counted(): Tally[];
}

/** Of replies that have a model and a wire in common: sums, by what is counted. */
interface Group {
  model: string;
  wire: string;
  sums: Map<string, number>;
}

export function createCountKeeper(sql: Sql): CountKeeper {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS counted (model TEXT, wire TEXT, sums TEXT NOT NULL, PRIMARY KEY (model, wire)) WITHOUT ROWID",
  );
  /** All of the table, once it was read: nobody else writes to it. */
  let groups: Map<string, Group> | undefined;

  function load(): Map<string, Group> {
    const rows = sql.exec("SELECT model, wire, sums FROM counted").toArray();
    const loaded = rows.map((row): [string, Group] => {
      const [model, wire] = [String(row.model), String(row.wire)];
      return [nameOf(model, wire), { model, wire, sums: new Map(JSON.parse(String(row.sums))) }];
    });
    return new Map(loaded);
  }

  function groupOf(known: Map<string, Group>, { model, wire }: Tally): Group {
    const hasRoom = known.size < COUNT_LIMITS.groups || known.has(nameOf(model, wire));
    const counted = hasRoom ? model : OTHER_MODEL;
    const name = nameOf(counted, wire);
    const group = known.get(name) ?? { model: counted, wire, sums: new Map() };
    known.set(name, group);
    return group;
  }

  return {
    count(tally) {
      groups ??= load();
      const { model, wire, sums } = groupOf(groups, tally);
      for (const { series, labels, value } of tally.counts) {
        const key = JSON.stringify([series, ...labels]);
        if (sums.has(key) || sums.size < COUNT_LIMITS.sums) add(sums, key, value);
        else add(sums, JSON.stringify([LOST]), 1);
      }
      const text = JSON.stringify([...sums]);
      sql.exec("INSERT OR REPLACE INTO counted (model, wire, sums) VALUES (?, ?, ?)", model, wire, text);
    },
    counted() {
      groups ??= load();
      return [...groups.values()].map(({ model, wire, sums }) => ({ model, wire, counts: countsOf(sums) }));
    },
  };
}

function add(sums: Map<string, number>, key: string, value: number) {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

const nameOf = (model: string, wire: string) => JSON.stringify([model, wire]);

function countsOf(sums: ReadonlyMap<string, number>): Count[] {
  return [...sums].map(([key, value]) => {
    const [series = "", ...labels] = JSON.parse(key) as string[];
    return { series, labels, value };
  });
}
