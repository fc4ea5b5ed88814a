import { fail } from "../errors.ts";
import { metricsText } from "../telemetry/metrics-text.ts";
import { inTime } from "../tenants/in-time.ts";
import { OWN_OBJECT } from "../tenants/tenant-object.ts";
import type { Call } from "./handlers.ts";

const UNBOUND = {
  kind: "not-configured",
  message: "Numbers are kept in Durable Objects, and this Worker has no binding named TENANT_OBJECTS.",
} as const;

/**
 * A tenant's numbers in Prometheus' text format (docs/metrics.md).
 * @throws GatewayFailure `unknown-path` where that is not wanted, `not-configured` where nothing can be counted, `store-failed` where its object cannot be asked
 */
export async function showMetrics({ config, bindings }: Call): Promise<Response> {
  const tenant = config.tenant ?? OWN_OBJECT;
  if (!config.metrics) fail({ kind: "unknown-path", message: "Nothing is counted here: METRICS, or metrics, is off." });
  const object = bindings.tenantObjects?.getByName(tenant) ?? fail(UNBOUND);
  const tallies = await inTime(object.counted()).catch((thrown) =>
    fail({ kind: "store-failed", detail: `counts: ${thrown}` }),
  );
  return new Response(metricsText(tenant, tallies), {
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  });
}
