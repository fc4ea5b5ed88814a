import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";
import { parse } from "partial-json";
import { DIALECTS } from "../src/dialects/all.ts";
import { createSieve, type SieveOptions } from "../src/sieve/index.ts";
import { sieve } from "./consumers.ts";
import { call, TOOLS, type WriteCall } from "./corpora.ts";
import type { Consumer } from "./measure.ts";

/** What finds calls in a text: ours, or another's, on calls in a notation that it reads. */
export interface Contender {
  name: string;
  write: WriteCall;
  consume: Consumer<string>;
  read(chunks: readonly string[]): ReadCall[];
  /** Reads a text that is one call and nothing else. */
  callOnly?: true;
}

interface ReadCall {
  name: string;
  /** As JSON text. */
  arguments: string;
  /** The fragments that went out before, joined; undefined where there are none. */
  streamed: string | undefined;
}

// ── notations ──

const hermes: WriteCall = (name, strings) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: strings })}\n</tool_call>`;

const qwen3Coder: WriteCall = (name, strings) => {
  const parameters = Object.entries(strings).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`);
  return `<tool_call>\n<function=${name}>\n${parameters.join("")}</function>\n</tool_call>`;
};

const morphXml: WriteCall = (name, strings) => {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const elements = Object.entries(strings).map(([key, value]) => `<${key}>${escaped(value)}</${key}>\n`);
  return `<${name}>\n${elements.join("")}</${name}>`;
};

const bareJson: WriteCall = (name, strings) => JSON.stringify({ name, parameters: strings });

// ── ours ──

function ours(name: string, write: WriteCall, armed: Pick<SieveOptions, "mode" | "dialects">): Contender {
  return { name: `**sieve**, ${name}`, write, consume: sieve(armed), read: (chunks) => readWithSieve(chunks, armed) };
}

/** In a notation that the sieve reads by now, pinned, since some are of low confidence. */
function oursIn(id: string, write: WriteCall): Contender[] {
  const known = DIALECTS.some((dialect) => dialect.id === id);
  return known ? [ours(id, write, { mode: "feature_match", dialects: [id] })] : [];
}

function readWithSieve(chunks: readonly string[], armed: Pick<SieveOptions, "mode" | "dialects">): ReadCall[] {
  const machine = createSieve({ tools: TOOLS, ...armed });
  const calls: ReadCall[] = [];
  for (const event of [...chunks.flatMap((chunk) => machine.push(chunk)), ...machine.end()]) {
    if (event.type === "call-start") calls.push({ name: event.name, arguments: "", streamed: "" });
    const last = calls.at(-1);
    if (event.type !== "call-arguments" || !last) continue;
    last.arguments += event.json;
    last.streamed = last.arguments;
  }
  return calls;
}

// ── @ai-sdk-tool/parser ──

type Protocol = ReturnType<typeof hermesProtocol>;
type Part = Parameters<NonNullable<Transformer<never, never>["transform"]>>[0] & {
  type: string;
  id?: string;
  delta?: string;
  toolName?: string;
  input?: string;
};

const PEER_TOOLS = TOOLS.map(({ name, parameters }) => ({ type: "function", name, inputSchema: parameters }) as const);

/**
 * The parser without its stream, which would cost more than the parser: what would be given to `TransformStream` is
 * called directly.
 */
function transformerOf(protocol: Protocol): Transformer<Part, Part> {
  const original = TransformStream;
  let transformer: Transformer<Part, Part> | undefined;
  Object.assign(globalThis, {
    TransformStream: class {
      constructor(given: Transformer<Part, Part>) {
        transformer = given;
      }
    },
  });
  try {
    protocol.createStreamParser({ tools: PEER_TOOLS as never });
  } finally {
    Object.assign(globalThis, { TransformStream: original });
  }
  if (!transformer) throw new Error("The protocol has made no stream.");
  return transformer;
}

function feed(protocol: Protocol, chunks: readonly string[], enqueue: (part: Part) => void) {
  const transformer = transformerOf(protocol);
  const controller = { enqueue } as TransformStreamDefaultController<Part>;
  const { setTimeout } = globalThis;
  const timers: (() => void)[] = [];
  // One protocol puts work off until nothing else is to be done. Between two deltas from a network there is nothing.
  Object.assign(globalThis, { setTimeout: (task: () => void) => timers.push(task) });
  const push = (part: Part) => {
    transformer.transform?.(part, controller);
    for (const task of timers.splice(0)) task();
  };
  try {
    push({ type: "text-start", id: "1" } as Part);
    for (const delta of chunks) push({ type: "text-delta", id: "1", delta } as Part);
    push({ type: "text-end", id: "1" } as Part);
    push({ type: "finish", finishReason: { unified: "stop" }, usage: {} } as unknown as Part);
    transformer.flush?.(controller);
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
}

function peer(name: string, write: WriteCall, protocol: () => Protocol): Contender {
  return {
    name: `@ai-sdk-tool/parser, ${name}`,
    write,
    consume: (chunks) => {
      let parts = 0;
      feed(protocol(), chunks, () => parts++);
      return parts;
    },
    read: (chunks) => readWithPeer(protocol(), chunks),
  };
}

function readWithPeer(protocol: Protocol, chunks: readonly string[]): ReadCall[] {
  const calls: ReadCall[] = [];
  let streamed = "";
  feed(protocol, chunks, ({ type, delta = "", toolName = "", input = "" }) => {
    if (type === "tool-input-start") streamed = "";
    if (type === "tool-input-delta") streamed += delta;
    if (type === "tool-call") calls.push({ name: toolName, arguments: input, streamed });
  });
  return calls;
}

// ── partial-json ──

/** The whole text so far, parsed anew at each delta: what a client does that shows arguments as they come. */
const reparse: Consumer<string> = (chunks) => {
  let text = "";
  let members = 0;
  for (const chunk of chunks) {
    text += chunk;
    members += Object.keys(parse(text)).length;
  }
  return members;
};

const partialJson: Contender = {
  name: "partial-json, at each delta",
  write: bareJson,
  consume: reparse,
  read(chunks) {
    const { name, parameters } = parse(chunks.join(""));
    return [{ name, arguments: JSON.stringify(parameters), streamed: undefined }];
  },
  callOnly: true,
};

export const CONTENDERS: readonly Contender[] = [
  ours("canonical", call, { mode: "canonical" }),
  ...oursIn("hermes", hermes),
  peer("hermes", hermes, hermesProtocol),
  ...oursIn("qwen3_coder", qwen3Coder),
  peer("qwen3coder", qwen3Coder, qwen3CoderProtocol),
  ...oursIn("morph_xml", morphXml),
  peer("morph-xml", morphXml, morphXmlProtocol),
  ...oursIn("llama3_json", bareJson).map((contender) => ({ ...contender, callOnly: true as const })),
  partialJson,
];
