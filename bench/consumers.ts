import { createSieve, createSieveStage, type SieveOptions } from "../src/sieve/index.ts";
import { TOOLS } from "./corpora.ts";
import type { Consumer } from "./measure.ts";

/** What is measured, and the floors beside it: work that no sieve, no escaping writer and no gateway gets below. */

/** What may be read: the mode, and the notations that are pinned. */
type Armed = Pick<SieveOptions, "mode" | "dialects">;

/** The sieve as the gateway runs it: one stage of an exchange. Its events are dropped as they are made. */
export const sieve =
  (armed: Armed): Consumer<string> =>
  (chunks) => {
    let events = 0;
    const stage = createSieveStage({ tools: TOOLS, ...armed }, () => events++);
    for (const text of chunks) stage.push({ type: "text", text });
    stage.push({ type: "finish", reason: "stop" });
    return events;
  };

/** How often characters are looked at (sieve.md P5). */
export function looks(armed: Armed, chunks: readonly string[]): number {
  const machine = createSieve({ tools: TOOLS, ...armed });
  for (const chunk of chunks) machine.push(chunk);
  machine.end("stop");
  return machine.report().looks;
}

export const identity: Consumer<string> = (chunks) => {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
};

/** Every `<`, where a call could begin: whoever looks for calls has to look there. */
export const indexOfTrigger: Consumer<string> = (chunks) => {
  let found = 0;
  for (const chunk of chunks) for (let at = chunk.indexOf("<"); at !== -1; at = chunk.indexOf("<", at + 1)) found++;
  return found;
};

export const jsonEscape: Consumer<string> = (chunks) => {
  let length = 0;
  for (const chunk of chunks) length += JSON.stringify(chunk).length;
  return length;
};

const FRAME = [
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":',
  '},"finish_reason":null}]}\n\n',
] as const;

export const frames = (chunks: readonly string[]): Uint8Array[] => {
  const encoder = new TextEncoder();
  return chunks.map((chunk) => encoder.encode(FRAME[0] + JSON.stringify(chunk) + FRAME[1]));
};

/** Least work of a gateway that translates: decode the frame, parse it, splice the delta into a new frame, encode that. */
export const leastWork: Consumer<Uint8Array> = (chunks) => {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const event = JSON.parse(text.slice("data: ".length, text.indexOf("\n\n")));
    bytes += encoder.encode(FRAME[0] + JSON.stringify(event.choices[0].delta.content) + FRAME[1]).length;
  }
  return bytes;
};
