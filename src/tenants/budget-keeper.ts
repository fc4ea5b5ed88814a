import type { Sql } from "./record-keeper.ts";

/** The most tokens that may be used in a day, by UTC. */
export interface Budget {
  /** The id of the key that it is of; absent: it is the whole tenant's. */
  key?: string;
  tokens: number;
}

/** What a request may come to. All of its budgets have room for it, or nothing is spent of any. */
export interface Demand {
  budgets: readonly Budget[];
  tokens: number;
}

export type Reserved = Reservation | Refused;

/** Spent until it is settled. */
interface Reservation extends Demand {
  outcome: "reserved";
  /** Days since 1970. */
  day: number;
}

interface Refused {
  outcome: "refused";
  budget: Budget;
  /** Seconds until budgets begin anew. */
  retryAfter: number;
  crossed: readonly Crossing[];
}

export interface Settlement {
  reservation: Reservation;
  /** Tokens that were really used. */
  used: number;
}

/** The highest of these shares of a budget that has been reached for the first time this day, in percent. */
export interface Crossing extends Pick<Budget, "key"> {
  share: Share;
}

const SHARES = [100, 80, 50] as const;
type Share = (typeof SHARES)[number];

/** Counts what a tenant and its keys use in a day. Lives in the tenant's Durable Object, so no two requests spend the same tokens. */
export interface BudgetKeeper {
  reserve(demand: Demand): Reserved;
  /** Of a day that is over nothing is known any more. */
  settle(settlement: Settlement): Crossing[];
}

const DAY = 86_400_000;

/** @param now milliseconds */
export function createBudgetKeeper(sql: Sql, now: () => number): BudgetKeeper {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS spent (day INTEGER, owner TEXT, tokens INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (day, owner)) WITHOUT ROWID",
  );
  let today: number | undefined;

  function begin(day: number) {
    if (day === today) return;
    sql.exec("DELETE FROM spent WHERE day < ?", day);
    today = day;
  }

  function spent(day: number, { key = "" }: Budget): number {
    const [row] = sql.exec("SELECT tokens FROM spent WHERE day = ? AND owner = ?", day, key).toArray();
    return Number(row?.tokens ?? 0);
  }

  /** Puts what was used in the place of what was reserved; what others have reserved is not used yet. */
  function use(day: number, { key = "" }: Budget, used: number, reserved: number): number {
    const [row] = sql
      .exec(
        "UPDATE spent SET tokens = tokens + ?1 - ?2, used = used + ?1 WHERE day = ?3 AND owner = ?4 RETURNING used",
        used,
        reserved,
        day,
        key,
      )
      .toArray();
    return Number(row?.used ?? 0);
  }

  function tell(day: number, { key = "" }: Budget, share: Share | undefined): Crossing[] {
    if (share === undefined) return [];
    const told = sql
      .exec("UPDATE spent SET told = ?1 WHERE day = ?2 AND owner = ?3 AND told < ?1 RETURNING told", share, day, key)
      .toArray();
    return told.map(() => ({ ...(key !== "" && { key }), share }));
  }

  return {
    reserve({ budgets, tokens }) {
      const time = now();
      const day = Math.floor(time / DAY);
      begin(day);
      const short = budgets.find((budget) => spent(day, budget) + tokens > budget.tokens);
      if (short) {
        const retryAfter = Math.ceil(((day + 1) * DAY - time) / 1_000);
        // What no day has room for says nothing of this one.
        const crossed = tokens > short.tokens ? [] : tell(day, short, 100);
        return { outcome: "refused", budget: short, retryAfter, crossed };
      }
      for (const { key = "" } of budgets) {
        sql.exec(
          "INSERT INTO spent (day, owner, tokens) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens",
          day,
          key,
          tokens,
        );
      }
      return { outcome: "reserved", budgets, tokens, day };
    },
    settle({ reservation: { budgets, tokens, day }, used }) {
      return budgets.flatMap((budget) => {
        const all = use(day, budget, used, tokens);
        return tell(
          day,
          budget,
          SHARES.find((share) => all * 100 >= share * budget.tokens),
        );
      });
    },
  };
}
