import { expect } from "vitest";
import { createCursor, readEvents, readJson } from "./events.ts";
import { readOpenAiError } from "./openai-error.ts";
import { expectItem, givenTo, type Item, partOf, readItem, type StreamedItem } from "./responses-items.ts";
import { refusal, toReply, type WireFinish, type WireReply, type WireStream } from "./wire-reply.ts";

interface Response {
  id: string;
  object: string;
  created_at: number;
  model: string;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  error: { code: string; message: string } | null;
  incomplete_details: { reason: "max_output_tokens" | "content_filter" } | null;
  output: Item[];
  usage: Usage | null;
}

interface Usage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

type Lifecycle = { response: Response };

/**
 * Reads a whole event stream of the Responses API (docs/wires.md): numbered from 0 without a gap, created and
 * in_progress first, items one after another, each added → its deltas → done, one terminal event whose response repeats
 * them. Nothing else may stand anywhere: the openai SDK throws at an event that it does not know.
 */
export function readResponsesStream(body: string): WireStream {
  const events = readEvents<{ sequence_number: number }>(body, { named: true, keepAlive: ": keep-alive" });
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const cursor = createCursor(events, "response.");
  const { response: created } = cursor.take<Lifecycle>("created");
  expectResponse(created);
  expect(created).toMatchObject({ status: "in_progress", output: [], error: null, incomplete_details: null });
  expect(cursor.take<Lifecycle>("in_progress").response).toEqual(created);

  const items: StreamedItem[] = [];
  while (cursor.next() === "output_item.added") items.push(readItem(cursor, items.length));
  const status = cursor.next() ?? "";
  expect(["completed", "incomplete", "failed"], "what ends the stream").toContain(status);
  const { response } = cursor.take<Lifecycle>(status);
  cursor.end();
  expect(response.status).toBe(status);
  expect([response.id, response.created_at, response.model]).toEqual([created.id, created.created_at, created.model]);

  const done = items.flatMap(({ item, ended }) => (ended ? [item] : []));
  const open = items.find(({ ended }) => !ended)?.item;
  if (open) expect(open, "only the last item may stay open").toBe(items.at(-1)?.item);
  const openCall = open && "call_id" in open ? { name: open.name, arguments: givenTo(open) } : undefined;
  if (status === "failed") {
    expectItems(done);
    const said = open && !("call_id" in open) ? [...done, open] : done;
    return { ...toReply(said.map(partOf), { ...failureOf(response), openCall }), events };
  }
  if (open)
    expect([openCall !== undefined, status], "only a call stays open, at a limit").toEqual([true, "incomplete"]);
  expect(response.output, "the items as they were done").toEqual(done);
  const last = items.at(-1)?.item;
  if (last?.type === "message") expect(last.status, "a text is cut where the reply is").toBe(status);
  return { ...readResponse(response), openCall, events };
}

/** Reads the answer to a request that does not stream, or a refusal. */
export function readResponsesBody(body: string): WireReply {
  const response = readJson<Response>(body);
  return response.object === "response" ? readResponse(response) : refusal(readOpenAiError(response.error ?? {}));
}

/** A response that came to its end, or to its limit. */
function readResponse(response: Response): WireReply {
  const { status, output, incomplete_details: details, usage } = response;
  expectResponse(response);
  expect(["completed", "incomplete"]).toContain(status);
  expect(response.error).toBe(null);
  expect(details === null, "why it is incomplete").toBe(status === "completed");
  expectItems(output);
  for (const [index, { status: ended = "completed" }] of output.entries()) {
    expect([index === output.length - 1 && status, "completed"], "the status of an item").toContain(ended);
  }
  // Codex cannot read a response without usage, or with half of it.
  return toReply(output.map(partOf), { finish: finishOf(response), usage: usage ? readUsage(usage) : noUsage() });
}

/** All that OpenAI's own description of a response requires (docs/wires.md). */
function expectResponse(response: Response) {
  expect(response).toMatchObject({
    id: expect.stringMatching(/^resp_\w{24,}$/),
    object: "response",
    created_at: expect.any(Number),
    model: expect.any(String),
    output: expect.any(Array),
    tools: expect.any(Array),
    parallel_tool_calls: expect.any(Boolean),
    metadata: expect.any(Object),
    store: false,
    text: { format: { type: expect.any(String) } },
  });
  const nullable = ["error", "incomplete_details", "instructions", "temperature", "tool_choice", "top_p"];
  for (const key of nullable) expect(response).toHaveProperty(key);
  expect(response, "what SDKs add themselves").not.toHaveProperty("output_text");
}

function expectItems(output: readonly Item[]) {
  for (const item of output) expectItem(item, output);
  const ids = output.flatMap((item) => ("call_id" in item ? [item.id, item.call_id] : [item.id]));
  expect(new Set(ids).size, "no id is there twice").toBe(ids.length);
}

/** The wire has no finish of its own for calls: clients look whether there are any. */
function finishOf({ output, incomplete_details: details }: Response): WireFinish {
  if (details) return details.reason === "content_filter" ? "content_filter" : "length";
  return output.some((item) => "call_id" in item) ? "tool_calls" : "stop";
}

function failureOf({ error, usage }: Response) {
  const { code, message } = error ?? { code: "", message: "" };
  expect([code, message], "why it failed").not.toContain("");
  return { finish: undefined, error: { code, message }, usage: usage ? readUsage(usage) : undefined };
}

function readUsage(usage: Usage) {
  const { input_tokens: input, output_tokens: output } = usage;
  expect(usage).toEqual({
    input_tokens: expect.any(Number),
    input_tokens_details: { cached_tokens: expect.any(Number) },
    output_tokens: expect.any(Number),
    output_tokens_details: { reasoning_tokens: expect.any(Number) },
    total_tokens: input + output,
  });
  return { input, output };
}

function noUsage(): never {
  return expect.fail("a response has its usage");
}
