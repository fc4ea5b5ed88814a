import type { Json, JsonObject } from "../conversation.ts";
import { isExactNumber, isObject } from "../json.ts";
import type { FinishReason, Usage } from "../reply.ts";
import { count, fields, list, string } from "./json-fields.ts";
import type { CallDelta } from "./native-calls.ts";

/** One event of a chat completion, whatever the upstream's taste in spelling it. */
export interface Chunk {
  reasoning: string;
  text: string;
  calls: CallDelta[];
  finish?: { reason: ChunkReason; stopString: string };
  usage?: Usage;
  /** Of any shape; present only when there is one. */
  error?: Json;
}

/** `unsaid`: the answer is over, and does not say why. */
type ChunkReason = FinishReason | "failed" | "unsaid";

/** `end_turn`, `eos` and whatever else is not listed is a stop. */
const FINISH_REASONS: ReadonlyMap<string, ChunkReason> = new Map<string, ChunkReason>([
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["tool_calls", "tool"],
  ["tool_use", "tool"],
  ["function_call", "tool"],
  ["content_filter", "filter"],
  ["safety", "filter"],
  ["refusal", "filter"],
  ["context_length_exceeded", "context"],
  ["model_context_window_exceeded", "context"],
  // The server gave up in the middle: told as a stop, half an answer would pass for a whole one.
  ["error", "failed"],
  ["abort", "failed"],
  ["insufficient_system_resource", "failed"],
]);

/**
 * Undefined when the value is nothing that a chat completion is made of. Workers AI has an older form as well, without
 * choices: the text is the `response`, and calls stand beside it.
 *
 * @param all the value is all that the upstream says, not one event of a stream
 */
export function readChunk(value: unknown, all = false): Chunk | undefined {
  if (!isObject(value)) return undefined;
  const isError = value.object === "error" || value.success === false || (value.internalCode ?? null) !== null;
  const error = value.error || (isError ? value : undefined);
  if (error) return { reasoning: "", text: "", calls: [], error };
  if (all && isObject(value.result)) return readChunk(value.result, all);
  const older = !Array.isArray(value.choices) && ("response" in value || Array.isArray(value.tool_calls));
  // n > 1 is never asked for; of what comes in spite of that, the first choice is the answer.
  const choice = older ? value : fields(list(value.choices).find((one) => !Number(fields(one).index ?? 0)));
  const usage = readUsage(value.usage) ?? readUsage(choice.usage) ?? readUsage(fields(value.x_groq).usage);
  if (!Array.isArray(value.choices) && !older && !usage) return undefined;

  // A whole completion has a message, and is over even where it gives no reason.
  const whole = older ? all : !isObject(choice.delta) && isObject(choice.message);
  const delta = older ? value : fields(whole ? choice.message : choice.delta);
  const finish = readFinish(choice, whole);
  return {
    reasoning: readReasoning(delta),
    text: (older ? readResponse(value.response, all) : readText(delta.content)) + string(delta.refusal),
    calls: readCalls(delta, whole),
    ...(finish && { finish }),
    ...(usage && { usage }),
  };
}

/** Under one name of four; who gives it under several says the same under each. */
function readReasoning(delta: JsonObject): string {
  return (
    string(delta.reasoning_content) ||
    string(delta.reasoning) ||
    joined(delta.reasoning_details, ({ text, summary }) => string(text) || string(summary)) ||
    joined(delta.content, ({ type, thinking }) => (type === "thinking" ? readText(thinking) : ""))
  );
}

/** A text, a number that was one (Workers AI), or the text in a list of parts. */
function readText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (typeof content === "number" || typeof content === "boolean" || isExactNumber(content))
    return JSON.stringify(content);
  return joined(content, ({ text }) => string(text));
}

/** JSON that was asked for comes parsed, and only as a whole: an object in a stream is somebody else's event. */
function readResponse(response: Json | undefined, all: boolean): string {
  return all && typeof response === "object" && response !== null ? JSON.stringify(response) : readText(response);
}

function joined(parts: unknown, read: (part: JsonObject) => string): string {
  return list(parts)
    .map((part) => read(fields(part)))
    .join("");
}

/** @param whole each entry is a call of its own, and has an index only by its position */
function readCalls(delta: JsonObject, whole: boolean): CallDelta[] {
  const calls = list(delta.tool_calls).map((call, position) => {
    const { index, id, function: named = call } = fields(call);
    const place = count(index) ?? (whole ? position : undefined);
    return { ...(place !== undefined && { index: place }), id: string(id), ...readFunction(named) };
  });
  // The old spelling; some servers give both, for clients of either age.
  if (calls.length > 0 || !isObject(delta.function_call)) return calls;
  return [{ index: 0, id: "", ...readFunction(delta.function_call) }];
}

function readFunction(value: unknown): { name: string; arguments: string } {
  const { name, arguments: json } = fields(value);
  return { name: string(name), arguments: isObject(json) ? JSON.stringify(json) : string(json) };
}

/** vLLM and SGLang say which stop string it was; a number there is a token. */
function readFinish(choice: JsonObject, whole: boolean): Chunk["finish"] {
  const said = string(choice.finish_reason);
  if (said === "" && !whole) return undefined;
  return {
    reason: said === "" ? "unsaid" : (FINISH_REASONS.get(said.toLowerCase()) ?? "stop"),
    stopString: string(choice.stop_reason) || string(choice.matched_stop),
  };
}

/** Some upstreams count the reasoning beside the output instead of in it (xAI). Only the sums tell. */
function reasoningBeside(total: number | undefined, input: number, output: number, reasoning: number): number {
  return reasoning > output || total === input + output + reasoning ? reasoning : 0;
}

function readUsage(value: unknown): Usage | undefined {
  const usage = fields(value);
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  // No prompt has no tokens: what one event has, which Workers AI tells with each (the sum stands in the last), is no sum.
  if (input === 0) return undefined;
  const cached = count(fields(usage.prompt_tokens_details).cached_tokens) ?? count(usage.prompt_cache_hit_tokens);
  const reasoning = count(fields(usage.completion_tokens_details).reasoning_tokens);
  return {
    input: input ?? 0,
    output: (output ?? 0) + reasoningBeside(count(usage.total_tokens), input ?? 0, output ?? 0, reasoning ?? 0),
    ...(cached !== undefined && { cached }),
    ...(reasoning !== undefined && { reasoning }),
  };
}
