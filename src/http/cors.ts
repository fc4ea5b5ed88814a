/**
 * Lets a web page read an answer when its origin is, to the letter, one of those configured. Never with credentials:
 * keys go in headers, and no cookie means anything here.
 *
 * @param headers of the answer; its `allow` names the methods in the answer to a preflight
 */
export function allowOrigin(request: Request, headers: Headers, origins: readonly string[]): void {
  // Always: that there are some is nobody's business either.
  headers.append("vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin === null || !origins.includes(origin)) return;
  headers.set("access-control-allow-origin", origin);
  headers.set(
    "access-control-expose-headers",
    "x-request-id, request-id, x-gateway-warning, x-toolcall-dialect, x-toolcall-rollout, x-toolcall-report, x-should-retry, retry-after",
  );
  if (request.method !== "OPTIONS") return;
  headers.set("access-control-allow-methods", headers.get("allow") ?? "");
  headers.set("access-control-max-age", "86400");
  // SDKs send headers of their own with every version.
  const asked = request.headers.get("access-control-request-headers");
  if (asked !== null) headers.set("access-control-allow-headers", asked);
}
