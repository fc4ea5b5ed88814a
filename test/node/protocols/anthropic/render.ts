import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import type { Renderer } from "../../../../src/protocols/protocol.ts";
import { createFold, type ReplyEvent } from "../../../../src/reply.ts";

const CONTEXT = {
  requestId: "req_1",
  created: 1_764_480_000,
  randomId: () => "ABCDEFGHIJKLMNOPQRSTUVWX",
  promptTokens: () => 7,
};

export const MINIMAL = { model: 'my "model"', max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

export const THINKING = { thinking: { type: "enabled", budget_tokens: 1024 } };

export function createRenderer(fields: object = {}): Renderer {
  return anthropic.readRequest({ ...MINIMAL, ...fields }).createRenderer(CONTEXT);
}

export function stream(renderer: Renderer, events: readonly ReplyEvent[]): string {
  return [renderer.start(), ...events.map((event) => renderer.event(event))].join("");
}

export function body(renderer: Renderer, events: readonly ReplyEvent[]): unknown {
  const fold = createFold();
  for (const event of events) fold.push(event);
  return renderer.body(fold.reply());
}
