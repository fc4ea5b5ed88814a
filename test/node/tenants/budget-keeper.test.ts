import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Budget, createBudgetKeeper, type Reserved } from "../../../src/tenants/budget-keeper.ts";
import { memorySql } from "./memory-objects.ts";

const DAY = 86_400_000;
const NOON = 20_000.5 * DAY;

function keep() {
  const sql = memorySql();
  const clock = { now: NOON };
  const keeper = createBudgetKeeper(sql, () => clock.now);
  const rows = () => sql.exec("SELECT day, owner, tokens FROM spent").toArray().map(Object.values);
  return { sql, clock, keeper, rows };
}

function reservation(reserved: Reserved) {
  if (reserved.outcome !== "reserved") throw new Error("refused");
  return reserved;
}

const tenant: Budget = { tokens: 100 };
const key: Budget = { key: "k", tokens: 50 };

describe("C18: budgets of tokens a day", () => {
  test("what is reserved is spent until it is settled, and then what was used is", () => {
    const { keeper, rows } = keep();
    const first = reservation(keeper.reserve({ budgets: [tenant], tokens: 60 }));
    expect(keeper.reserve({ budgets: [tenant], tokens: 41 })).toMatchObject({ outcome: "refused", budget: tenant });
    keeper.settle({ reservation: first, used: 10 });
    expect(rows()).toEqual([[20_000, "", 10]]);
    const second = reservation(keeper.reserve({ budgets: [tenant], tokens: 90 }));
    expect(rows()).toEqual([[20_000, "", 100]]);
    expect(keeper.reserve({ budgets: [tenant], tokens: 1 })).toMatchObject({ outcome: "refused" });
    // The upstream has said more than was asked for.
    keeper.settle({ reservation: second, used: 95 });
    expect(rows()).toEqual([[20_000, "", 105]]);
  });

  test("of two budgets both have room, or nothing is spent of either", () => {
    const { keeper, rows } = keep();
    keeper.reserve({ budgets: [tenant, key], tokens: 40 });
    expect(keeper.reserve({ budgets: [tenant, key], tokens: 20 })).toMatchObject({ outcome: "refused", budget: key });
    keeper.reserve({ budgets: [tenant, { key: "other", tokens: 1_000 }], tokens: 60 });
    expect(keeper.reserve({ budgets: [tenant, key], tokens: 5 })).toMatchObject({ outcome: "refused", budget: tenant });
    expect(rows()).toEqual([
      [20_000, "", 100],
      [20_000, "k", 40],
      [20_000, "other", 60],
    ]);
  });

  test("they begin anew at midnight by UTC, to the millisecond; nothing is kept of the day before", () => {
    const { keeper, clock, rows } = keep();
    const late = reservation(keeper.reserve({ budgets: [tenant, key], tokens: 50 }));
    clock.now = 20_001 * DAY - 1;
    const refused = keeper.reserve({ budgets: [tenant, key], tokens: 50 });
    expect(refused).toMatchObject({ outcome: "refused", budget: key, retryAfter: 1 });
    clock.now += 1;
    expect(keeper.reserve({ budgets: [tenant], tokens: 100 })).toMatchObject({ outcome: "reserved", day: 20_001 });
    expect(rows()).toEqual([[20_001, "", 100]]);
    keeper.settle({ reservation: late, used: 1 });
    expect(rows()).toEqual([[20_001, "", 100]]);
    expect(keeper.reserve({ budgets: [tenant], tokens: 1 })).toMatchObject({ retryAfter: DAY / 1_000 });
  });

  test("an object that the platform makes anew knows what was spent", () => {
    const { sql, keeper, clock } = keep();
    keeper.reserve({ budgets: [tenant], tokens: 100 });
    const anew = createBudgetKeeper(sql, () => clock.now);
    expect(anew.reserve({ budgets: [tenant], tokens: 1 })).toMatchObject({ outcome: "refused" });
  });

  test("half, four fifths and all of it are told once a day each, of what was used", () => {
    const { keeper, clock } = keep();
    const use = (used: number, tokens = used) =>
      keeper.settle({ reservation: reservation(keeper.reserve({ budgets: [tenant, key], tokens })), used });
    expect(use(10, 45)).toEqual([]);
    expect(use(15)).toEqual([{ key: "k", share: 50 }]);
    expect(use(2)).toEqual([]);
    expect(use(23)).toEqual([{ share: 50 }, { key: "k", share: 100 }]);
    const refused = () => keeper.reserve({ budgets: [tenant], tokens: 60 });
    expect(refused()).toMatchObject({ crossed: [{ share: 100 }] });
    expect(refused()).toMatchObject({ crossed: [] });
    clock.now += DAY;
    expect(use(41)).toEqual([{ key: "k", share: 80 }]);
  });

  test("what others have reserved, and not used yet, is told by none of these", () => {
    const { keeper } = keep();
    const [first, second] = [30, 60].map((tokens) => reservation(keeper.reserve({ budgets: [tenant], tokens })));
    if (!first || !second) throw new Error("refused");
    expect(keeper.settle({ reservation: first, used: 1 })).toEqual([]);
    expect(keeper.settle({ reservation: second, used: 49 })).toEqual([{ share: 50 }]);
  });

  test("what no day has room for says nothing of this one", () => {
    const { keeper } = keep();
    keeper.reserve({ budgets: [tenant], tokens: 1 });
    expect(keeper.reserve({ budgets: [tenant], tokens: 101 })).toMatchObject({ outcome: "refused", crossed: [] });
  });

  test("however reservations and settlements meet, no more is used than there is", () => {
    const step = fc.record({
      tokens: fc.nat(40),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      settles: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { keeper, rows } = keep();
        const open: { reserved: ReturnType<typeof reservation>; used: number }[] = [];
        let used = 0;
        for (const { tokens, share, settles } of steps) {
          const reserved = keeper.reserve({ budgets: [tenant], tokens });
          if (reserved.outcome === "reserved") open.push({ reserved, used: Math.round(tokens * share) });
          const done = open[settles];
          if (!done) continue;
          open.splice(settles, 1);
          keeper.settle({ reservation: done.reserved, used: done.used });
          used += done.used;
        }
        const held = open.reduce((sum, { reserved }) => sum + reserved.tokens, used);
        expect(held).toBeLessThanOrEqual(100);
        expect(Number(rows()[0]?.[2] ?? 0)).toBe(held);
      }),
    );
  });
});
