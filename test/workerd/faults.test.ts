import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/conversation.ts";
import faultsFile from "../cases/faults.jsonl?raw";
import { type ChatReply, type ChatStream, readChatBody, readChatStream } from "../chat-reply.ts";
import { jsonLines } from "../json-lines.ts";
import { type Script, says } from "../scripted-upstream/script.ts";
import { captureLog, scriptedModel, send } from "./gateway.ts";

captureLog();

/** A line of faults.jsonl, as far as it is about the way from an upstream's bytes to a Chat client's. */
interface Fault {
  id: string;
  runner: string;
  dialect: string;
  tools: { name: string; parameters: JsonSchema }[];
  /** What the model says, or in runner `sse` the upstream's whole body. */
  input: string;
  sse?: string;
  reasoning?: string;
  content_type?: string;
  upstream_finish?: string;
  client_options?: object;
  request?: { protocol: string; body: object };
  ws?: "exact";
  ws_free?: boolean;
  expect: {
    calls: { name: string; arguments: object }[];
    text: string;
    reasoning?: string;
    finish: string;
    error_signalled?: boolean;
    each_delta_well_formed?: boolean;
    usage?: { input: number; output: number };
    wire?: { openai_chat?: WireChecks };
    status?: number;
    upstream?: UpstreamChecks;
  };
}

/** The checks that are not asked of every Chat stream (`chat-reply.ts`): roles, ids and the form of deltas are. */
interface WireChecks {
  indexes?: number[];
  finish_reason?: string;
  content?: null;
  usage_chunk_choices?: [];
  usage_chunks?: number;
}

/** What the history in the prompt that went upstream has to be like. */
interface UpstreamChecks {
  contains?: string[];
  not_contains?: string[];
  history_round_trip?: { name: string; arguments: object }[];
}

const faults = jsonLines<Fault>(faultsFile).filter(({ dialect }) => dialect === "canonical");
const ofRunner = (runner: string) => faults.filter((fault) => fault.runner === runner);

/** Bytes of one write of the upstream's, or characters of one delta: all of them, some, one. */
const SIZES = [100_000, 7, 1];

test.each(ofRunner("sse").flatMap((fault) => SIZES.map((bytes) => ({ ...fault, bytes }))))(
  "$id, the upstream's body in writes of up to $bytes bytes",
  async ({ bytes, ...fault }) => {
    const { sse = "", content_type = "text/event-stream" } = fault;
    await settle(fault, { headers: { "content-type": content_type }, steps: [{ send: sse, bytes }] });
  },
);

test.each(ofRunner("render").flatMap((fault) => SIZES.map((size) => ({ ...fault, size }))))(
  "$id, in deltas of up to $size characters",
  async ({ size, ...fault }) => {
    const { reasoning, upstream_finish: finish = "stop" } = fault;
    await settle(fault, says(fault.input, { size, finish, ...(reasoning && { reasoning }) }));
  },
);

test.each(ofRunner("request").filter(({ request }) => request?.protocol === "openai_chat"))("$id", async (fault) => {
  const model = await scriptedModel(says(fault.input));
  const body = JSON.stringify({ model: model.name, ...fault.request?.body });
  const response = await send("POST", "/v1/chat/completions", { body });
  expect(response.status).toBe(fault.expect.status);
  judge(readChatBody(await response.json()), fault);

  const [request] = await model.requests();
  const history = (request?.body.messages ?? []).filter(({ role }) => role !== "system");
  const prompt = history.map(({ content }) => content).join("\n");
  const { contains = [], not_contains = [], history_round_trip: calls } = fault.expect.upstream ?? {};
  for (const text of contains) expect(prompt).toContain(text);
  for (const text of not_contains) expect(prompt).not.toContain(text);
  if (calls) await roundTrip(history.find(({ role }) => role === "assistant")?.content ?? "", fault);
});

/** What the model is shown as its own earlier call is what it would have to write for that call. */
async function roundTrip(shown: string, { request, expect: { upstream } }: Fault) {
  const model = await scriptedModel(says(shown));
  const body = JSON.stringify({ model: model.name, ...request?.body });
  const { calls } = readChatBody(await (await send("POST", "/v1/chat/completions", { body })).json());
  expect(withValues(calls)).toEqual(upstream?.history_round_trip);
}

const withValues = (calls: ChatReply["calls"]) =>
  calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));

/** The reply to this upstream's answer, as a stream and as one body. */
async function settle(fault: Fault, script: Script) {
  const model = await scriptedModel(script);
  const request = {
    model: model.name,
    messages: [{ role: "user", content: "Go." }],
    tools: fault.tools.map((tool) => ({ type: "function", function: tool })),
    ...fault.client_options,
  };
  const ask = (more: object) => send("POST", "/v1/chat/completions", { body: JSON.stringify({ ...request, ...more }) });

  const stream = readChatStream(await (await ask({ stream: true })).text());
  judge(stream, fault);
  judgeStream(stream, fault.expect);

  const response = await ask({ stream: false });
  if (fault.expect.error_signalled) expect(response.status).toBe(502);
  else judge(readChatBody(await response.json()), fault);
}

function judge(reply: ChatReply, { ws, ws_free, expect: wanted }: Fault) {
  const blanks = (text: string) =>
    ws === "exact" ? text : ws_free ? text.replace(/\s+/g, "") : text.replace(/\s+/g, " ").trim();
  expect(blanks(reply.content)).toBe(blanks(wanted.text));
  expect(withValues(reply.calls)).toEqual(wanted.calls);
  expect(reply.error ? "error" : reply.finish).toBe(wanted.finish);
  if (wanted.reasoning !== undefined) expect(reply.reasoning).toBe(wanted.reasoning);
  if (!wanted.usage) return;
  const { input, output } = wanted.usage;
  expect(reply.usage).toMatchObject({ prompt_tokens: input, completion_tokens: output });
}

function judgeStream({ deltas, error, usageChunks, ...stream }: ChatStream, wanted: Fault["expect"]) {
  expect(error !== undefined).toBe(wanted.error_signalled ?? false);
  for (const delta of deltas) {
    const piece = delta.content ?? delta.reasoning_content ?? delta.tool_calls?.[0].function.arguments ?? "";
    expect(piece.isWellFormed()).toBe(true);
  }
  const checks = wanted.wire?.openai_chat ?? {};
  const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
  if (checks.indexes) expect([...new Set(calls.map(({ index }) => index))]).toEqual(checks.indexes);
  if (checks.finish_reason) expect(stream.finish).toBe(checks.finish_reason);
  if (checks.content === null) expect(stream.content).toBe("");
  if (checks.usage_chunks) expect(usageChunks).toHaveLength(checks.usage_chunks);
  if (checks.usage_chunk_choices) {
    expect(usageChunks.map(({ choices }) => choices)).toEqual(usageChunks.map(() => checks.usage_chunk_choices));
  }
}
