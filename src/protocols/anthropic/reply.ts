import type { Conversation } from "../../conversation.ts";
import type { FinishEvent, FinishReason, ReplyEvent, Usage } from "../../reply.ts";
import type { RenderContext, Renderer } from "../protocol.ts";
import { type BlockWriter, blocksOf, type ContentBlock, createBlocks, SIGNATURE } from "./blocks.ts";
import { renderError } from "./errors.ts";

const STOP_REASONS: { readonly [K in FinishReason]: string } = {
  stop: "end_turn",
  tool: "tool_use",
  length: "max_tokens",
  filter: "refusal",
  context: "model_context_window_exceeded",
};

/** The delta that a block grows by, and its member. */
const DELTAS: { readonly [K in ContentBlock["type"]]: readonly [type: string, member: string] } = {
  text: ["text_delta", "text"],
  thinking: ["thinking_delta", "thinking"],
  tool_use: ["input_json_delta", "partial_json"],
};

export function createRenderer(conversation: Conversation, context: RenderContext): Renderer {
  const { model, reasoning } = conversation;
  const identity = { id: `msg_${context.randomId()}`, type: "message", role: "assistant", model };
  let out = "";
  const blocks = createBlocks(
    createStreamWriter((bytes) => {
      out += bytes;
    }),
  );
  let usage: Usage | undefined;
  const estimated = (): Usage => ({ input: context.promptTokens(), output: 0 });
  const counted = () => usageBody(usage ?? estimated());

  function push(event: ReplyEvent): void {
    switch (event.type) {
      case "text":
        blocks.say("text", event.text);
        break;
      case "reasoning":
        if (reasoning.expose) blocks.say("thinking", event.text);
        break;
      case "call-start":
        blocks.startCall(event.id, event.name);
        break;
      case "call-arguments":
        blocks.continueCall(event.json);
        break;
      case "call-end":
        blocks.end();
        break;
      case "usage":
        usage = event.usage;
        break;
      case "finish":
        blocks.end();
        out += writeEvent("message_delta", { delta: ending(event), usage: counted() }) + writeEvent("message_stop", {});
        break;
      case "error":
        // Nothing closes the open block: it would pass for whole.
        out += writeEvent("error", renderError(event.error, context).body);
        break;
      default:
        event satisfies never;
    }
  }

  return {
    contentType: "text/event-stream; charset=utf-8",
    start() {
      // No token of the answer, even if they are counted already: LangChain adds those of the end to them.
      const counts = usageBody(estimated());
      const message = { ...identity, content: [], stop_reason: null, stop_sequence: null, usage: counts };
      return writeEvent("message_start", { message });
    },
    event(event) {
      out = "";
      push(event);
      return out;
    },
    bearsComments: true,
    heartbeat: () => writeEvent("ping", {}),
    body(reply) {
      usage = reply.usage;
      const content = blocksOf(reply, reasoning.expose);
      return { ...identity, content, ...ending(reply.finish), usage: counted() };
    },
  };
}

/** The official SDK skips an event without its `event:` line (docs/wires.md). */
function writeEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/**
 * What is the same in every delta of a block is written once: a delta costs the JSON string of its own text and a
 * concatenation.
 */
function createStreamWriter(write: (bytes: string) => void): BlockWriter {
  let index = -1;
  let head = "";
  let thinks = false;

  return {
    start(block) {
      index += 1;
      thinks = block.type === "thinking";
      const [type, member] = DELTAS[block.type];
      head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${member}":`;
      write(writeEvent("content_block_start", { index, content_block: block }));
    },
    delta: (piece) => write(`${head}${JSON.stringify(piece)}}}\n\n`),
    stop() {
      const delta = { type: "signature_delta", signature: SIGNATURE };
      if (thinks) write(writeEvent("content_block_delta", { index, delta }));
      write(writeEvent("content_block_stop", { index }));
    },
  };
}

function ending(finish: FinishEvent | undefined): { stop_reason: string; stop_sequence: string | null } {
  const { reason = "stop", stopSequence } = finish ?? {};
  if (reason !== "stop" || stopSequence === undefined) {
    return { stop_reason: STOP_REASONS[reason], stop_sequence: null };
  }
  return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
}

/** Here cached tokens are no part of the input ones. */
function usageBody({ input, cached = 0, output, reasoning }: Usage): object {
  return {
    input_tokens: Math.max(input - cached, 0),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
    ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}
