import type { Conversation } from "../../conversation.ts";
import type { FinishReason, Reply, ReplyEvent, Usage } from "../../reply.ts";
import { type ArgumentsReader, AS_JSON, createFreeformReader, freeformNames } from "../openai/freeform.ts";
import type { RenderContext, Renderer } from "../protocol.ts";
import { failedResponseError } from "./errors.ts";
import { createEventWriter } from "./events.ts";
import { customToolCall, functionCall, type ItemKind, MESSAGE, REASONING } from "./items.ts";
import { createOutput } from "./output.ts";
import type { ToolNames } from "./tools.ts";

/** A response's status, which its last event is named after and an item that it ends takes over. */
const ENDINGS: { readonly [K in FinishReason]: { status: "completed" | "incomplete"; cause?: string } } = {
  stop: { status: "completed" },
  tool: { status: "completed" },
  length: { status: "incomplete", cause: "max_output_tokens" },
  context: { status: "incomplete", cause: "max_output_tokens" },
  filter: { status: "incomplete", cause: "content_filter" },
};

/** The call that arguments belong to. */
interface OpenCall {
  kind: ItemKind;
  reader: ArgumentsReader;
}

/** Responses. One machine of items makes the stream and, its events thrown away, the one body. */
export function createRenderer(
  conversation: Conversation,
  request: { names: ToolNames; echo: object },
  context: RenderContext,
): Renderer {
  const freeform = freeformNames(conversation.tools);
  const { expose } = conversation.reasoning;
  const id = `resp_${context.randomId()}`;
  const events = createEventWriter();
  const output = createOutput(events, context.randomId);
  let answered = false;
  let call: OpenCall | undefined;
  let usage: Usage | undefined;

  function say(kind: ItemKind, text: string): string {
    answered ||= kind !== REASONING;
    return output.say(kind, text);
  }

  function startCall(callId: string, shown: string): string {
    const called = request.names.client(shown);
    call = freeform.has(shown)
      ? { kind: customToolCall(callId, called), reader: createFreeformReader() }
      : { kind: functionCall(callId, called), reader: AS_JSON };
    return say(call.kind, "");
  }

  function continueCall(json: string): string {
    return call ? say(call.kind, call.reader.push(json)) : "";
  }

  function endCall(): string {
    const rest = call ? say(call.kind, call.reader.end()) : "";
    call = undefined;
    return rest + output.end("completed");
  }

  /** Agents wait for a message where there is no call. A call that broke off stays open (sieve.md T3). */
  function endItems(reason: FinishReason): string {
    const message = answered ? "" : say(MESSAGE, "");
    return message + (call ? "" : output.end(ENDINGS[reason].status));
  }

  function response(status: string, more: object): object {
    const { items } = output;
    const { created: created_at } = context;
    const none = { error: null, incomplete_details: null, usage: null };
    return { id, object: "response", created_at, status, ...none, output: items, ...request.echo, ...more };
  }

  function finishedResponse(reason: FinishReason): object {
    const { status, cause } = ENDINGS[reason];
    return response(status, { usage: usageBody(usage), ...(cause && { incomplete_details: { reason: cause } }) });
  }

  function writeEvent(event: ReplyEvent): string {
    switch (event.type) {
      case "text":
        return say(MESSAGE, event.text);
      case "reasoning":
        return expose ? say(REASONING, event.text) : "";
      case "call-start":
        return startCall(event.id, event.name);
      case "call-arguments":
        return continueCall(event.json);
      case "call-end":
        return endCall();
      case "usage":
        usage = event.usage;
        return "";
      case "finish": {
        const closing = endItems(event.reason);
        const last = `response.${ENDINGS[event.reason].status}`;
        return closing + events.write(last, { response: finishedResponse(event.reason) });
      }
      case "error": {
        const error = failedResponseError(event.error);
        return events.write("response.failed", { response: response("failed", { error, usage: usageBody(usage) }) });
      }
      default:
        return event satisfies never;
    }
  }

  return {
    contentType: "text/event-stream; charset=utf-8",
    start() {
      const begun = { response: response("in_progress", {}) };
      return events.write("response.created", begun) + events.write("response.in_progress", begun);
    },
    event: writeEvent,
    bearsComments: true,
    heartbeat: () => ": keep-alive\n\n",
    body(reply) {
      for (const event of unfold(reply)) writeEvent(event);
      const reason = reply.finish?.reason ?? "stop";
      endItems(reason);
      return finishedResponse(reason);
    },
  };
}

/** A whole reply as the events that it was folded from, its end apart. */
function unfold({ parts, calls, openCall, usage }: Reply): ReplyEvent[] {
  let next = 0;
  const events = parts.flatMap((part): ReplyEvent[] => {
    if (part.type !== "call") return [part];
    const { id, name, arguments: json } = part.call;
    const index = next++;
    return [
      { type: "call-start", index, id, name },
      { type: "call-arguments", index, json },
      { type: "call-end", index },
    ];
  });
  if (openCall) events.push({ type: "call-start", index: calls.length, ...openCall });
  if (usage) events.push({ type: "usage", usage });
  return events;
}

/** Codex cannot read it where one of the details lacks its number. */
function usageBody({ input, cached = 0, output, reasoning = 0 }: Usage = { input: 0, output: 0 }): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
