import { exports } from "cloudflare:workers";
import OpenAI from "openai";
import { inject, type MockInstance, vi } from "vitest";
import { connectUpstream } from "../scripted-upstream/control.ts";

/** A model of the scripted upstream, which the Worker under test has as its own. */
export const scriptedModel = connectUpstream(inject("upstream"));

export const ORIGIN = "http://gateway.example";

/** For an SDK that takes a fetch of its own. */
export const workerFetch: typeof fetch = (input, init) => exports.default.fetch(input, init);

/** Sends a request to the Worker; with its key unless it brings headers of its own. */
export function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: "Bearer test-key" };
  return exports.default.fetch(new URL(path, ORIGIN), { method, headers, ...init });
}

/** The official SDK, talking to the Worker; it repeats nothing unless told to. */
export function client(options: { apiKey?: string; maxRetries?: number } = {}): OpenAI {
  return new OpenAI({
    apiKey: "test-key",
    baseURL: `${ORIGIN}/v1`,
    maxRetries: 0,
    fetch: workerFetch,
    ...options,
  });
}

/** What the Worker logs from here on: it runs in the same isolate as the tests do. */
export function captureLog(): MockInstance<typeof console.log> {
  return vi.spyOn(console, "log").mockImplementation(() => {});
}

/** The lines of a log that tell what went wrong, those on replies apart. */
export function faultsIn(log: MockInstance<typeof console.log>): string[] {
  return log.mock.calls.map(([line]) => String(line)).filter((line) => JSON.parse(line).event !== "reply");
}
