import type { Bindings } from "../bindings.ts";
import type { Conversation } from "../conversation.ts";
import { fail } from "../errors.ts";
import type { ExchangeRequest } from "../exchange.ts";
import { REQUEST_LIMITS } from "../limits.ts";
import type { Lease } from "../occupancy.ts";
import { preview } from "../preview.ts";
import type { Protocol, ReadRequest, Target } from "../protocols/protocol.ts";
import type { Numbers } from "../telemetry/numbers.ts";
import type { Observer } from "../telemetry/observer.ts";
import type { ReplyReport } from "../telemetry/reply-report.ts";
import { reportText } from "../telemetry/report-text.ts";
import type { Budget } from "../tenants/budget-keeper.ts";
import { withClientKey } from "../tenants/client-key.ts";
import { type Config, configFor } from "../tenants/config.ts";
import { allowsModel, labelOfModel } from "../tenants/models.ts";
import { REPORT_HEADER, wantsReport, withOverrides } from "../tenants/overrides.ts";
import { type RolloutChoice, withRollout, withShadow } from "../tenants/rollout.ts";
import { openSpending } from "../tenants/spending.ts";
import { makePlan } from "../upstream-access.ts";
import { readJsonBody } from "./body.ts";
import { createModelList, type ListUpstreamModels } from "./model-list.ts";

export interface HandlerParts {
  exchange: (asked: ExchangeRequest) => Promise<Response>;
  listUpstreamModels: ListUpstreamModels;
  /** Is told what happens in a call's exchange. */
  observe(call: Call): Observer;
}

/** A request that was let in. */
export interface Call {
  protocol: Protocol;
  request: Request;
  url: URL;
  /** What the path holds for a model. */
  model: string;
  /** What the path holds in the places that its pattern names, as it stands there. */
  params: Readonly<Record<string, string | undefined>>;
  config: Config;
  /** What the tokens of its answer are taken from. */
  budgets: readonly Budget[];
  /** A name for its key; undefined where none was asked for. */
  key: string | undefined;
  bindings: Bindings;
  requestId: string;
  /** When the request came, in milliseconds. */
  arrived: number;
  /** Gateways that the request has passed before this one. */
  hops: number;
  /** The pattern of its path. */
  route: string;
  /** An operator wants to see what would go upstream, in place of an answer. */
  preview: boolean;
  /** What it takes of the isolate. */
  lease: Lease;
  /** Of its answer, even if that is a failure. */
  responseHeaders: Headers;
  /** Where what becomes of it is added up. */
  numbers: Numbers;
  waitUntil(work: Promise<unknown>): void;
}

/** @throws GatewayFailure for whatever cannot be answered well */
export type Handler = (call: Call) => Promise<Response>;

export type Handlers = ReturnType<typeof createHandlers>;

