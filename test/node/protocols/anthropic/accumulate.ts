/** A stream of the Messages wire, put together as strictly as its strictest client does it. */

export interface StreamEvent {
  type: string;
  index?: number;
  message?: Message;
  content_block?: Block;
  delta?: Record<string, string | null>;
  usage?: object;
  error?: object;
}

interface Message {
  content: Block[];
  usage: object;
}

type Block = Record<string, unknown> & { type: string };

/** Every event has its own `event:` line, which is the type again. */
export function eventsOf(bytes: string): StreamEvent[] {
  if (!bytes.endsWith("\n\n")) throw new Error("the last event is cut");
  return bytes
    .slice(0, -2)
    .split("\n\n")
    .map((event) => {
      const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      const read: StreamEvent = JSON.parse(data);
      if (read.type !== name) throw new Error(`event ${name} has the type ${read.type}`);
      return read;
    });
}

const MEMBERS: Record<string, [type: string, member: string]> = {
  text_delta: ["text", "text"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["thinking", "signature"],
  input_json_delta: ["tool_use", "partial_json"],
};

/** @throws at whatever a client would stop at: a wrong index, two blocks at once, a delta of another type, a missing end */
export function accumulate(events: readonly StreamEvent[]): unknown {
  const [first, ...rest] = events;
  if (first?.type !== "message_start" || !first.message) throw new Error("no message_start");
  let message: Message & Record<string, unknown> = { ...first.message };
  const content: Block[] = [];
  let open: Block | undefined;
  let json = "";
  let ending = "";

  for (const { type, index, content_block, delta, usage } of rest) {
    if (ending === "message_stop") throw new Error(`${type} behind the end`);
    if (ending === "message_delta" && type !== "message_stop") throw new Error(`${type} behind message_delta`);
    switch (type) {
      case "content_block_start":
        if (open || index !== content.length || !content_block) throw new Error(`block ${index} cannot start`);
        open = { ...content_block };
        json = "";
        content.push(open);
        break;
      case "content_block_delta": {
        const [blockType, member = ""] = MEMBERS[delta?.type ?? ""] ?? [];
        if (!open || index !== content.length - 1 || open.type !== blockType) throw new Error(`no block for ${type}`);
        if (member === "partial_json") json += delta?.[member];
        else open[member] = `${open[member]}${delta?.[member]}`;
        break;
      }
      case "content_block_stop":
        if (!open || index !== content.length - 1) throw new Error(`block ${index} is not open`);
        if (open.type === "tool_use") open.input = JSON.parse(json);
        open = undefined;
        break;
      case "message_delta":
        if (open) throw new Error("a block is still open");
        message = { ...message, ...delta, usage: { ...message.usage, ...usage } };
        ending = type;
        break;
      case "message_stop":
        ending = type;
        break;
      case "ping":
        break;
      default:
        throw new Error(`unexpected ${type}`);
    }
  }
  if (ending !== "message_stop") throw new Error("no message_stop");
  return { ...message, content };
}
