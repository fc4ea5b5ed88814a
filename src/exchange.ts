import { type Answer, createStreamedAnswer, createWholeAnswer } from "./answer.ts";
import { createChoice } from "./choice.ts";
import { fail, type GatewayError, toGatewayError } from "./errors.ts";
import { randomId } from "./ids.ts";
import { UPSTREAM_LIMITS } from "./limits.ts";
import { type Plan, planExchange } from "./plan.ts";
import { createUnquote } from "./prompt/unquote.ts";
import type { Protocol, ReadRequest, Renderer } from "./protocols/protocol.ts";
import { createReduce } from "./reply.ts";
import { createSieveStage } from "./sieve/index.ts";
import { createSpacing } from "./sieve/spacing.ts";
import { createBodyReader } from "./stream/body-reader.ts";
import { createEgress, type Egress } from "./stream/egress.ts";
import { createPump, type Pipeline } from "./stream/pump.ts";
import type { Config } from "./tenants/config.ts";
import { createTwins } from "./twins.ts";
import { createDecode } from "./upstreams/decode.ts";
import { createDemo } from "./upstreams/demo.ts";
import { createDroppedFields, NATIVE_TOOLS } from "./upstreams/dropped-fields.ts";
import { createOpenAiCompatible } from "./upstreams/openai-compatible.ts";
import type { Upstream } from "./upstreams/upstream.ts";

export interface ExchangeRequest {
  protocol: Protocol;
  request: ReadRequest;
  config: Config;
  requestId: string;
  /** Gateways that the request has passed before this one. */
  hops: number;
  /** An operator wants to see what would go upstream, in place of an answer. */
  preview?: boolean;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Told of what the model does not get of the request, before the answer. */
  onWarning(warning: string): void;
  /** Told of a failure that came behind the first byte: it is already in the stream, in the wire's own form. */
  onFailure(error: GatewayError): void;
  /** Told of fields of a request that the upstream does not take; they are left out from now on. */
  onDropped(fields: readonly string[]): void;
}

/** Of the isolate: what one request has found out need not cost the next one a refusal. */
const dropped = createDroppedFields();

/**
 * One exchange: conversation → plan → upstream → stages → the client's wire.
 * @throws GatewayFailure for whatever goes wrong before the first byte; the signal's reason when the client has gone
 */
export async function exchange(asked: ExchangeRequest): Promise<Response> {
  const egress = createEgress({ hops: asked.hops });
  if (asked.preview) return preview(asked, egress);
  const first = await firstAttempt(asked, egress);
  for (const warning of first.plan.warnings) asked.onWarning(warning);
  if (!first.callMissing) return first.respond();
  // A required call that did not come is asked for once more, as long as the client has got nothing at all. A failure
  // now is none of the client's: there is an answer for it already.
  const second = await attempt(asked, first.plan, egress).catch(() => undefined);
  asked.signal.throwIfAborted();
  return (second ?? first).respond();
}

/** What would go upstream, for an operator to look at; nothing does. */
function preview(asked: ExchangeRequest, egress: Egress): Response {
  const plan = makePlan(asked);
  return Response.json({
    dialect: plan.told ?? null,
    prompt_tokens: plan.promptTokens(),
    warnings: plan.warnings,
    upstream_kind: asked.config.upstream.kind,
    upstream_request: createUpstream(asked, plan, egress).body(plan.upstream),
  });
}

/** What a refusal has taught may make another plan: tools in words for a server that takes none. Then that one is tried. */
async function firstAttempt(asked: ExchangeRequest, egress: Egress): Promise<Attempt> {
  const plan = makePlan(asked);
  try {
    return await attempt(asked, plan, egress);
  } catch (thrown) {
    const other = makePlan(asked);
    if (other.told === plan.told || !egress.takeRetry()) throw thrown;
    return attempt(asked, other, egress);
  }
}

function makePlan({ config, request: { conversation } }: ExchangeRequest): Plan {
  const { upstream } = config;
  const refused = (model: string) =>
    upstream.kind === "demo" ? undefined : dropped.of(upstream.baseUrl, model).has(NATIVE_TOOLS);
  return planExchange(config, conversation, (model) => !refused(model));
}

