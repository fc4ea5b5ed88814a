import { GatewayFailure } from "../../../../src/errors.ts";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import type { ReadRequest, Target } from "../../../../src/protocols/protocol.ts";

/** What a path such as `/v1beta/models/m:generateContent?alt=sse` says. */
export function targetOf(path: string): Target {
  const { pathname, searchParams } = new URL(path, "http://gateway.example");
  const [, model = "", method = ""] = /models\/(.*):(\w+)$/.exec(pathname) ?? [];
  return { model, method, query: searchParams };
}

const MINIMAL = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };

export function read(fields: object, path = "/v1beta/models/m:generateContent"): ReadRequest {
  return gemini.readRequest({ ...MINIMAL, ...fields }, targetOf(path));
}

/** The error that a request ends in. */
export function refusal(fields: object): unknown {
  return failureOf(() => read(fields));
}

export function failureOf(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (thrown) {
    return thrown instanceof GatewayFailure ? thrown.error : thrown;
  }
  return "read";
}
