import { expect } from "vitest";
import { createCursor, readEvents, readJson } from "./events.ts";
import { type Block, partOf, readBlock, type StreamedBlock, wholeBlock } from "./messages-blocks.ts";
import { refusal, toReply, type WireError, type WireFinish, type WireReply, type WireStream } from "./wire-reply.ts";

interface Message {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: Block[];
  stop_reason: string | null;
  stop_sequence: string | null;
  usage: Usage;
}

interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
}

interface Refusal {
  type: "error";
  error: { type: string; message: string };
}

const FINISHES: { readonly [reason: string]: WireFinish } = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
};

/**
 * Reads a whole event stream of the Messages API (docs/wires.md): message_start, blocks one after another and numbered
 * from 0, message_delta and message_stop; or an error in the place where it happened.
 */
export function readMessagesStream(body: string): WireStream {
  const events = readEvents<{ type: string }>(body, {
    named: true,
    keepAlive: 'event: ping\ndata: {"type":"ping"}',
  });
  const cursor = createCursor(events);
  const { message } = cursor.take<{ message: Message }>("message_start");
  expectMessage(message);
  expect(message).toMatchObject({ content: [], stop_reason: null, stop_sequence: null });
  // Some clients add up what the start and the end of a message say.
  expect(message.usage.output_tokens).toBe(0);

  const blocks: StreamedBlock[] = [];
  while (cursor.next() === "content_block_start") blocks.push(readBlock(cursor, blocks.length));
  expect(
    blocks.slice(0, -1).filter(({ ended }) => !ended),
    "every block but the last is stopped",
  ).toEqual([]);
  if (cursor.next() === "error") {
    const error = readError(cursor.take<Refusal>("error"));
    cursor.end();
    return { ...toReplyOf(blocks, { finish: undefined, usage: undefined, error }), events };
  }
  const { delta, usage } = cursor.take<{ delta: Stop; usage: Partial<Usage> }>("message_delta");
  cursor.take("message_stop");
  cursor.end();
  expect(
    blocks.filter(({ ended }) => !ended),
    "every block is stopped",
  ).toEqual([]);
  expect(usage.output_tokens, "tokens of the answer").toEqual(expect.any(Number));
  const ending = { finish: finishOf(delta), usage: readUsage({ ...message.usage, ...usage }) };
  return { ...toReplyOf(blocks, ending), events };
}

/** Reads the answer to a request that does not stream, or a refusal. */
export function readMessagesBody(body: string): WireReply {
  const message = readJson<Message | (Refusal & { request_id: string })>(body);
  if (message.type === "error") {
    expect(message.request_id).toMatch(/^req_\w+$/);
    return refusal(readError(message));
  }
  expectMessage(message);
  const { finish, usage } = { finish: finishOf(message), usage: readUsage(message.usage) };
  return toReply(
    message.content.map((block) => partOf(wholeBlock(block))),
    { finish, usage },
  );
}

interface Stop {
  stop_reason: string | null;
  stop_sequence: string | null;
}

function finishOf({ stop_reason: reason, stop_sequence: sequence }: Stop): WireFinish {
  expect(Object.keys(FINISHES)).toContain(reason);
  expect(typeof sequence, "the stop sequence that was hit").toBe(reason === "stop_sequence" ? "string" : "object");
  return FINISHES[reason ?? ""] ?? "stop";
}

function expectMessage({ content, stop_reason: _reason, stop_sequence: _sequence, ...message }: Message) {
  expect(content).toEqual(expect.any(Array));
  expect(message).toMatchObject({
    id: expect.stringMatching(/^msg_\w{24,}$/),
    type: "message",
    role: "assistant",
    model: expect.any(String),
    usage: {
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: expect.any(Number),
    },
  });
}

/**
 * A call that was cut is stopped like every other block, as the vendor does it: only a limit, and JSON that is not whole,
 * tell that nobody may run it (decisions.md, "Wires").
 */
function toReplyOf(blocks: readonly StreamedBlock[], ending: Parameters<typeof toReply>[1]): WireReply {
  const last = blocks.at(-1);
  const cut = last?.start.type === "tool_use" && (ending.error ? !last.ended : isCut(last.text, ending.finish));
  if (!cut || last.start.type !== "tool_use") return toReply(blocks.map(partOf), ending);
  const openCall = { name: last.start.name, arguments: last.text };
  return toReply(blocks.slice(0, -1).map(partOf), { ...ending, openCall });
}

function isCut(json: string, finish: WireFinish | undefined): boolean {
  if (finish !== "length") return false;
  try {
    JSON.parse(json);
    return false;
  } catch {
    return true;
  }
}

/** `input_tokens` leaves out what came from a cache. */
function readUsage(usage: Usage) {
  return { input: usage.input_tokens + usage.cache_read_input_tokens, output: usage.output_tokens };
}

function readError({ error }: Refusal): WireError {
  // Details are there where one client wants them (docs/wires.md).
  expect(
    Object.keys(error)
      .filter((name) => name !== "details")
      .toSorted(),
  ).toEqual(["message", "type"]);
  return error;
}
