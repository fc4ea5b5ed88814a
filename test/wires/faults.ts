import { expect } from "vitest";
import type { JsonObject } from "../../src/conversation.ts";
import faultsFile from "../cases/faults.jsonl?raw";
import { jsonLines } from "../json-lines.ts";
import { type Script, says } from "../scripted-upstream/script.ts";
import { type Ask, readBody, readStream } from "./ask.ts";
import { judgePrompt, ownWords, type PromptChecks } from "./prompt-checks.ts";
import type { RequestTool } from "./requests.ts";
import { judgeWire, type WireChecks } from "./wire-checks.ts";
import type { WireReply, WireStream } from "./wire-reply.ts";
import type { Wire } from "./wires.ts";

/** A line of faults.jsonl, as far as it is about the way from an upstream's bytes to a client's. */
export interface Fault {
  id: string;
  runner: string;
  dialect: string;
  tools: RequestTool[];
  /** What the model says, or in runner `sse` the upstream's whole body. */
  input: string;
  sse?: string;
  reasoning?: string;
  content_type?: string;
  upstream_finish?: string;
  request?: { protocol: string; body: object };
  ws?: "exact";
  ws_free?: boolean;
  expect: {
    calls: { name: string; arguments: JsonObject }[];
    text: string;
    reasoning?: string;
    finish: string;
    error_signalled?: boolean;
    each_delta_well_formed?: boolean;
    usage?: { input: number; output: number };
    /** By the wire's alias. */
    wire?: { [alias: string]: WireChecks };
    status?: number;
    upstream?: PromptChecks & {
      /** What the model is shown as its own earlier calls is what it would have to write for them. */
      history_round_trip?: { name: string; arguments: JsonObject }[];
    };
  };
}

/** In the notation that is taught, or given by an upstream that calls by itself. */
const faults = jsonLines<Fault>(faultsFile).filter(({ dialect }) => ["canonical", "native"].includes(dialect));
const ofRunner = (runner: string) => faults.filter((fault) => fault.runner === runner);

/** Bytes of one write of the upstream's, or characters of one delta: all of them, some, one. */
const SIZES = [100_000, 7, 1];

/** What the upstream sends, in pieces of each size. */
export const REPLIES: readonly { id: string; size: number; fault: Fault; script: Script }[] = [
  ...ofRunner("sse").map((fault) => ({ fault, scriptOf: (size: number) => sends(fault, size) })),
  ...ofRunner("render").map((fault) => ({ fault, scriptOf: (size: number) => tells(fault, size) })),
].flatMap(({ fault, scriptOf }) => SIZES.map((size) => ({ id: fault.id, size, fault, script: scriptOf(size) })));

function sends({ sse = "", content_type = "text/event-stream" }: Fault, bytes: number): Script {
  return { headers: { "content-type": content_type }, steps: [{ send: sse, bytes }] };
}

function tells({ input, reasoning, upstream_finish: finish = "stop" }: Fault, size: number): Script {
  return says(input, { size, finish, ...(reasoning && { reasoning }) });
}

/** What a client sends, in the words of its wire. */
export const REQUESTS = ofRunner("request");

/** The reply to this upstream's answer, as a stream and as one body. */
export async function judgeReply(ask: Ask, wire: Wire, fault: Fault, script: Script) {
  const request = { turns: [{ user: "Go." }], tools: fault.tools };
  const send = (stream: boolean) => ask(wire, { stream, fields: wire.write(request, stream) }, script);
  const streamed = await send(true);
  const whole = await send(false);
  if (fault.expect.error_signalled) {
    expect(readBody(wire, whole).status, "nothing is out: the status tells it").toBe(502);
    if (!wire.holdsBack) return judgeStream(readStream(wire, streamed), fault);
    expect(readBody(wire, streamed).status, "nothing is out here, either").toBe(502);
  } else {
    const stream = readStream(wire, streamed);
    judgeStream(stream, fault);
    judge(readBody(wire, whole), fault);
    judgeWire(wire.alias, { stream, json: JSON.parse(whole.body) }, fault.expect.wire?.[wire.alias] ?? {});
  }
}

/** A client's own request: how it is answered, and what of it the model gets to see. */
export async function judgeRequest(ask: Ask, wire: Wire, fault: Fault) {
  const fields = fault.request?.body ?? {};
  for (const stream of [true, false]) {
    const answer = await ask(wire, { stream, fields }, says(fault.input));
    expect(answer.status).toBe(fault.expect.status);
    judge(stream ? readStream(wire, answer) : readBody(wire, answer), fault);
    const { history_round_trip: written, ...checks } = fault.expect.upstream ?? {};
    const prompt = answer.upstream?.messages ?? [];
    judgePrompt(prompt, fault.tools, checks);
    if (!written) continue;
    const again = await ask(wire, { stream, fields }, says(ownWords(prompt)));
    expect(withValues(stream ? readStream(wire, again) : readBody(wire, again))).toEqual(written);
  }
}

function judgeStream(stream: WireStream, fault: Fault) {
  judge(stream, fault);
  expect(stream.error !== undefined).toBe(fault.expect.error_signalled ?? false);
  // P6: a client may write each delta as UTF-8 on its own.
  expect(JSON.stringify(stream.events), "half a character in a delta").not.toMatch(/\\ud[89a-f]/i);
}

function judge(reply: WireReply, { ws, ws_free, expect: wanted }: Fault) {
  const blanks = (text: string) =>
    ws === "exact" ? text : ws_free ? text.replace(/\s+/g, "") : text.replace(/\s+/g, " ").trim();
  expect(blanks(reply.text)).toBe(blanks(wanted.text));
  expect(withValues(reply)).toEqual(wanted.calls);
  expect(reply.finish).toBe(wanted.finish);
  if (wanted.reasoning !== undefined) expect(reply.reasoning).toBe(wanted.reasoning);
  if (wanted.usage) expect(reply.usage).toEqual(wanted.usage);
}

const withValues = ({ calls }: WireReply) =>
  calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));
