import { expect } from "vitest";
import type { ReceivedRequest, Script } from "../scripted-upstream/script.ts";
import type { WireReply, WireStream } from "./wire-reply.ts";
import type { Wire } from "./wires.ts";

/** Sends a request to a gateway whose model answers as scripted; the tests bring the gateway that they run in. */
export type Ask = (wire: Wire, request: { stream: boolean; fields: object }, script: Script) => Promise<Answer>;

export interface Answer {
  status: number;
  contentType: string | null;
  body: string;
  /** What was sent to the model; undefined where the request was refused before. */
  upstream: ReceivedRequest["body"] | undefined;
}

/** The reader demands that the stream is one that clients can read. */
export function readStream(wire: Wire, { status, contentType, body }: Answer): WireStream {
  expect([status, contentType]).toEqual([200, wire.contentType]);
  return wire.readStream(body);
}

/** A refusal has a status of its own, and its body is read like that of a reply. */
export function readBody(wire: Wire, { status, contentType, body }: Answer): WireReply & { status: number } {
  expect(contentType).toMatch(/^application\/json\b/);
  const reply = wire.readBody(body);
  expect(reply.error !== undefined, `an error with status ${status}`).toBe(status >= 400);
  return { ...reply, status };
}
