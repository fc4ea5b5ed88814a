import type { GatewayError } from "../errors.ts";
import { count, fields } from "./json-fields.ts";

/** What upstreams call it where they have a name for it. */
const NAMES = new Set(["context_length_exceeded", "exceed_context_size_error", "context_window_exceeded"]);

/** What they say where they have none: OpenAI, vLLM, SGLang, llama.cpp, Ollama, Gemini, Mistral, LM Studio, Workers AI. */
const PHRASES = [
  "maximum context length",
  "maximum input length",
  "model's context length",
  "available context size",
  "exceeds the context",
  "exceed context window",
  "context length exceeded",
  "prompt is too long",
  "input is too long",
  "exceeds the maximum number of tokens",
  "reduce the length of the messages",
  "maximum model length",
  "exceed context limit",
  "context window limit",
  "max context length",
  "loaded with context length",
  ">= n_ctx",
];

/** Characters of the upstream's words that are searched. */
const SEARCHED = 2_000;

/**
 * The error of a conversation that does not fit, or undefined when it is another one. Agents compact their history on
 * this one alone, so it is told apart, with the numbers where the upstream names them.
 */
export function contextError(refusal: {
  /** Undefined where none was told: then its words alone count. */
  status: number | undefined;
  code: string;
  type: string;
  message: string;
  error: unknown;
}): (GatewayError & { kind: "context-length" }) | undefined {
  const { status, code, type } = refusal;
  const text = refusal.message.slice(0, SEARCHED);
  const lowerCase = text.toLowerCase();
  const rejected = status === undefined || status === 400 || status === 413 || status === 422;
  const named = NAMES.has(code) || NAMES.has(type);
  if (!named && !(rejected && PHRASES.some((phrase) => lowerCase.includes(phrase)))) return undefined;

  const told = fields(refusal.error);
  const limit = count(told.n_ctx) ?? readLimit(text);
  const output = readPart(text, OUTPUTS);
  const prompt = count(told.n_prompt_tokens) ?? readPart(text, PROMPTS);
  const overflow = { kind: "context-length", ...(limit !== undefined && { limit }) } as const;
  // Both or none: a part alone would be taken for the total.
  if (prompt !== undefined && output !== undefined) return { ...overflow, used: prompt, output };
  const used = count(told.n_prompt_tokens) ?? readUsed(text, limit);
  return { ...overflow, ...(used !== undefined && { used }) };
}

/** The answer's maximum: OpenAI and OpenRouter, three versions of vLLM, SGLang and Workers AI, Anthropic. */
const OUTPUTS = [
  /(\d{1,9}) in the (?:completion|output)/gi,
  /tokens'? is too large: (\d{1,9})/gi,
  /requested (\d{1,9}) output tokens/gi,
  /(\d{1,9}) tokens for the completion/gi,
  /context limit: \d{1,9} \+ (\d{1,9})/gi,
];

/** The prompt beside it. OpenRouter tells it in pieces. */
const PROMPTS = [
  /(\d{1,9}) (?:in the messages|of \w+ input|in the prompt)/gi,
  /(\d{1,9}) input tokens/gi,
  /(\d{1,9}) tokens from the input/gi,
  /context limit: (\d{1,9}) \+/gi,
];

const LIMITS = [
  /context limit: \d{1,9} \+ \d{1,9} > (\d{3,9})/i,
  /context window limit \((\d{3,9})\)/i,
  /(?:maximum context length|context length|context size|context window|maximum|n_ctx)[^\d]{0,40}(\d{3,9})/i,
  /(\d{3,9})(?: tokens)? maximum/i,
];

/** The sum of what the first pattern that fits finds. */
function readPart(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = [...text.matchAll(pattern)].map(([, number]) => Number(number));
    if (found.length > 0) return found.reduce((sum, number) => sum + number);
  }
  return undefined;
}

function readLimit(text: string): number | undefined {
  for (const pattern of LIMITS) {
    const found = pattern.exec(text);
    if (found) return Number(found[1]);
  }
  return undefined;
}

/** The first number beyond the limit: the total, where the parts are named as well. */
function readUsed(text: string, limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const numbers = text.match(/\d{3,9}/g) ?? [];
  return numbers.map(Number).find((number) => number > limit);
}
