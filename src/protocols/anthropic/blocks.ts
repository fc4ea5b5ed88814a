import type { JsonObject } from "../../conversation.ts";
import { isObject, parseExactJson } from "../../json.ts";
import { SIEVE_LIMITS } from "../../limits.ts";
import type { Reply } from "../../reply.ts";

/** An item of a message's `content`; in a stream as it is when it starts. */
export type ContentBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: JsonObject };

/** What becomes of the blocks: a stream's bytes or one list. */
export interface BlockWriter {
  start(block: ContentBlock): void;
  delta(piece: string): void;
  stop(): void;
}

export interface Blocks {
  say(type: "text" | "thinking", text: string): void;
  startCall(id: string, name: string): void;
  continueCall(json: string): void;
  /** Of the reply, or of a call. */
  end(): void;
}

/** Clients send it back with the thinking; nothing here asks for it, but they crash without one. */
export const SIGNATURE = "dG9vbHNpZXZl";

const EMPTY = {
  text: { type: "text", text: "" },
  thinking: { type: "thinking", thinking: "", signature: "" },
} as const satisfies Record<string, ContentBlock>;

/**
 * A reply in blocks, one open at a time: Claude Code stops at a delta for any but the last one. No block of text is empty
 * or of white space alone: clients store what they get, and the vendor's API refuses such a history for good
 * (docs/wires.md). So white space opens no block; it is held until something visible follows.
 */
export function createBlocks(writer: BlockWriter): Blocks {
  let open: ContentBlock["type"] | undefined;
  /** White space, and of which type. */
  let held = "";
  let heldType: ContentBlock["type"] | undefined;

  function end() {
    if (open) writer.stop();
    open = undefined;
    held = "";
  }

  function start(block: ContentBlock) {
    end();
    open = block.type;
    writer.start(block);
  }

  return {
    say(type, text) {
      let piece = text;
      if (open === type) {
        held = "";
      } else {
        if (heldType === type) piece = held + text;
        held = piece;
        heldType = type;
        if (piece.length <= SIEVE_LIMITS.whiteSpace && !/\S/.test(text)) return;
        start(EMPTY[type]);
      }
      writer.delta(piece);
    },
    startCall: (id, name) => start({ type: "tool_use", id, name, input: {} }),
    continueCall: writer.delta,
    end,
  };
}

/** The blocks of a whole reply. */
export function blocksOf(reply: Reply, expose: boolean): ContentBlock[] {
  const content: ContentBlock[] = [];
  let block: ContentBlock = EMPTY.text;
  let text = "";
  const blocks = createBlocks({
    start(started) {
      block = started;
      text = "";
    },
    delta(piece) {
      text += piece;
    },
    stop: () => void content.push(filled(block, text)),
  });

  for (const part of reply.parts) {
    if (part.type === "text") blocks.say("text", part.text);
    else if (part.type === "call") {
      blocks.startCall(part.call.id, part.call.name);
      blocks.continueCall(part.call.arguments);
      blocks.end();
    } else if (expose) blocks.say("thinking", part.text);
  }
  blocks.end();
  return content;
}

function filled(block: ContentBlock, text: string): ContentBlock {
  switch (block.type) {
    case "text":
      return { ...block, text };
    case "thinking":
      return { ...block, thinking: text, signature: SIGNATURE };
    case "tool_use":
      return { ...block, input: readInput(text) };
    default:
      return block satisfies never;
  }
}

/** Numbers keep the digits that the model wrote, as they do in a stream. */
function readInput(json: string): JsonObject {
  const input = parseExactJson(json);
  return isObject(input) ? input : {};
}
