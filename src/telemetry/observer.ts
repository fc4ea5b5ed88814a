import type { GatewayError } from "../errors.ts";
import type { BudgetNews } from "../tenants/spending.ts";
import { type Asker, type Failure, logBudget, logDropped, logIfOurs, logReply, logUpstreamFailure } from "./log.ts";
import type { Numbers } from "./numbers.ts";
import type { ReplyReport } from "./reply-report.ts";

/** Told what happens in one exchange besides its answer. */
export interface Observer {
  /** A failure that came behind the first byte: it is already in the stream, in the wire's own form. */
  failed(error: GatewayError): void;
  /** An upstream has failed where there are others to ask; `place` is its own among them. */
  upstreamFailed(error: GatewayError, place: number): void;
  /** Fields of a request that the upstream does not take; they are left out from now on. */
  dropped(fields: readonly string[]): void;
  budget(news: BudgetNews): void;
  /** Once of each exchange what became of it, when its reply is over. */
  replied(report: ReplyReport): void;
}

/**
 * Writes all of it to the log, and what became of replies to the numbers.
 * @param secrets what must not stand there, in whatever form an upstream repeats it
 */
export function createObserver(
  about: Asker & Pick<Failure, "requestId" | "route">,
  secrets: readonly string[],
  numbers: Pick<Numbers, "replied">,
): Observer {
  return {
    failed: (error) => logIfOurs({ ...about, status: 200, error }, secrets),
    upstreamFailed: (error, place) => logUpstreamFailure({ ...about, place, error }, secrets),
    dropped: (fields) => logDropped({ ...about, fields }),
    budget: (news) => logBudget({ requestId: about.requestId, tenant: about.tenant, ...news }),
    replied(report) {
      logReply(report);
      numbers.replied(report);
    },
  };
}
