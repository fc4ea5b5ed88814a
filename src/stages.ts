import type { Answer } from "./answer.ts";
import { createChoice } from "./choice.ts";
import type { Conversation } from "./conversation.ts";
import { randomId } from "./ids.ts";
import { UPSTREAM_LIMITS } from "./limits.ts";
import type { Plan } from "./plan.ts";
import { createPrefill, createUnsaid } from "./prefill.ts";
import { createUnquote } from "./prompt/unquote.ts";
import type { Protocol, Renderer } from "./protocols/protocol.ts";
import { createReduce } from "./reply.ts";
import { createShadowedSieve } from "./shadow.ts";
import { createSpacing } from "./sieve/spacing.ts";
import { createBodyReader } from "./stream/body-reader.ts";
import type { Pipeline } from "./stream/pump.ts";
import type { AttemptRecord, Stages } from "./telemetry/reply-recorder.ts";
import type { Config } from "./tenants/config.ts";
import { createTwins } from "./twins.ts";
import { createDecode } from "./upstreams/decode.ts";

interface StagesParts {
  protocol: Pick<Protocol, "callIdPrefix">;
  request: { readonly conversation: Conversation };
  config: Pick<Config, "limits" | "lenientEof">;
  plan: Plan;
  renderer: Pick<Renderer, "heartbeat">;
  /** Where the events end. */
  answer: Answer;
  record: Pick<AttemptRecord, "taken">;
}

/** The stages of one reply, last one first: each is given the one behind it. */
export function connectStages({
  protocol,
  request: { conversation },
  config: { limits, lenientEof },
  plan,
  renderer,
  answer,
  record,
}: StagesParts): { pipeline: Pipeline; stages: Stages } {
  const newId = () => protocol.callIdPrefix + randomId();
  const reduce = createReduce({ newId, usage: () => decode.usage() }, answer.push);
  const spacing = createSpacing(reduce.push);
  const unquote = plan.quoting ? createUnquote({ quoting: plan.quoting }, spacing.push) : spacing;
  const choice = createChoice(conversation, unquote.push);
  const twins = createTwins(choice.push);
  const { text: prefill = "" } = plan.upstream.forced?.prefill ?? {};
  const unsaid = prefill === "" ? twins : createUnsaid(prefill, twins.push);
  const sieve = createShadowedSieve(plan, unsaid.push, () => decode.calls());
  const prefilled = prefill === "" ? sieve : createPrefill(prefill, sieve.push);
  const toolNames = new Set(conversation.tools.map(({ name }) => name));
  const decode = createDecode(
    {
      asked: plan.upstream,
      promptTokens: plan.promptTokens,
      maxCharacters: answer.streams ? limits.streamedCharacters : limits.collectedCharacters,
      maxCalls: limits.calls,
      maxHeld: limits.collectedCharacters,
      lenientEof,
      stop: conversation.sampling.stop ?? [],
      maxTokens: plan.upstream.sampling.maxTokens,
      isTool: (name) => toolNames.has(name),
    },
    prefilled.push,
  );
  let unread = 0;
  let sent = 0;
  const reader = createBodyReader(UPSTREAM_LIMITS, (data, whole) => {
    unread = 0;
    decode.push(data, whole);
  });

  const pipeline: Pipeline = {
    feed(bytes) {
      unread += bytes.length;
      reader.push(bytes);
    },
    end() {
      reader.end();
      decode.end();
    },
    // After a fault of our own no stage is trusted any more but the last, which closes the reply.
    fault: (error) => (error.kind === "internal" ? reduce.push({ type: "error", error }) : decode.fault(error)),
    finished: answer.finished,
    start: answer.start,
    take: () => record.taken(answer.take()),
    sent() {
      sent = decode.characters();
    },
    held() {
      // What has failed is nobody's any more, while the next one is asked.
      if (answer.failure()) return 0;
      // No stage holds more; what else was read has been passed over, such as comments and reasoning that nobody asked for.
      const unsent = Math.min(unread + decode.characters() - sent, UPSTREAM_LIMITS.collected);
      return unsent + (sieve.shadow?.held() ?? 0);
    },
    heartbeat: renderer.heartbeat,
  };
  return { pipeline, stages: { decode, sieve, choice, reduce } };
}
