import type { Json } from "../conversation.ts";
import type { GatewayError } from "../errors.ts";
import { parseExactJson, parseJson } from "../json.ts";
import type { FinishEvent, NativeCall, Stage, UpstreamEvent, Usage } from "../reply.ts";
import { createTokenCounter } from "../tokens.ts";
import { type Chunk, readChunk } from "./chunk.ts";
import { createNativeCalls } from "./native-calls.ts";
import { type AskedModel, readStreamError } from "./refusal.ts";

export interface DecodeOptions {
  /** An estimate of what went upstream, asked for only where the upstream does not count. */
  promptTokens: () => number;
  /** Characters of the answer, reasoning and native arguments included; beyond it the answer has failed. */
  maxCharacters: number;
  /** Native calls: those behind are lost. */
  maxCalls: number;
  /** Characters of native calls, which are held until the end: beyond it the answer has failed. */
  maxHeld: number;
  /** An answer that just ends, and says neither why nor that it does, is whole. */
  lenientEof: boolean;
  /** The client's stop strings: only one of them is told to have ended the reply, never one of the gateway's own. */
  stop: readonly string[];
  /** The most tokens that were asked for: an answer that does not say why it ended may have been cut there. */
  maxTokens?: number | undefined;
  /** For an upstream that says only in its stream that it has no such model; absent, the model was not the client's. */
  asked?: AskedModel;
  /** The name is that of a tool the client has declared. */
  isTool?: (name: string) => boolean;
}

/**
 * What came as an object, or as a number, is written as JSON again, with the digits that it had. Workers AI parses what its
 * models write, a lone number as well.
 */
const WRITTEN_AGAIN = /"(?:arguments|response|content)"\s*:\s*[{\d-]/;

const NO_MODEL: AskedModel = { model: "", clientNamed: false };

/** The first stage: the data of the upstream's events → what the model says. Emits one `finish` or one `error`. */
export interface Decode extends Stage<string> {
  /** @param whole the data is all of the body */
  push(data: string, whole?: boolean): void;
  /** The upstream's body is over. */
  end(): void;
  /** Nothing more will come, for a reason of somebody else's. An answer that had its finish is whole all the same. */
  fault(error: GatewayError): void;
  /** The upstream's last word, else an estimate of what came so far: for a reply that a later stage ends early. */
  usage(): Usage;
  /** Of the answer so far, reasoning and native arguments included. */
  characters(): number;
  /** The upstream's own calls as far as they have come, for a reply that a later stage ends early, too. */
  calls(): readonly NativeCall[];
}

export function createDecode(options: DecodeOptions, emit: (event: UpstreamEvent) => void): Decode {
  const { maxCalls, maxHeld } = options;
  const calls = createNativeCalls(options.isTool, maxCalls);
  let characters = 0;
  /** Kept all along: that the upstream will not count is known only at the end. */
  const estimate = createTokenCounter();
  /** Of native calls, which are held whatever the answer's form. */
  let held = 0;
  let counted: Usage | undefined;
  /** Held until the stream's own end: the usage comes behind it. */
  let finish: FinishEvent | undefined;
  let ended = false;

  const usage = (): Usage =>
    counted ?? {
      input: options.promptTokens(),
      output: estimate.total(),
      estimated: true,
    };

  /** An answer is over and nobody has said why. */
  const unsaid = (): FinishEvent => {
    const { maxTokens = Number.POSITIVE_INFINITY } = options;
    return { type: "finish", reason: counted && counted.output >= maxTokens ? "length" : "stop" };
  };

  function settle(event: FinishEvent) {
    ended = true;
    for (const call of calls.all()) emit(call);
    emit({ type: "usage", usage: usage() });
    emit(calls.overflowed ? { ...event, cutBlock: true } : event);
  }

  function fault(error: GatewayError) {
    if (ended) return;
    if (finish) return settle(finish);
    ended = true;
    if (counted) emit({ type: "usage", usage: counted });
    emit({ type: "error", error });
  }

  const unreadable = (detail: string) => fault({ kind: "upstream-failed", detail });

  function readOrGiveUp(value: Json, whole: boolean): Chunk | undefined {
    try {
      return readChunk(value, whole);
    } catch {
      // Writing arguments that came as an object: they may nest deeper than the stack.
      unreadable("an event that nests too deep");
      return undefined;
    }
  }

  function take(chunk: Chunk) {
    const { reasoning, text } = chunk;
    if (chunk.error !== undefined) return fault(readStreamError(chunk.error, options.asked ?? NO_MODEL));
    characters += reasoning.length + text.length;
    estimate.push(reasoning);
    estimate.push(text);
    for (const call of chunk.calls) {
      characters += call.arguments.length;
      estimate.push(call.arguments);
      held += call.id.length + call.name.length + call.arguments.length;
      if (held > maxHeld) return unreadable(`native calls of more than ${maxHeld} characters`);
      calls.push(call);
    }
    if (characters > options.maxCharacters)
      return unreadable(`an answer of more than ${options.maxCharacters} characters`);
    counted = chunk.usage ?? counted;
    if (reasoning !== "") emit({ type: "reasoning", text: reasoning });
    if (text !== "") emit({ type: "text", text });
    if (!chunk.finish) return;
    const { reason, stopString } = chunk.finish;
    if (reason === "failed") return unreadable("the upstream gave up in the middle of the answer");
    if (reason === "unsaid") finish = unsaid();
    else finish = { type: "finish", reason, ...(options.stop.includes(stopString) && { stopSequence: stopString }) };
  }

  return {
    push(data, whole = false) {
      if (ended) return;
      const trimmed = data.trim();
      if (trimmed === "[DONE]") return settle(finish ?? unsaid());
      // A comment that was sent as data.
      if (trimmed === "" || trimmed.startsWith(":")) return;
      const value = WRITTEN_AGAIN.test(trimmed) ? parseExactJson(trimmed) : parseJson(trimmed);
      if (value === undefined) return unreadable(`an event of ${data.length} characters that is no JSON`);
      const chunk = readOrGiveUp(value, whole);
      if (chunk) take(chunk);
    },
    end() {
      if (ended) return;
      if (finish) settle(finish);
      // Where nothing was said there is no answer.
      else if (options.lenientEof && (characters + held > 0 || counted)) settle(unsaid());
      else unreadable("the stream ended without a finish reason");
    },
    fault,
    usage,
    characters: () => characters,
    calls: calls.all,
  };
}
