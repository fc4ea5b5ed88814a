import { callableTools } from "./asking.ts";
import type { Conversation, JsonObject, Tool } from "./conversation.ts";
import { beginningOf, frameOf } from "./dialects/call-frame.ts";
import type { TaughtDialect } from "./dialects/dialect.ts";
import { callGrammar } from "./dialects/gbnf.ts";
import { isObject } from "./json.ts";
import { REQUEST_LIMITS } from "./limits.ts";
import type { UpstreamMessage } from "./prompt/messages.ts";
import type { Quoting } from "./prompt/quoting.ts";
import { appendToLastQuestion } from "./prompt/turns.ts";
import { createInliner } from "./schema/inline.ts";
import type { Config } from "./tenants/config.ts";
import { capabilitiesOf, type Forcing } from "./upstreams/capabilities.ts";
import { forcedBy } from "./upstreams/lessons.ts";
import type { ForcedCall, UpstreamRequest } from "./upstreams/upstream.ts";

interface ForcingOptions {
  config: Config;
  dialect: TaughtDialect;
  quoting: Quoting | undefined;
  /** What this server has refused of late. */
  refused: ReadonlySet<string>;
}

interface Target extends ForcingOptions {
  request: UpstreamRequest;
  /** Those that may be called. */
  tools: readonly Tool[];
  several: boolean;
  /** The model thinks before it answers. */
  reasons: boolean;
}

/**
 * The same request, and with it the best help that its server has for a model that has to call and may not do so by itself.
 * Undefined where none has to be called, nothing helps, or all that would has been refused.
 */
export function forceCall(
  request: UpstreamRequest,
  conversation: Conversation,
  options: ForcingOptions,
): UpstreamRequest | undefined {
  const { toolChoice, parallelToolCalls: several, reasoning } = conversation;
  const { mode, only = [] } = toolChoice;
  const tools = callableTools(conversation).filter(({ name }) => only.length === 0 || only.includes(name));
  if (!request.callsInText || mode !== "required" || tools.length === 0) return undefined;
  const { toolcall, upstream } = options.config;
  const reasons = toolcall.reasoning === "open" || (reasoning.effort ?? "none") !== "none";
  const target = { ...options, request, tools, several, reasons };
  const untried = capabilitiesOf(upstream.kind).forcings.filter(({ by }) => !options.refused.has(forcedBy(by)));
  return untried.map((forcing) => force(forcing, target)).find((forced) => forced !== undefined);
}

function force(forcing: Forcing, target: Target): UpstreamRequest | undefined {
  const { by } = forcing;
  const forced = (rest: Omit<ForcedCall, "by">) => ({ ...target.request, forced: { by, ...rest } });
  switch (by) {
    case "structural-tag": {
      const format = structuralTag(target);
      return format && forced({ fields: { response_format: { type: "structural_tag", format } } });
    }
    case "grammar": {
      const frame = frameOf(target.dialect.write);
      return frame && forced({ fields: forcing.fields(callGrammar(frame, namesOf(target), target)) });
    }
    case "prefill": {
      const { mark = {}, fields = {} } = forcing;
      const text = prefill(target, forcing.below);
      return text === "" ? undefined : forced({ fields, prefill: { text, mark } });
    }
    case "json-schema": {
      const schema = callSchema(target);
      const response_format = { type: "json_schema", json_schema: { name: "call", schema } };
      return schema && { ...forced({ fields: { response_format } }), messages: askedForJson(target.request) };
    }
    default:
      return forcing satisfies never;
  }
}

/** A call at the beginning; behind it anything, another one too. */
function structuralTag(target: Target): object | undefined {
  const { dialect, tools, several } = target;
  const frame = frameOf(dialect.write);
  const trigger = beginningOf(dialect.write, undefined);
  if (!frame || trigger === "") return undefined;
  if (frame.rules) return { type: "grammar", grammar: callGrammar(frame, namesOf(target), target) };
  const tags = tools.map((tool) => ({
    type: "tag",
    begin: frame.begin(tool.name),
    content: { type: "json_schema", json_schema: { ...schemaOf(tool), type: "object" } },
    end: frame.end,
  }));
  return { type: "triggered_tags", triggers: [trigger], tags, at_least_one: true, stop_after_first: !several };
}

const namesOf = ({ tools }: Target) => tools.map(({ name }) => name);

/** Empty where a model that thinks would have to think in the midst of its answer, and where nothing can be gone on with. */
function prefill({ dialect, tools, quoting, reasons, request, config }: Target, below = ""): string {
  const { upstream } = config;
  const taken = upstream.kind !== "demo" && upstream.baseUrl.endsWith(below);
  if (reasons || !taken || request.messages.at(-1)?.role !== "user") return "";
  const [tool, second] = tools;
  // A name that had to be quoted could forge a mark of the chat template.
  const named = tool && !second && (quoting?.quote(tool.name) ?? tool.name) === tool.name;
  return beginningOf(dialect.write, named ? tool.name : undefined);
}

/** Bare JSON is read whatever is taught, but in `canonical` it is just text. */
function callSchema(target: Target): object | undefined {
  const { tools, config } = target;
  if (config.toolcall.mode !== "feature_match") return undefined;
  const [tool, second] = tools;
  // Where several may be called, which schema holds depends on the name: not every server can say so.
  const input = tool && !second ? createInliner(REQUEST_LIMITS.schema)(schemaOf(tool)) : {};
  return {
    type: "object",
    properties: { name: { type: "string", enum: namesOf(target) }, arguments: { ...input, type: "object" } },
    required: ["name", "arguments"],
    additionalProperties: false,
  };
}

function askedForJson({ messages }: UpstreamRequest): UpstreamMessage[] {
  const asked = messages.map((message) => ({ ...message }));
  appendToLastQuestion(asked, IN_JSON);
  return asked;
}

/** No model is asked to write a grammar's form unknowingly: it would fight it. */
const IN_JSON = '(This turn, write the call as one JSON object and nothing else: {"name": …, "arguments": {…}})';

function schemaOf({ parameters }: Tool): JsonObject {
  return isObject(parameters) ? parameters : {};
}
