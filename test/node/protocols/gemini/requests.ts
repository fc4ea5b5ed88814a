import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import type { ReadRequest, Target } from "../../../../src/protocols/protocol.ts";
import { refusalOf } from "../refusal.ts";

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
  return refusalOf(() => read(fields));
}
