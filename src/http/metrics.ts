import { fail } from "../errors.ts";
import { metricsText } from "../telemetry/metrics-text.ts";
import { inTime } from "../tenants/in-time.ts";
import { OWN_OBJECT } from "../tenants/tenant-object.ts";
import type { Call } from "./handlers.ts";

/**
 * A tenant's numbers in Prometheus' text format (docs/metrics.md).
 * @throws GatewayFailure `not-configured` where nothing is counted, `store-failed` where its object cannot be asked
 */
export async function showMetrics({ config, bindings }: Call): Promise<Response> {
  const tenant = config.tenant ?? OWN_OBJECT;
  const object = config.metrics ? bindings.tenantObjects?.getByName(tenant) : undefined;
  if (!object) fail({ kind: "not-configured", message: "Nothing is counted here: see METRICS and TENANT_OBJECTS." });
  const tallies = await inTime(object.counted()).catch((thrown) =>
    fail({ kind: "store-failed", detail: `counts: ${thrown}` }),
  );
  return new Response(metricsText(tenant, tallies), {
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  });
}
