import { createSource } from "./source.ts";

/**
 * A body as text, as far as it comes: until `bytes` are there (up to one chunk more), or `ms` milliseconds are over
 * where a time is given, or the connection breaks. Never throws; the rest is cancelled.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  caps: { bytes: number; ms?: number },
): Promise<string> {
  if (!body) return "";
  const source = createSource(body);
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const timer = caps.ms === undefined ? undefined : setTimeout(source.interrupt, caps.ms);
  try {
    for (let length = 0; length < caps.bytes; ) {
      const read = await source.read();
      if (typeof read === "string") break;
      length += read.length;
      pieces.push(decoder.decode(read, { stream: true }));
    }
  } catch {
    // What came before the break is all there is to know.
  } finally {
    clearTimeout(timer);
    source.cancel();
  }
  return pieces.join("");
}
