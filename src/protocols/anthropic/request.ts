import type { Conversation, JsonObject, ResponseFormat, Sampling } from "../../conversation.ts";
import { fail } from "../../errors.ts";
import {
  invalid,
  readBoolean,
  readFields,
  readInteger,
  readNumber,
  readString,
  unsupportedParameter,
  unsupportedValue,
} from "../fields.ts";
import { checkModel, givenOnly, readBody, readEffort, readStop } from "../options.ts";
import { readEntries, readSchema } from "../tool-list.ts";
import { createWarnings, type Warn } from "../warnings.ts";
import { readMessages } from "./messages.ts";
import { readChoice, readTools } from "./tools.ts";

interface MessagesRequest {
  conversation: Conversation;
  warnings: string[];
}

/**
 * Reads the body of `POST /v1/messages`.
 * @throws GatewayFailure `invalid-request` or `unsupported`, naming the field
 */
export function readRequest(value: unknown): MessagesRequest {
  const { answerBegun, ...request } = read(value);
  if (request.conversation.sampling.maxTokens === undefined) invalid("max_tokens", "it is required.");
  // Chat endpoints begin a new answer behind it: the client would be given the rest of another one.
  if (answerBegun) unsupportedValue("messages", "an answer cannot be begun for the model; end with a user message.");
  return request;
}

/** Reads the body of `POST /v1/messages/count_tokens`, which asks for no answer. */
export function readCount(value: unknown): Conversation {
  return read(value).conversation;
}

function read(value: unknown): MessagesRequest & { answerBegun: boolean } {
  const body = readBody(value);
  refuseUnsupported(body);
  const { warn, warnings } = createWarnings();
  const model = checkModel(readString(body, "model"));
  const { system, turns, answerBegun } = readMessages(body, warn);
  const tools = readTools(body, warn);
  const conversation: Conversation = {
    model,
    system,
    turns,
    tools,
    ...readChoice(body, tools),
    sampling: readSampling(body),
    ...readOutput(body, warn),
    stream: readBoolean(body, "stream") ?? false,
  };
  return { conversation, warnings: warnings(), answerBegun };
}

/** What would change the answer and cannot be given; everything unknown is ignored. */
function refuseUnsupported(body: JsonObject): void {
  // Servers whose tools the vendor would call.
  if (readEntries(body, "mcp_servers").length > 0) unsupportedParameter("mcp_servers");
  if ((body.thread ?? undefined) === undefined) return;
  // Its later turns come without those before: the model would answer another question.
  const message = "Threads are not stored here. Send the whole conversation as 'messages'.";
  fail({ kind: "conversation-not-stored", message, param: "thread" });
}

/** `metadata.user_id` stays here: it is made of the ids of a person's account and machine. */
function readSampling(body: JsonObject): Sampling {
  return givenOnly({
    maxTokens: readInteger(body, "max_tokens", 1),
    temperature: readNumber(body, "temperature"),
    topP: readNumber(body, "top_p"),
    topK: readInteger(body, "top_k", 0),
    stop: readStop(body, "stop_sequences"),
  });
}

function readOutput(body: JsonObject, warn: Warn): Pick<Conversation, "reasoning" | "responseFormat"> {
  const output = readFields(body, "output_config") ?? {};
  const given = readEffort(readString(output, "effort", "output_config."), "output_config.effort", warn);
  const { type, expose } = readThinking(body);
  // Where thinking is off, the effort is that of the answer alone, for which upstreams have no field.
  const effort = type === "disabled" ? "none" : given;
  const responseFormat = readFormat(output, "format", "output_config.") ?? readFormat(body, "output_format");
  return {
    reasoning: { ...(effort && { effort }), expose },
    ...(responseFormat && { responseFormat }),
  };
}

/** Shown is what every type gives but `disabled`, those that are still to come as well. */
function readThinking(body: JsonObject): { type: string | undefined; expose: boolean } {
  const thinking = readFields(body, "thinking") ?? {};
  const type = readString(thinking, "type", "thinking.");
  const hidden = readString(thinking, "display", "thinking.") === "omitted";
  return { type, expose: type !== undefined && type !== "disabled" && !hidden };
}

/** `output_format` is the older place. */
function readFormat(fields: JsonObject, name: string, path = ""): ResponseFormat | undefined {
  const format = readFields(fields, name, path);
  if (!format) return undefined;
  const place = `${path}${name}.`;
  if (readString(format, "type", place) !== "json_schema") unsupportedValue(`${place}type`, "expected 'json_schema'.");
  return { type: "json-schema", name: "response", schema: readSchema(format.schema ?? {}, `${place}schema`) };
}
