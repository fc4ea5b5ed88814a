import type { Conversation } from "../../conversation.ts";
import { parseExactJson } from "../../json.ts";
import type { FinishReason, Reply, ReplyEvent, Usage } from "../../reply.ts";
import type { RenderContext, Renderer } from "../protocol.ts";
import { errorBody } from "./errors.ts";

const FINISH_REASONS: { readonly [K in FinishReason]: string } = {
  stop: "STOP",
  tool: "STOP",
  length: "MAX_TOKENS",
  filter: "SAFETY",
  context: "MAX_TOKENS",
};

/**
 * How the responses of a stream stand behind each other. With events no comment, no event name and no `[DONE]`: readers
 * of this wire fail on them, or drop what stands beside them (docs/wires.md).
 */
interface Framing {
  contentType: string;
  start: string;
  /** Before the first response, and before any other. */
  first: string;
  next: string;
  after: string;
  end: string;
}

const EVENTS: Framing = {
  contentType: "text/event-stream; charset=utf-8",
  start: "",
  first: "data: ",
  next: "data: ",
  after: "\n\n",
  end: "",
};

const ARRAY: Framing = { contentType: "application/json", start: "[", first: "", next: ",\n", after: "", end: "]" };

type WirePart = { text: string; thought?: true } | { functionCall: { id: string; name: string; args: unknown } };

/**
 * Gemini's generateContent. One part is held back, so that the last one can carry the finish and the usage: a response
 * without parts makes the SDK's chat forget the whole turn, and one with an empty text is left out by agents
 * (docs/wires.md). A call is one whole part, collected until its end; what was held stays held meanwhile, since a call
 * that has no end is never shown.
 */
export function createRenderer(
  { model, reasoning }: Conversation,
  options: { sse: boolean },
  context: RenderContext,
): Renderer {
  const { expose } = reasoning;
  const framing = options.sse ? EVENTS : ARRAY;
  const identity = { modelVersion: model, responseId: context.randomId() };
  const head = '{"candidates":[{"content":{"role":"model","parts":[';
  const tail = `]},"index":0}],${JSON.stringify(identity).slice(1)}`;
  let before = framing.first;
  let held: WirePart | undefined;
  let call: { id: string; name: string; json: string[] } | undefined;
  let usage: Usage | undefined;

  function frame(json: string): string {
    const framed = before + json + framing.after;
    before = framing.next;
    return framed;
  }

  /** The part that was held before, as a response of its own. */
  function hold(part: WirePart | undefined): string {
    const ready = held && frame(head + JSON.stringify(held) + tail);
    held = part;
    return ready ?? "";
  }

  function endCall(): string {
    if (!call) return "";
    const { id, name, json } = call;
    call = undefined;
    return hold(callPart(id, name, json.join("")));
  }

  function lastResponse(parts: WirePart[], reason: FinishReason, counted: Usage | undefined): object {
    // An answer without a part is no turn to anyone.
    const content = { role: "model", parts: parts.length > 0 ? parts : [{ text: "" }] };
    return {
      candidates: [{ content, finishReason: FINISH_REASONS[reason], index: 0 }],
      ...(counted && { usageMetadata: usageBody(counted) }),
      ...identity,
    };
  }

  return {
    contentType: framing.contentType,
    start: () => framing.start,
    event(event: ReplyEvent) {
      switch (event.type) {
        case "text":
          return hold({ text: event.text });
        case "reasoning":
          return expose ? hold({ text: event.text, thought: true }) : "";
        case "call-start":
          call = { id: event.id, name: event.name, json: [] };
          return "";
        case "call-arguments":
          call?.json.push(event.json);
          return "";
        case "call-end":
          return endCall();
        case "usage":
          usage = event.usage;
          return "";
        case "finish":
          return frame(JSON.stringify(lastResponse(held ? [held] : [], event.reason, usage))) + framing.end;
        case "error":
          // No finish: it would tell the client that the answer is whole.
          return hold(undefined) + frame(JSON.stringify(errorBody(event.error))) + framing.end;
        default:
          return event satisfies never;
      }
    },
    // Readers of this wire bear nothing that is no response (docs/wires.md).
    bearsComments: false,
    heartbeat: () => "",
    body: (reply) => lastResponse(partsOf(reply, expose), reply.finish?.reason ?? "stop", reply.usage),
  };
}

function partsOf({ parts }: Reply, expose: boolean): WirePart[] {
  return parts.flatMap((part): WirePart[] => {
    switch (part.type) {
      case "text":
        return [{ text: part.text }];
      case "reasoning":
        return expose ? [{ text: part.text, thought: true }] : [];
      case "call":
        return [callPart(part.call.id, part.call.name, part.call.arguments)];
      default:
        return part satisfies never;
    }
  });
}

/** Numbers keep the digits that the model wrote. */
function callPart(id: string, name: string, json: string): WirePart {
  return { functionCall: { id, name, args: parseExactJson(json) ?? {} } };
}

function usageBody({ input, cached, output, reasoning }: Usage): object {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - (reasoning ?? 0),
    totalTokenCount: input + output,
    ...(cached !== undefined && { cachedContentTokenCount: cached }),
    ...(reasoning !== undefined && { thoughtsTokenCount: reasoning }),
  };
}
