import type { Conversation } from "../conversation.ts";
import { type CallWriter, writeReply } from "../dialects/dialect.ts";
import { createTokenCounter, estimatePromptTokens } from "../tokens.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { buildBody } from "./chat-body.ts";
import { type Answer, lastWords, makeAnswer } from "./demo/answer.ts";
import { speak } from "./demo/speak.ts";
import type { Upstream, UpstreamRequest } from "./upstream.ts";

/** `echo` says again what the user said last, so that any markup can be tried by hand; every other name is `demo`. */
export const DEMO_MODELS: readonly string[] = ["demo", "echo"];

/**
 * The embedded upstream: no key, no network, and the same answer every time. No model at all: instead of understanding
 * the prompt it is given the conversation, and instead of having learnt the taught notation, its writer. From there on
 * its text goes the way of any model's, through the event stream and the sieve. Asked natively, it calls natively.
 */
export function createDemo(conversation: Conversation, write: CallWriter): Upstream {
  return {
    async open(request, signal) {
      signal.throwIfAborted();
      const { model, messages, native } = request;
      const answer: Answer =
        model === "echo" ? { text: lastWords(conversation.turns), calls: [] } : makeAnswer(conversation);
      const said = native ? answer.text : writeReply(answer.text, answer.calls, write);
      const { text, finish } = cut(said, request);
      const calls = native && text === said ? answer.calls : [];
      return { body: speak({ model, text, calls, finish, promptTokens: estimatePromptTokens(messages) }) };
    },
    body: (request) => buildBody(request, capabilitiesOf("demo"), new Set()),
  };
}

/** Stops where a model would have had to: at a stop string, or at the most tokens that it may write. */
function cut(said: string, { stop, sampling }: UpstreamRequest): { text: string; finish: "stop" | "length" } {
  const stops = stop.map((string) => said.indexOf(string)).filter((at) => at >= 0);
  const text = said.slice(0, Math.min(said.length, ...stops));
  const most = firstTokens(text, sampling.maxTokens ?? Number.POSITIVE_INFINITY);
  return { text: most, finish: most.length < text.length ? "length" : "stop" };
}

function firstTokens(text: string, most: number): string {
  const count = createTokenCounter();
  let end = 0;
  for (const character of text) {
    count.push(character);
    if (count.total() > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
