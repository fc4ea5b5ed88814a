import type { ClientName } from "./tools.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** One kind of output item: each is some text with an envelope of its own, and has events of its own names. */
export interface ItemKind {
  /** What its id begins with. */
  prefix: string;
  /** The text comes as `response.<stream>.delta`, and as a whole in `response.<stream>.done`. */
  stream: string;
  /** What all events about the text say besides the item. */
  place: object;
  /** What a delta says besides the place. */
  delta: object;
  done(text: string): object;
  /** The part of the item that the text stands in, announced by `response.<name>.added` and `.done`. */
  part?: { name: string; body(text: string): object };
  body(text: string, status: ItemStatus): object;
}

export const MESSAGE: ItemKind = {
  prefix: "msg_",
  stream: "output_text",
  place: { content_index: 0 },
  delta: { logprobs: [] },
  done: (text) => ({ text, logprobs: [] }),
  part: { name: "content_part", body: outputText },
  body: (text, status) => ({
    type: "message",
    role: "assistant",
    status,
    content: status === "in_progress" ? [] : [outputText(text)],
  }),
};

export const REASONING: ItemKind = {
  prefix: "rs_",
  stream: "reasoning_summary_text",
  place: { summary_index: 0 },
  delta: {},
  done: (text) => ({ text }),
  part: { name: "reasoning_summary_part", body: summaryText },
  body: (text, status) => ({ type: "reasoning", summary: status === "in_progress" ? [] : [summaryText(text)] }),
};

export function functionCall(call_id: string, called: ClientName): ItemKind {
  return {
    prefix: "fc_",
    stream: "function_call_arguments",
    place: {},
    delta: {},
    done: (text) => ({ name: called.name, arguments: text }),
    body: (text, status) => ({ type: "function_call", status, call_id, ...called, arguments: text }),
  };
}

/** Of a freeform tool: Codex refuses it as a function call. */
export function customToolCall(call_id: string, called: ClientName): ItemKind {
  return {
    prefix: "ctc_",
    stream: "custom_tool_call_input",
    place: {},
    delta: {},
    done: (input) => ({ input }),
    body: (input, status) => ({ type: "custom_tool_call", status, call_id, ...called, input }),
  };
}

// Readers with a strict schema want the lists, empty as they are.
function outputText(text: string): object {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function summaryText(text: string): object {
  return { type: "summary_text", text };
}