/** What is done for a request, whatever its path. */
export function createHandlers({ exchange, listUpstreamModels, observe }: HandlerParts) {
  const modelList = createModelList(listUpstreamModels);
  const list = (call: Call) => modelList({ ...call, config: withClientKey(call.config, call.request.headers) });

  async function complete(call: Call, target?: Target): Promise<Response> {
    const request = call.protocol.readRequest(await readBody(call), target);
    const settled = await settle(call, request.conversation);
    checkAsks(request.conversation);
    const warnings = [...request.warnings];
    const response = call.preview
      ? preview({ ...call, ...settled, request })
      : await answer(call, request, settled, warnings);
    if (warnings.length > 0) response.headers.set("x-gateway-warning", warningText(warnings));
    return response;
  }

  /** @param warnings takes what the model does not get of the request */
  function answer(call: Call, request: ReadRequest, settled: Settled, warnings: string[]): Promise<Response> {
    const observer = observe(call);
    const replied = (report: ReplyReport) => {
      observer.replied(report);
      // Too late for the headers of a stream, which tells it at its end.
      if (settled.tellsReport) call.responseHeaders.set(REPORT_HEADER, reportText(report));
    };
    return exchange({
      ...call,
      ...settled,
      request,
      spending: openSpending({ ...call, objects: call.bindings.tenantObjects, onNews: observer.budget }),
      signal: call.request.signal,
      onWarning: (warning) => void warnings.push(warning),
      observer: { ...observer, replied },
    });
  }

  /** An estimate of the very prompt that would go upstream, the tool instructions of our own included. */
  async function countTokens(call: Call, target?: Target): Promise<Response> {
    const tokenCount = call.protocol.tokenCount ?? unknownPath();
    const conversation = tokenCount.readRequest(await readBody(call), target);
    const settled = await settle(call, conversation);
    const { promptTokens } = makePlan({ ...settled, request: { conversation } });
    return Response.json(tokenCount.render(promptTokens()));
  }

  /** Gemini's paths name the model and, behind the last colon, what is wanted of it. */
  async function generate(call: Call): Promise<Response> {
    const colon = call.model.lastIndexOf(":");
    const model = call.model.slice(0, Math.max(colon, 0));
    const target = { model, method: call.model.slice(colon + 1), query: call.url.searchParams };
    switch (target.method) {
      case "generateContent":
      case "streamGenerateContent":
        return complete(call, target);
      case "countTokens":
        return countTokens(call, target);
      default:
        return unknownPath();
    }
  }

  async function listModels(call: Call): Promise<Response> {
    return Response.json(call.protocol.renderModels(await list(call)));
  }

  async function showModel(call: Call): Promise<Response> {
    const model = withoutPrefix(call.model);
    if (!(await isKnown(call, model))) fail({ kind: "unknown-model", model });
    return Response.json(call.protocol.renderModel(model));
  }

  async function isKnown(call: Call, model: string): Promise<boolean> {
    const { config } = call;
    if (model.length > REQUEST_LIMITS.modelName) return false;
    // Where the configuration decides, it takes more names than it lists.
    if (config.models !== undefined || config.upstream.model !== undefined) return allowsModel(config, model);
    const names = await list(call);
    // An upstream that lists nothing, or could not be asked, may have it all the same: a completion will tell.
    return names.length === 0 || names.includes(model);
  }

  /** Of stored responses: this gateway stores none. */
  async function noResponse(): Promise<Response> {
    return fail({ kind: "unknown-response", message: "No response with this id is stored: this gateway stores none." });
  }

  return { complete, countTokens, generate, listModels, showModel, noResponse };
}

export function unknownPath(): never {
  return fail({ kind: "unknown-path", message: "This gateway does not serve this path." });
}

function readBody({ request, config, lease }: Call): Promise<unknown> {
  return readJsonBody(request, config.maxBodyBytes, lease);
}

interface Settled {
  config: Config;
  modelLabel: string;
  /** Absent where nothing is rolled out to this request. */
  rollout?: RolloutChoice;
  tellsReport: boolean;
}

/**
 * What holds for this request, of this model: the tenant's settings, those of the model, and the request's own. One that sets
 * something for itself takes no part in a roll-out: the two together might make no sense, and would be neither side's numbers.
 */
async function settle(call: Call, { model, turns }: Conversation): Promise<Settled> {
  const { config, request, key } = call;
  if (!allowsModel(config, model)) fail({ kind: "unknown-model", model });
  const { headers } = request;
  const ofModel = configFor(config, model);
  const overridden = withOverrides(ofModel, headers);
  const settled: Pick<Settled, "config" | "rollout"> = overridden
    ? { config: overridden }
    : await withRollout(ofModel, key, turns);
  if (settled.rollout) call.responseHeaders.set("x-toolcall-rollout", settled.rollout);
  return {
    ...settled,
    config: withClientKey(await withShadow(settled.config, key, turns), headers),
    modelLabel: labelOfModel(config, model),
    tellsReport: wantsReport(ofModel, headers),
  };
}

/** Where all that was sent cannot be shown to a model, it would be asked nothing. */
function checkAsks({ system, turns }: Conversation): void {
  if (system !== "" || turns.length > 0) return;
  fail({ kind: "invalid-request", message: "Nothing in the request can be shown to a model." });
}

/** Gemini's names of models are resources: `models/name`. */
function withoutPrefix(name: string): string {
  return name.startsWith("models/") ? name.slice("models/".length) : name;
}

/** What a header bears: warnings quote names that a client made up. */
function warningText(warnings: readonly string[]): string {
  return warnings
    .join("; ")
    .slice(0, 1_000)
    .replace(/[^\x20-\x7e]/g, "?");
}
