import type { Content, Effort, ResponseFormat, Tool } from "../conversation.ts";
import { isObject } from "../json.ts";
import type { UpstreamMessage } from "../prompt/messages.ts";
import { type Capabilities, type OptionalField, type ReasoningField, USUAL_REASONING } from "./capabilities.ts";
import { nearestEffort } from "./effort.ts";
import { REASONING_DEMANDED, refusedEffort, refusedReasoningField, sentName } from "./lessons.ts";
import type { ForcedCall, NativeTools, UpstreamRequest } from "./upstream.ts";

/** A body by its fields, in their order; none is undefined. */
export type ChatBody = Readonly<Record<string, unknown>>;

/**
 * The body of a chat completion: the fields of OpenAI's own API, and `top_k`, which most other servers know; beyond the
 * usual ones each only where the client gave it and this kind of server takes it. Strict servers refuse empty lists, and
 * `null` where OpenAI does not write it itself.
 *
 * @param dropped fields that the server has refused, by the names that they have in the body, and other lessons
 */
export function buildBody(
  {
    model,
    messages,
    native,
    sampling,
    stop,
    responseFormat,
    effort,
    reasoningField,
    callsInText,
    forced,
  }: UpstreamRequest,
  capabilities: Capabilities,
  dropped: ReadonlySet<string>,
): ChatBody {
  const { fields, spellings = {}, namesTool, extras, extrasForCalls, withoutThinking } = capabilities;
  const takes = (name: OptionalField) => (fields?.includes(name) ?? true) && !dropped.has(name);
  const offer = native && offerTools(native, { choice: takes("tool_choice"), name: namesTool });
  const reasoning = placeReasoning(reasoningField, capabilities, dropped);
  const otherwise = effort === "none" ? withoutThinking : undefined;
  const level = otherwise ? undefined : takenEffort(effort, capabilities, dropped);
  const optional: Record<OptionalField, unknown> = {
    stream_options: { include_usage: true },
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    top_k: sampling.topK,
    seed: sampling.seed,
    logit_bias: sampling.logitBias,
    user: sampling.user,
    verbosity: sampling.verbosity,
    reasoning_effort: level,
    tool_choice: offer?.choice,
    // What every server does by default is not asked for: some refuse to be told.
    parallel_tool_calls: offer?.tools && native?.parallel === false ? false : undefined,
  };
  const taken = (Object.keys(optional) as OptionalField[]).filter(takes);
  const body = {
    model,
    messages: [...messages.map((message) => buildMessage(message, reasoning, capabilities)), ...prefilled(forced)],
    tools: offer?.tools?.map(buildTool),
    stream: true,
    max_tokens: sampling.maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    stop: stop.length > 0 ? stop : undefined,
    response_format: responseFormat && buildFormat(responseFormat),
    ...Object.fromEntries(taken.map((name) => [spellings[name] ?? name, optional[name]])),
    ...otherwise,
    ...extras,
    ...(callsInText && extrasForCalls),
    ...forced?.fields,
  };
  const named = Object.entries(body).map(([name, value]): [string, unknown] => [sentName(name, dropped), value]);
  return Object.fromEntries(named.filter(([name, value]) => value !== undefined && !dropped.has(name)));
}

function takenEffort(effort: Effort | undefined, { efforts }: Capabilities, dropped: ReadonlySet<string>) {
  const level = effort && nearestEffort(effort, efforts);
  return level && dropped.has(refusedEffort(level)) ? undefined : level;
}

/** Where the reasoning of earlier answers stands. */
interface ReasoningPlace {
  field: ReasoningField;
  /** Also in answers that have none. */
  everywhere: boolean;
}

function placeReasoning(
  planned: ReasoningField | undefined,
  { reasoning: known = USUAL_REASONING }: Capabilities,
  dropped: ReadonlySet<string>,
): ReasoningPlace | undefined {
  const everywhere = dropped.has(REASONING_DEMANDED);
  const field = planned ?? (everywhere ? known : undefined);
  return field === undefined || dropped.has(refusedReasoningField(field)) ? undefined : { field, everywhere };
}

function prefilled(forced: ForcedCall | undefined) {
  if (!forced?.prefill) return [];
  const { text, mark } = forced.prefill;
  return [{ role: "assistant", content: text, ...mark }];
}

export function writeBody(body: ChatBody): string {
  return JSON.stringify(body, wellFormed);
}

/** Half a surrogate pair has no UTF-8, which is what a tokenizer reads. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

function buildMessage(message: UpstreamMessage, place: ReasoningPlace | undefined, { wantsText }: Capabilities) {
  const { role, content } = message;
  switch (role) {
    case "system":
      return { role, content };
    case "user":
      return { role, content: buildContent(content) };
    case "assistant": {
      const { reasoning = "" } = message;
      const thought = place && (reasoning || place.everywhere) ? { [place.field]: reasoning } : {};
      if (!message.calls) return { role, content, ...thought };
      const calls = message.calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input, wellFormed) },
      }));
      // As OpenAI writes it: templates of models tell an empty text from none.
      return { role, content: content === "" && !wantsText ? null : content, ...thought, tool_calls: calls };
    }
    case "tool":
      return { role, tool_call_id: message.callId, content };
    default:
      return message satisfies never;
  }
}

/** Old servers take no list, so a text stays one. */
function buildContent(content: Content) {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part : { type: "image_url", image_url: { url: part.url } }));
}

/**
 * The tools and the choice among them. Where one tool cannot be named, a list that holds no others says the same; where
 * nothing can be said of calls at all, no tools are offered when none may be called.
 */
function offerTools(
  { tools, choice: { mode, only } }: NativeTools,
  says: { choice: boolean; name: boolean },
): { tools?: readonly Tool[]; choice?: unknown } {
  if (!says.choice && mode === "none") return {};
  if (only === undefined) return { tools, ...(mode !== "auto" && { choice: mode }) };
  if (says.choice && says.name) return { tools, choice: { type: "function", function: { name: only } } };
  return { tools: tools.filter(({ name }) => name === only), choice: mode };
}

function buildTool({ name, description, parameters }: Tool) {
  const schema = isObject(parameters) ? parameters : { type: "object", properties: {} };
  return { type: "function", function: { name, description, parameters: schema } };
}

function buildFormat(format: ResponseFormat) {
  if (format.type === "json") return { type: "json_object" };
  const { type: _, ...schema } = format;
  return { type: "json_schema", json_schema: schema };
}
