import type { Conversation } from "../../conversation.ts";
import type { FinishReason, Reply, ReplyEvent, Usage } from "../../reply.ts";
import { type ArgumentsReader, AS_JSON, createFreeformReader, freeformNames } from "../openai/freeform.ts";
import type { RenderContext, Renderer } from "../protocol.ts";
import { errorBody } from "./errors.ts";

const FINISH_REASONS: { readonly [K in FinishReason]: string } = {
  stop: "stop",
  tool: "tool_calls",
  length: "length",
  filter: "content_filter",
  context: "length",
};

/** The call that arguments belong to. */
interface OpenCall {
  /** All that stands before the JSON string of a piece. */
  head: string;
  reader: ArgumentsReader;
}

/**
 * Chat Completions. What is the same in every chunk is written once: a delta costs the JSON string of its own text and a
 * concatenation.
 */
export function createRenderer(
  conversation: Conversation,
  options: { includeUsage: boolean },
  context: RenderContext,
): Renderer {
  const freeform = freeformNames(conversation.tools);
  const { expose } = conversation.reasoning;
  const id = `chatcmpl-${context.randomId()}`;
  const { created } = context;
  const { model } = conversation;
  const identity = JSON.stringify({ id, object: "chat.completion.chunk", created, model });
  const opening = `data: ${identity.slice(0, -1)},"choices":[`;
  const delta = `${opening}{"index":0,"delta":`;
  const tail = ',"logprobs":null,"finish_reason":null}]}\n\n';
  const textHead = `${delta}{"content":`;
  const textTail = `}${tail}`;
  const reasoningHead = `${delta}{"reasoning_content":`;
  const callTail = `}}]}${tail}`;
  let call: OpenCall | undefined;
  let usage: Usage | undefined;

  function startCall(index: number, id: string, name: string): string {
    const start = `${delta}{"tool_calls":[{"index":${index},`;
    const [type, piece] = freeform.has(name) ? ["custom", "input"] : ["function", "arguments"];
    call = { head: `${start}"${type}":{"${piece}":`, reader: freeform.has(name) ? createFreeformReader() : AS_JSON };
    const named = `"id":${JSON.stringify(id)},"type":"${type}","${type}":{"name":${JSON.stringify(name)}`;
    return `${start}${named},"${piece}":""${callTail}`;
  }

  function writePiece(piece = ""): string {
    return call && piece !== "" ? call.head + JSON.stringify(piece) + callTail : "";
  }

  function finish(reason: FinishReason): string {
    const last = `${delta}{},"logprobs":null,"finish_reason":"${FINISH_REASONS[reason]}"}]}\n\n`;
    const counts = options.includeUsage && usage ? `${opening}],"usage":${JSON.stringify(usageBody(usage))}}\n\n` : "";
    return `${last}${counts}data: [DONE]\n\n`;
  }

  return {
    contentType: "text/event-stream; charset=utf-8",
    start: () => `${delta}{"role":"assistant","content":""}${tail}`,
    event(event: ReplyEvent) {
      switch (event.type) {
        case "text":
          return textHead + JSON.stringify(event.text) + textTail;
        case "reasoning":
          return expose ? reasoningHead + JSON.stringify(event.text) + textTail : "";
        case "call-start":
          return startCall(event.index, event.id, event.name);
        case "call-arguments":
          return writePiece(call?.reader.push(event.json));
        case "call-end":
          return writePiece(call?.reader.end());
        case "usage":
          usage = event.usage;
          return "";
        case "finish":
          return finish(event.reason);
        case "error":
          // No finish and no [DONE]: they would tell the client that the answer is whole.
          return `data: ${JSON.stringify(errorBody(event.error))}\n\n`;
        default:
          return event satisfies never;
      }
    },
    bearsComments: true,
    heartbeat: () => ": keep-alive\n\n",
    body(reply) {
      const message = messageBody(reply, freeform, expose);
      const finish_reason = FINISH_REASONS[reply.finish?.reason ?? "stop"];
      return {
        id,
        object: "chat.completion",
        created,
        model,
        choices: [{ index: 0, message, logprobs: null, finish_reason }],
        ...(reply.usage && { usage: usageBody(reply.usage) }),
      };
    },
  };
}

function messageBody(reply: Reply, freeform: ReadonlySet<string>, expose: boolean): object {
  const calls = reply.calls.map((call) => callBody(call, freeform.has(call.name)));
  return {
    role: "assistant",
    content: reply.text === "" && calls.length > 0 ? null : reply.text,
    refusal: null,
    ...(expose && reply.reasoning !== "" && { reasoning_content: reply.reasoning }),
    // An empty list breaks clients that take its presence for calls.
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function callBody(call: Reply["calls"][number], freeform: boolean): object {
  const { id, name } = call;
  if (!freeform) return { id, type: "function", function: { name, arguments: call.arguments } };
  const reader = createFreeformReader();
  return { id, type: "custom", custom: { name, input: reader.push(call.arguments) + reader.end() } };
}

function usageBody(usage: Usage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
  };
}
