import { fail } from "../errors.ts";
import type { Budget, Crossing, Reserved } from "./budget-keeper.ts";
import type { Config } from "./config.ts";
import { inTime } from "./in-time.ts";
import { OWN_OBJECT, type TenantObjects } from "./tenant-object.ts";

/** What an exchange takes of the budgets that it is under. */
export interface Spending {
  /**
   * Before anything is asked of an upstream; once for all that may be asked.
   * @param most as many tokens as one answer may come to; asked for only where there is a budget
   * @throws GatewayFailure `over-budget`; `store-failed` where budgets cannot be asked, unless the tenant is to be served then
   */
  reserve(most: () => number): Promise<void>;
  /** When it is over, however it ended: what it has used. */
  settle(used: number): void;
}

/** What operators are told of budgets. `unchecked`, `unsettled`: their object could not be asked, before the exchange or behind it. */
export type BudgetNews = Crossing | { failure: "unchecked" | "unsettled" };

interface SpendingParts {
  config: Pick<Config, "tenant" | "limits">;
  /** None: nothing is counted, and nobody asked. */
  budgets: readonly Budget[];
  objects: TenantObjects | undefined;
  /** Lets a promise come to its end though the request is over. */
  waitUntil(work: Promise<unknown>): void;
  onNews(news: BudgetNews): void;
}

/** Of an exchange that is under no budget. */
export const UNLIMITED: Spending = { reserve: async () => {}, settle() {} };

export function openSpending({ config, budgets, objects, waitUntil, onNews }: SpendingParts): Spending {
  if (budgets.length === 0) return UNLIMITED;
  const object = objects?.getByName(config.tenant ?? OWN_OBJECT);
  let reserving: Promise<Reserved> | undefined;

  async function ask(tokens: number): Promise<Reserved> {
    if (!object) throw new Error("there is no binding TENANT_OBJECTS");
    return object.reserve({ budgets, tokens });
  }

  /** An answer that came too late for its request has reserved all the same. */
  async function settleLate(reserved: Promise<Reserved>, used: number) {
    const reservation = await inTime(reserved).catch(() => undefined);
    if (!object || reservation?.outcome !== "reserved") return;
    try {
      const crossed = await inTime(object.settle({ reservation, used }));
      crossed.forEach(onNews);
    } catch {
      onNews({ failure: "unsettled" });
    }
  }

  return {
    async reserve(most) {
      if (reserving) return;
      const tokens = most();
      reserving = ask(tokens);
      let reserved: Reserved;
      try {
        reserved = await inTime(reserving);
      } catch (thrown) {
        if (config.limits.onFailure === "closed") fail({ kind: "store-failed", detail: `budgets: ${thrown}` });
        return onNews({ failure: "unchecked" });
      }
      if (reserved.outcome === "reserved") return;
      reserved.crossed.forEach(onNews);
      const { budget, retryAfter } = reserved;
      fail({ kind: "over-budget", message: refusal(budget, tokens, config), retryAfter });
    },
    settle(used) {
      // Short, and made only now: what the Worker is kept alive for while a reply streams keeps the upstream alive, too.
      if (reserving) waitUntil(settleLate(reserving, used));
    },
  };
}

function refusal({ key, tokens }: Budget, asked: number, { tenant }: Pick<Config, "tenant">): string {
  const whose = key !== undefined ? "this API key" : tenant !== undefined ? "this tenant" : "this gateway";
  return (
    `This request may use up to ${asked} tokens, more than is left today of the ${tokens} tokens a day of ${whose}. ` +
    "They begin anew at 00:00 UTC."
  );
}
