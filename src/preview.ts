import { createEgress } from "./stream/egress.ts";
import { type Asked, createUpstream, makePlan } from "./upstream-access.ts";

/** What would go upstream, for an operator to look at; nothing does. */
export function preview(asked: Omit<Asked, "observer">): Response {
  const plan = makePlan(asked);
  const upstream = createUpstream({ ...asked, observer: { dropped() {} } }, plan, createEgress({ hops: asked.hops }));
  return Response.json({
    dialect: plan.told ?? null,
    prompt_tokens: plan.promptTokens(),
    warnings: plan.warnings,
    upstream_kind: asked.config.upstream.kind,
    upstream_request: upstream.body(plan.upstream),
  });
}