function createUpstream({ config, request, onDropped }: ExchangeRequest, plan: Plan, egress: Egress): Upstream {
  const { upstream } = config;
  if (upstream.kind === "demo") return createDemo(request.conversation, plan.dialect.write);
  return createOpenAiCompatible({ endpoint: upstream, egress, dropped, onDropped });
}

/** What one request to the upstream has come to, nothing of it being sent yet. */
interface Attempt {
  readonly plan: Plan;
  /** The reply came to its own end without the call that was required, and the client could be given another one. */
  callMissing: boolean;
  respond(): Response;
}

async function attempt(asked: ExchangeRequest, plan: Plan, egress: Egress): Promise<Attempt> {
  const { config, request, requestId, signal, onFailure } = asked;
  const { body } = await createUpstream(asked, plan, egress).open(plan.upstream, signal);
  const renderer = request.createRenderer({
    requestId,
    created: Math.floor(Date.now() / 1000),
    randomId,
    promptTokens: plan.promptTokens,
  });
  const { stream } = request.conversation;
  const answer = stream ? createStreamedAnswer(renderer, onFailure) : createWholeAnswer(renderer);
  const { pipeline, choice } = connect(asked, plan, renderer, answer);
  const pump = createPump({
    body,
    pipeline,
    signal,
    idleMs: config.idleTimeoutMs,
    maxBytes: UPSTREAM_LIMITS.bytes,
  });

  await (stream ? pump.firstOutput(UPSTREAM_LIMITS.firstEvent) : pump.collect());
  signal.throwIfAborted();
  const failure = answer.failure();
  if (failure) fail(failure);

  return {
    plan,
    callMissing: choice.missing() && answer.finish()?.reason === "stop" && !answer.begun(),
    respond() {
      const headers = new Headers(plan.told === undefined ? {} : { "x-toolcall-dialect": plan.told });
      if (!answer.streams) return Response.json(answer.body(), { headers });
      answer.sent();
      const { readable, done } = pump.stream(config.heartbeatMs);
      void done.then((outcome) => {
        if (outcome.ending === "broken") onFailure(toGatewayError(outcome.cause));
      });
      headers.set("content-type", renderer.contentType);
      headers.set("cache-control", "no-cache");
      return new Response(readable, { headers });
    },
  };
}

/** The stages of one reply, last one first: each is given the one behind it. */
function connect({ protocol, request }: ExchangeRequest, plan: Plan, renderer: Renderer, answer: Answer) {
  const newId = () => protocol.callIdPrefix + randomId();
  const reduce = createReduce({ newId, usage: () => decode.usage() }, answer.push);
  const spacing = createSpacing(reduce.push);
  const unquote = plan.quoting ? createUnquote({ quoting: plan.quoting }, spacing.push) : spacing;
  const choice = createChoice(request.conversation, unquote.push);
  const twins = createTwins(choice.push);
  const sieve = createSieveStage(plan.sieve, twins.push, () => decode.calls());
  const toolNames = new Set(request.conversation.tools.map(({ name }) => name));
  const decode = createDecode(
    {
      asked: plan.upstream,
      promptTokens: plan.promptTokens,
      maxCharacters: answer.streams ? UPSTREAM_LIMITS.streamed : UPSTREAM_LIMITS.collected,
      stop: request.conversation.sampling.stop ?? [],
      isTool: (name) => toolNames.has(name),
    },
    sieve.push,
  );
  const reader = createBodyReader(UPSTREAM_LIMITS, decode.push);

  const pipeline: Pipeline = {
    feed: reader.push,
    end() {
      reader.end();
      decode.end();
    },
    // After a fault of our own no stage is trusted any more but the last, which closes the reply.
    fault: (error) => (error.kind === "internal" ? reduce.push({ type: "error", error }) : decode.fault(error)),
    finished: answer.finished,
    start: answer.start,
    take: answer.take,
    heartbeat: renderer.heartbeat,
  };
  return { pipeline, choice };
}
