import { describe, expect, test } from "vitest";
import { readChatStream } from "../../wires/chat.ts";
import { readGeminiArray, readGeminiStream } from "../../wires/gemini.ts";
import { readMessagesStream } from "../../wires/messages.ts";
import { readResponsesStream } from "../../wires/responses.ts";
import type { WireStream } from "../../wires/wire-reply.ts";
import { CHAT, GEMINI, GEMINI_ARRAY, MESSAGES, RESPONSES } from "./good-streams.ts";

/** A reader is worth what it refuses: each of these lost somebody a reply (docs/wires.md). */
interface Reader {
  name: string;
  good: string;
  read(body: string): WireStream;
  /** What is bent, and how: a text of the good stream, and what stands there instead. */
  bent: [what: string, from: string | RegExp, to: string][];
}

const A = "A".repeat(24);
const framing: Reader["bent"] = [
  ["no blank line at the end", /\n\n$/, "\n"],
  ["CR LF", "\n", "\r\n"],
  ["an extra blank line", "\n\n", "\n\n\n"],
  ["no blank behind the colon", "data: {", "data:{"],
  ["broken JSON", "}\n\n", "\n\n"],
  ["a comment", "data: ", ": hello\n\ndata: "],
  ["nothing", /^[\s\S]+$/, ""],
];

