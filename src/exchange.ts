import { createStreamedAnswer, createWholeAnswer } from "./answer.ts";
import type { Bindings } from "./bindings.ts";
import { fail, toGatewayError } from "./errors.ts";
import { randomId } from "./ids.ts";
import { TENANT_LIMITS, UPSTREAM_LIMITS } from "./limits.ts";
import type { Lease } from "./occupancy.ts";
import type { Plan } from "./plan.ts";
import type { Protocol, ReadRequest } from "./protocols/protocol.ts";
import { connectStages } from "./stages.ts";
import type { Egress } from "./stream/egress.ts";
import { createPump } from "./stream/pump.ts";
import type { Observer } from "./telemetry/observer.ts";
import { createReplyRecorder, type ReplyRecorder } from "./telemetry/reply-recorder.ts";
import { reportComment } from "./telemetry/report-text.ts";
import { type Config, upstreamsOf } from "./tenants/config.ts";
import type { RolloutChoice } from "./tenants/rollout.ts";
import type { Spending } from "./tenants/spending.ts";
import {
  createUpstream,
  forgo,
  makePlan,
  mayComeOfForcing,
  mayDoBetterElsewhere,
  openEgress,
} from "./upstream-access.ts";

export interface ExchangeRequest {
  protocol: Protocol;
  request: ReadRequest;
  config: Config;
  /** On which side of a roll-out it is. */
  rollout?: RolloutChoice;
  /** Whether the client is told what became of its reply, at the end of a stream too. */
  tellsReport?: boolean;
  /** A name for the key that the client has come with. */
  key?: string | undefined;
  /** What its tokens are taken from. */
  spending: Spending;
  bindings?: Bindings;
  requestId: string;
  /** What the numbers call the model that the client asks for. */
  modelLabel: string;
  /** When the request came, in milliseconds. */
  arrived: number;
  /** The pattern of its path. */
  route: string;
  /** Of the client's request: it names this gateway. */
  url: URL;
  /** Gateways that the request has passed before this one. */
  hops: number;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Told of what the model does not get of the request, before the answer. */
  onWarning(warning: string): void;
  /** What the request takes of the isolate; held until its reply is over. */
  lease: Lease;
  observer: Omit<Observer, "budget">;
}

/**
 * One exchange: conversation → plan → upstream → stages → the client's wire. Where an upstream fails, the next one is asked.
 * @throws GatewayFailure for whatever goes wrong before the first byte; the signal's reason when the client has gone
 */
export async function exchange(asked: ExchangeRequest): Promise<Response> {
  const leave = asked.lease.hold();
  const recorder = createReplyRecorder(asked, (report) => {
    leave();
    asked.spending.settle(recorder.used());
    asked.observer.replied(report);
  });
  const dropped = (fields: readonly string[]) => {
    recorder.dropped(fields);
    asked.observer.dropped(fields);
  };
  try {
    return await replyOfAny({ ...asked, observer: { ...asked.observer, dropped }, recorder });
  } catch (thrown) {
    recorder.failed(thrown);
    throw thrown;
  }
}

interface RecordedRequest extends ExchangeRequest {
  readonly recorder: ReplyRecorder;
}

/**
 * Of the first upstream that gives one, as long as the client has got nothing and another one may do better. Where none does, the
 * failure of the first one counts: it is the one that the client has asked for.
 */
async function replyOfAny(asked: RecordedRequest): Promise<Response> {
  const failures: unknown[] = [];
  const first = openExchange(asked);
  await asked.spending.reserve(mostTokens(first.plan));
  asked.signal.throwIfAborted();
  const upstreams = upstreamsOf(asked.config);
  for (const [place, config] of upstreams.entries()) {
    try {
      return await reply(place === 0 ? first : openExchange({ ...asked, config }));
    } catch (thrown) {
      asked.signal.throwIfAborted();
      failures.push(thrown);
      const error = toGatewayError(thrown);
      if (upstreams.length > 1) asked.observer.upstreamFailed(error, place);
      if (!mayDoBetterElsewhere(error)) break;
    }
  }
  throw failures[0];
}

/** What an answer may cost at most, as far as anybody has said. */
function mostTokens({ promptTokens, upstream: { sampling } }: Plan): () => number {
  return () => promptTokens() + (sampling.maxTokens ?? TENANT_LIMITS.answer);
}

/** What is of one upstream and serves all attempts to get a reply of it. */
interface Exchange extends RecordedRequest {
  readonly egress: Egress;
  /** What is tried first. */
  readonly plan: Plan;
}

