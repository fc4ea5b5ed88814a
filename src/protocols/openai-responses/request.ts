import type { Conversation, JsonObject, Sampling } from "../../conversation.ts";
import { fail } from "../../errors.ts";
import {
  invalid,
  readBoolean,
  readFields,
  readInteger,
  readNumber,
  readString,
  unsupportedParameter,
} from "../fields.ts";
import { readResponseFormat } from "../openai/response-format.ts";
import { readToolChoice } from "../openai/tools.ts";
import { checkModel, givenOnly, readBody, readEffort } from "../options.ts";
import { createWarnings, type Warn } from "../warnings.ts";
import { readInput } from "./input.ts";
import { readTools, type ToolNames } from "./tools.ts";

interface ResponsesRequest {
  conversation: Conversation;
  warnings: string[];
  names: ToolNames;
  /** What every response repeats of its request. */
  echo: object;
}

/**
 * Reads the body of `POST /v1/responses`.
 * @throws GatewayFailure `invalid-request`, `unsupported` or `conversation-not-stored`, naming the field
 */
export function readRequest(value: unknown): ResponsesRequest {
  const body = readBody(value);
  const { input } = body;
  if (input === "" || (Array.isArray(input) ? input.length === 0 : (input ?? undefined) === undefined)) {
    return invalid("input", "expected a text or at least one item.");
  }
  return readGivenInput(body);
}

/** The same, but the input may be missing: what is asked is how many tokens there are. */
export function readTokenCountRequest(value: unknown): Conversation {
  return readGivenInput(readBody(value)).conversation;
}

function readGivenInput(body: JsonObject): ResponsesRequest {
  refuseUnsupported(body);
  const { warn, warnings } = createWarnings();
  const { tools, names } = readTools(body, warn);
  const text = readFields(body, "text") ?? {};
  const responseFormat = readResponseFormat(readFields(text, "format", "text."), "text.format");
  const conversation: Conversation = {
    model: checkModel(readString(body, "model")),
    ...readInput(body, names, warn),
    tools,
    toolChoice: readToolChoice(body, tools, names),
    parallelToolCalls: readBoolean(body, "parallel_tool_calls") ?? true,
    sampling: readSampling(body, text),
    ...(responseFormat && { responseFormat }),
    reasoning: readReasoning(body, warn),
    stream: readBoolean(body, "stream") ?? false,
  };
  return { conversation, names, echo: readEcho(body, conversation), warnings: warnings() };
}

/** What would change the answer and cannot be given; everything unknown is ignored. */
function refuseUnsupported(body: JsonObject): void {
  for (const param of ["previous_response_id", "conversation"]) {
    if ((body[param] ?? undefined) === undefined) continue;
    // Without what went before, the model would answer another question.
    const message = `No '${param}' can be found: responses are not stored here. Send the whole conversation as 'input'.`;
    fail({ kind: "conversation-not-stored", message, param });
  }
  if (readBoolean(body, "background")) unsupportedParameter("background");
  if ((body.prompt ?? undefined) !== undefined) unsupportedParameter("prompt");
}

function readSampling(body: JsonObject, text: JsonObject): Sampling {
  return givenOnly({
    maxTokens: readInteger(body, "max_output_tokens", 1),
    temperature: readNumber(body, "temperature"),
    topP: readNumber(body, "top_p"),
    verbosity: readString(text, "verbosity", "text."),
  });
}

function readReasoning(body: JsonObject, warn: Warn): Conversation["reasoning"] {
  const reasoning = readFields(body, "reasoning") ?? {};
  const effort = readEffort(readString(reasoning, "effort", "reasoning."), "reasoning.effort", warn);
  const summary = readString(reasoning, "summary", "reasoning.") ?? "none";
  return { ...(effort && { effort }), expose: summary !== "none" };
}

/** Clients with a strict schema want all of it, with the vendor's defaults for what was not sent (docs/wires.md). */
function readEcho(body: JsonObject, { model, parallelToolCalls, sampling }: Conversation): object {
  const { format, ...text } = readFields(body, "text") ?? {};
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: sampling.maxTokens ?? null,
    model,
    parallel_tool_calls: parallelToolCalls,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...readFields(body, "reasoning") },
    store: false,
    temperature: sampling.temperature ?? 1,
    top_p: sampling.topP ?? 1,
    text: { format: format ?? { type: "text" }, ...text },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    truncation: readString(body, "truncation") ?? "disabled",
    metadata: readFields(body, "metadata") ?? {},
  };
}