const readers: Reader[] = [
  {
    name: "chat",
    good: CHAT,
    read: readChatStream,
    bent: [
      ...framing,
      ["no role", '"role":"assistant",', ""],
      ["an event type", "data: ", "event: chunk\ndata: "],
      ["no finish", /data: .*"delta":\{\}.*\n\n/, ""],
      ["a second finish", /(data: .*"delta":\{\}.*\n\n)/, "$1$1"],
      ["no [DONE]", "data: [DONE]\n\n", ""],
      ["something behind [DONE]", "data: [DONE]\n\n", "data: [DONE]\n\ndata: {}\n\n"],
      ["another id", `"chatcmpl-${A}","object":"chat.completion.chunk","created":1`, '"chatcmpl-B","created":1'],
      ["a call without an index", '"index":0,"id"', '"id"'],
      ["a call that begins at 1", '"tool_calls":[{"index":0,"id"', '"tool_calls":[{"index":1,"id"'],
      ["a call without a type", '"type":"function",', ""],
      ["a call without an id", `"id":"call_${A}",`, ""],
      ["an id in every delta", '{"index":0,"function"', '{"index":0,"id":"x","function"'],
      ["arguments that are no JSON", '"arguments":"{', '"arguments":"'],
      ["arguments that are no object", '{\\"city\\":\\"Paris\\"}', "[1]"],
      ["an empty delta", '"content":"Check"', '"content":""'],
      ["two things in a delta", '"content":"Check"', '"content":"Check","reasoning_content":"a"'],
      ["usage that does not add up", '"total_tokens":21', '"total_tokens":20'],
    ],
  },
  {
    name: "responses",
    good: RESPONSES,
    read: readResponsesStream,
    bent: [
      ...framing,
      ["no event type", "event: response.in_progress\n", ""],
      ["another event type", "event: response.in_progress", "event: response.queued"],
      ["an unknown event", "response.in_progress", "response.progress"],
      ["a number left out", '"sequence_number":3', '"sequence_number":4'],
      ["[DONE]", /$/, "data: [DONE]\n\n"],
      ["no created", /event: response.created\n.*\n\n/, ""],
      ["no item.done", /event: response.output_item.done\n.*\n\n/, ""],
      ["no part.added", /event: response.content_part.added\n.*\n\n/, ""],
      ["no text.done", /event: response.output_text.done\n.*\n\n/, ""],
      ["no arguments.done", /event: response.function_call_arguments.done\n.*\n\n/, ""],
      ["no completed", /event: response.completed\n.*\n\n/, ""],
      ["a done text that is another one", '"text":"Checking.","logprobs":[]}\n', '"text":"Checkin","logprobs":[]}\n'],
      ["an item at another place", '"output_index":1,"item"', '"output_index":2,"item"'],
      [
        "a delta of another item",
        `"item_id":"fc_${A}","output_index":1,"delta"`,
        '"item_id":"x","output_index":1,"delta"',
      ],
      ["an item whose id changes", `"item":{"type":"message","id":"msg_${A}"`, '"item":{"type":"message","id":"msg_B"'],
      ["a call without a call_id", `"call_id":"call_${A}",`, ""],
      ["completed without its items", /"output":\[\{.*\],"parallel/, '"output":[],"parallel'],
      ["completed without usage", /"usage":\{.*\}\}\}/, '"usage":null}}'],
      ["half of usage", '"output_tokens_details":{"reasoning_tokens":0},', ""],
      ["a text without annotations", '"annotations":[],', ""],
    ],
  },
  {
    name: "messages",
    good: MESSAGES,
    read: readMessagesStream,
    bent: [
      ...framing,
      ["no event type", "event: content_block_stop\n", ""],
      ["an SSE comment", "event: ping", ": keep-alive\n\nevent: ping"],
      [
        "a ping before the message",
        "event: message_start",
        'event: ping\ndata: {"type":"ping","x":1}\n\nevent: message_start',
      ],
      ["no message_start", /event: message_start\n.*\n\n/, ""],
      ["no message_delta", /event: message_delta\n.*\n\n/, ""],
      ["no message_stop", /event: message_stop\n.*\n\n/, ""],
      ["a block that is not stopped", /event: content_block_stop\n.*\n\n/, ""],
      ["every block at 0", /"index":1/g, '"index":0'],
      ["a delta for another block", '"index":1,"delta"', '"index":0,"delta"'],
      ["a delta of another type", '"type":"text_delta","text"', '"type":"thinking_delta","thinking"'],
      ["a whole input at the start", '"input":{}', '"input":{"city":"Paris"}'],
      ["input that is no JSON", '"partial_json":"{', '"partial_json":"'],
      ["an empty text block", /event: content_block_delta\ndata: .*"text_delta".*\n\n/g, ""],
      ["a block of white space", /"(Check|ing\.)"/g, '" "'],
      ["no usage at the start", /,"usage":\{"input_tokens.*?\}/, ""],
      ["no usage at the end", ',"usage":{"output_tokens":9}', ""],
      ["tokens counted twice", '"output_tokens":0', '"output_tokens":9'],
      ["an unknown stop reason", '"stop_reason":"tool_use"', '"stop_reason":"tool_calls"'],
      ["a stop sequence that nothing hit", '"stop_sequence":null},"usage"', '"stop_sequence":"x"},"usage"'],
    ],
  },
  {
    name: "gemini",
    good: GEMINI,
    read: readGeminiStream,
    bent: [
      ...framing,
      ["an event type", "data: ", "event: chunk\ndata: "],
      ["[DONE]", /$/, "data: [DONE]\n\n"],
      ["a keep-alive", "data: ", ": keep-alive\n\ndata: "],
      ["no role", '"role":"model",', ""],
      ["no parts", '[{"text":"Check"}]', "[]"],
      ["an empty text", '"text":"Check"', '"text":""'],
      ["no finish", '"finishReason":"STOP",', ""],
      ["a finish before the end", '[{"text":"Check"}]}', '[{"text":"Check"}]},"finishReason":"STOP"'],
      ["no usage", /"usageMetadata":\{.*?\},/, ""],
      ["usage that does not add up", '"totalTokenCount":21', '"totalTokenCount":20'],
      ["arguments as text", '"args":{"city":"Paris"}', '"args":"{}"'],
      ["a call without an id", `"id":"call_${A}",`, ""],
      ["text beside a call", '[{"functionCall"', '[{"text":"a","functionCall"'],
      ["another identity", '"responseId":"r"', '"responseId":"s"'],
      ["an error whose code is text", /$/, 'data: {"error":{"code":"503","message":"m","status":"UNAVAILABLE"}}\n\n'],
    ],
  },
  {
    name: "gemini, as an array",
    good: GEMINI_ARRAY,
    read: readGeminiArray,
    bent: [
      ["no end", /\]$/, ""],
      ["a comma too much", /\]$/, ",\n]"],
      ["events", "[", "data: ["],
    ],
  },
];

describe.each(readers)("the reader of $name", ({ good, read, bent }) => {
  test("reads what the wire's description says", () => {
    const { events: _, ...reply } = read(good);
    const call = { id: expect.stringMatching(/^\w+_A{24}$/), name: "get_weather", arguments: '{"city":"Paris"}' };
    expect(reply).toEqual({
      text: "Checking.",
      reasoning: "",
      calls: [call],
      parts: [
        { type: "text", text: "Checking." },
        { type: "call", call },
      ],
      finish: "tool_calls",
      usage: { input: 12, output: 9 },
      error: undefined,
      openCall: undefined,
    });
  });

  test.each(bent)("refuses %s", (_what, from, to) => {
    const body = good.replace(from, to);
    expect(body, "nothing was bent").not.toBe(good);
    expect(() => read(body)).toThrow();
  });
});