function openExchange(asked: RecordedRequest): Exchange {
  const egress = openEgress(asked);
  asked.recorder.asks(egress);
  return { ...asked, egress, plan: makePlan(asked) };
}

async function reply(asked: Exchange): Promise<Response> {
  const first = await firstAttempt(asked);
  for (const warning of first.plan.warnings) asked.onWarning(warning);
  if (!first.callMissing) return first.respond();
  // A required call that did not come is asked for once more, as long as the client has got nothing at all. A failure
  // now is none of the client's: there is an answer for it already.
  asked.recorder.asksForCall();
  const { forced } = first.plan;
  const second = await attempt(asked, forced ?? first.plan).catch((thrown) => {
    if (forced) forgo(asked, forced, thrown);
  });
  asked.signal.throwIfAborted();
  // Where even more than words has brought no call, what the model said by itself is the better answer, if it said anything.
  return (!second || (forced && second.callMissing && first.said) ? first : second).respond();
}

/** A failure may make another plan: tools, or a required call, in words alone. Then that one is tried. */
async function firstAttempt(asked: Exchange): Promise<Attempt> {
  const { plan } = asked;
  try {
    return await attempt(asked, plan);
  } catch (thrown) {
    const other = alternative(asked, plan, thrown);
    if (!other || !asked.egress.takeRetry(plan.unforced ? "force-refused" : "tools-refused")) throw thrown;
    const second = await attempt(asked, other);
    if (plan.unforced) forgo(asked, plan, thrown);
    return second;
  }
}

function alternative(asked: ExchangeRequest, plan: Plan, thrown: unknown): Plan | undefined {
  if (plan.unforced) return mayComeOfForcing(toGatewayError(thrown)) ? plan.unforced : undefined;
  // What the refusal has taught may tell the tools otherwise.
  const other = makePlan(asked);
  return other.told === plan.told ? undefined : other;
}

/** What one request to the upstream has come to, nothing of it being sent yet. */
interface Attempt {
  readonly plan: Plan;
  /** The reply came to its own end without the call that was required, and the client could be given another one. */
  callMissing: boolean;
  /** There is something in it to read. */
  said: boolean;
  respond(): Response;
}

async function attempt(asked: Exchange, plan: Plan): Promise<Attempt> {
  const { config, request, requestId, signal, observer } = asked;
  const record = asked.recorder.begin(plan);
  const { body } = await createUpstream(asked, plan, asked.egress)
    .open(plan.upstream, signal)
    .catch((thrown) => {
      record.unanswered(thrown);
      throw thrown;
    });
  const renderer = request.createRenderer({
    requestId,
    created: Math.floor(Date.now() / 1000),
    randomId,
    promptTokens: plan.promptTokens,
  });
  const { stream } = request.conversation;
  const answer = stream ? createStreamedAnswer(renderer, observer.failed) : createWholeAnswer(renderer);
  const { pipeline, stages } = connectStages({ ...asked, plan, renderer, answer, record });
  record.answered(stages);
  const pump = createPump({
    body,
    pipeline,
    signal,
    idleMs: config.idleTimeoutMs,
    totalMs: asked.egress.left(),
    maxBytes: UPSTREAM_LIMITS.bytes,
    lease: asked.lease,
  });

  await (stream ? pump.firstOutput(UPSTREAM_LIMITS.firstEvent) : pump.collect());
  signal.throwIfAborted();
  const failure = answer.failure();
  if (failure) fail(failure);

  return {
    plan,
    callMissing: stages.choice.unmet() === "call-missing" && answer.finish()?.reason === "stop" && !answer.begun(),
    said: answer.said(),
    respond() {
      const headers = new Headers(plan.told === undefined ? {} : { "x-toolcall-dialect": plan.told });
      if (!answer.streams) {
        const whole = Response.json(answer.body(), { headers });
        record.over({ ending: "finished" });
        return whole;
      }
      answer.sent();
      const { readable, done } = pump.stream(config.heartbeatMs, () => {
        const report = record.over({ ending: "finished" });
        return report && asked.tellsReport && renderer.bearsComments ? reportComment(report) : "";
      });
      // Never kept alive by `waitUntil`: with that the upstream would go on once the client has left.
      void done.then((outcome) => {
        if (outcome.ending === "broken") observer.failed(toGatewayError(outcome.cause));
        record.over(outcome);
      });
      headers.set("content-type", renderer.contentType);
      return new Response(readable, { headers });
    },
  };
}
