import fc from "fast-check";
import {
  type Conversation,
  type Json,
  type JsonObject,
  type Part,
  type Tool,
  type Turn,
  textOf,
} from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import type { UpstreamMessage } from "../../../src/prompt/messages.ts";
import { renderPrompt, tellsTools } from "../../../src/prompt/prompt.ts";
import { createQuoting } from "../../../src/prompt/quoting.ts";
import { describeTools } from "../../../src/prompt/tool-docs.ts";
import { hostileText } from "./hostile-text.ts";

export const quoting = createQuoting([canonical]);

export const weather: Tool = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** What `asked` leaves out asks nothing. */
export function conversationOf(asked: Partial<Conversation>): Conversation {
  return {
    model: "m",
    system: "",
    turns: [],
    tools: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    sampling: {},
    reasoning: { expose: false },
    stream: false,
    ...asked,
  };
}

/** The prompt in the canonical notation. */
export function render(asked: Partial<Conversation>): UpstreamMessage[] {
  const conversation = conversationOf(asked);
  const docs = tellsTools(conversation)
    ? describeTools(conversation.tools, { form: "signatures" }, quoting)
    : undefined;
  return renderPrompt(conversation, canonical, quoting, docs);
}

/** The words of a message, without images. */
export function wordsOf(message: UpstreamMessage | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : textOf(content);
}

export const text = (content: string): Part => ({ type: "text", text: content });
export const call = (id: string, name: string, input: JsonObject = {}): Part => ({
  type: "tool-call",
  id,
  name,
  input,
});
export const result = (callId: string, content: string, more: { name?: string; failed?: boolean } = {}): Part => ({
  type: "tool-result",
  callId,
  failed: false,
  parts: [text(content)],
  ...more,
});
export const user = (...parts: Part[]): Turn => ({ role: "user", parts });
export const assistant = (...parts: Part[]): Turn => ({ role: "assistant", parts });

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.constantFrom<Json>(null, true, false, 0, -1.5, 1e21),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(hostileText, tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** Arguments that the notation can hold: it has no empty key, and trims names. */
export const input = fc.dictionary(
  hostileText.map((key) => `k${key}k`),
  json,
  { maxKeys: 3 },
) as fc.Arbitrary<JsonObject>;

const toolName = fc.constantFrom("get_weather", "Read", "mcp__a.b", "größe");

export const tools: fc.Arbitrary<Tool[]> = fc.array(
  fc.record({
    name: toolName,
    description: hostileText,
    parameters: fc
      .dictionary(hostileText, fc.record({ type: fc.constant("string"), description: hostileText }))
      .map((properties) => ({ type: "object", properties })),
  }),
  { minLength: 1, maxLength: 3 },
);

/**
 * What one round adds: the answer, then what the user sent behind it. Results come in any order, some never; the last
 * turn is the user's, who is being answered.
 */
const exchange: fc.Arbitrary<Turn[]> = fc
  .record({
    said: hostileText,
    calls: fc.array(fc.record({ name: toolName, input, answer: fc.option(hostileText), failed: fc.boolean() }), {
      maxLength: 3,
    }),
    seed: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    typed: hostileText,
  })
  .map(({ said, calls, seed, typed }) => {
    const answered = calls.flatMap(({ answer, failed }, index) =>
      answer === null ? [] : [{ at: seed[index] ?? 0, part: result(`c${index}`, answer, { failed }) }],
    );
    const results = answered.toSorted((a, b) => a.at - b.at).map(({ part }) => part);
    return [
      // An answer that says nothing would let two questions of the user become one message.
      assistant(text(`.${said}`), ...calls.map((made, index) => call(`c${index}`, made.name, made.input))),
      user(...results, text(typed)),
    ];
  });

/** A conversation in steps, each of them asked in turn. */
export const dialogue: fc.Arbitrary<Turn[][]> = fc
  .tuple(hostileText, fc.array(exchange, { maxLength: 4 }))
  .map(([typed, exchanges]) => [[user(text(typed))], ...exchanges]);
