import type { GatewayError } from "../errors.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { Tally } from "../tenants/count-keeper.ts";
import { inTime } from "../tenants/in-time.ts";
import { OWN_OBJECT, type TenantObjects } from "../tenants/tenant-object.ts";
import { type AnalyticsBinding, type DataPoint, pointOfError, pointsOf, writePoints } from "./analytics.ts";
import { tallyOf, tallyOfError } from "./counts.ts";
import { logUncounted } from "./log.ts";
import type { ReplyReport } from "./reply-report.ts";

/** Where what became of a request is added up: the tenant's object, and Analytics Engine, each where it is bound. */
export interface Numbers {
  replied(report: ReplyReport): void;
  /** A client that was let in was told of a failure. One that has a report is counted with it. */
  refused(wire: Protocol["name"], error: GatewayError): void;
}

interface NumbersParts {
  config: { readonly tenant?: string; readonly metrics: boolean };
  bindings: { readonly tenantObjects?: TenantObjects; readonly analytics?: AnalyticsBinding };
  requestId: string;
  /** Lets a promise come to its end though the request is over. */
  waitUntil(work: Promise<unknown>): void;
}

/** What operators ask for is nobody's traffic. */
export const UNCOUNTED: Numbers = { replied() {}, refused() {} };

/** Of one request. */
export function createNumbers({ config, bindings, requestId, waitUntil }: NumbersParts): Numbers {
  const { tenant, metrics } = config;
  const object = metrics ? bindings.tenantObjects?.getByName(tenant ?? OWN_OBJECT) : undefined;

  // No reply waits for it. It is short, and begun before the reply's end: behind that the platform may run nothing more.
  function add(tally: Tally, points: () => DataPoint[]) {
    if (object) waitUntil(inTime(object.count(tally)).catch(() => logUncounted({ requestId, tenant })));
    if (metrics && bindings.analytics) writePoints(bindings.analytics, points(), requestId);
  }

  let isReported = false;

  return {
    replied(report) {
      isReported = true;
      add(tallyOf(report), () => pointsOf(report));
    },
    refused(wire, error) {
      // What costs nothing to refuse must cost nothing to count (C17).
      if (isReported || TURNED_AWAY.has(error.kind)) return;
      add(tallyOfError(wire, error.kind), () => [pointOfError({ tenant, model: "", wire }, error.kind)]);
    },
  };
}

/** Refusals that are there to save work. */
const TURNED_AWAY: ReadonlySet<GatewayError["kind"]> = new Set([
  "unauthorized",
  "unknown-path",
  "gateway-busy",
  "rate-limited",
  "loop-detected",
]);
