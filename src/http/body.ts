import type { Json } from "../conversation.ts";
import { fail } from "../errors.ts";
import { parseExactJson } from "../json.ts";
import { measureStructure } from "../json-structure.ts";
import { REQUEST_LIMITS } from "../limits.ts";
import type { Lease } from "../occupancy.ts";

/**
 * Reads a request's body as JSON within the caps. The content type is not looked at: SDKs and curl differ in it, and
 * there is nothing else a body could be.
 *
 * @param maxBytes counted while reading; the client's own word about the length only makes the refusal earlier
 * @param lease takes what is read, and is asked whether there is room for it
 * @throws GatewayFailure `unsupported-encoding`, `too-large` or `invalid-request`; what the lease throws
 */
export async function readJsonBody(request: Request, maxBytes: number, lease: ReadLease): Promise<unknown> {
  const json = await readTextBody(request, maxBytes, lease);
  if (json.trim() === "") return invalidBody("The request has no body; a JSON object is expected.");
  // Numbers keep their digits: some wires hold the arguments of earlier calls as they are.
  return parseBody(json, parseExactJson);
}

/** @throws GatewayFailure `unsupported-encoding`, `too-large`, or `invalid-request` for what is no UTF-8; what the lease throws */
export async function readTextBody(request: Request, maxBytes: number, lease: ReadLease): Promise<string> {
  refuseEncoding(request.headers.get("content-encoding"));
  if (Number(request.headers.get("content-length")) > maxBytes) return tooLarge(maxBytes);
  return readText(request.body, maxBytes, lease);
}

/**
 * A body, or a line of one.
 * @throws GatewayFailure `invalid-request`
 */
export function parseBody(json: string, parse: (text: string) => Json | undefined): Json {
  checkStructure(json);
  const body = parse(json);
  // The parser's own words would quote what the client sent.
  return body === undefined ? invalidBody("The body of the request is not valid JSON.") : body;
}

type ReadLease = Pick<Lease, "add" | "checkRoom">;

function refuseEncoding(encoding: string | null): void {
  if (encoding === null || encoding.trim() === "" || encoding.trim().toLowerCase() === "identity") return;
  fail({ kind: "unsupported-encoding", message: "Compressed request bodies are not supported: send plain JSON." });
}

/** As UTF-8; a byte order mark is dropped. */
async function readText(body: Request["body"], maxBytes: number, lease: ReadLease): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  const pieces: string[] = [];
  let bytes = 0;
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    // Wakes a waiting read: by its end or, in workerd, as a failure.
    reader.cancel().catch(() => {});
  }, REQUEST_LIMITS.bodyTimeout);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        return late ? tooSlow() : invalidBody("The body of the request broke off.");
      });
      if (late) return tooSlow();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) return tooLarge(maxBytes);
      lease.add(value.byteLength);
      lease.checkRoom();
      pieces.push(decode(decoder, value));
    }
  } catch (thrown) {
    // Not awaited: a client that goes on sending must not hold up its own refusal.
    reader.cancel().catch(() => {});
    throw thrown;
  } finally {
    clearTimeout(deadline);
  }
  pieces.push(decode(decoder));
  return pieces.join("");
}

/** Without bytes: what the end leaves over. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return invalidBody("The body of the request is not valid UTF-8.");
  }
}

function checkStructure(json: string): void {
  const structure = measureStructure(json, REQUEST_LIMITS);
  if (!("exceeded" in structure)) return;
  const message =
    structure.exceeded === "depth"
      ? `The body of the request is nested deeper than ${REQUEST_LIMITS.depth} levels.`
      : `The body of the request has more than ${REQUEST_LIMITS.structure} structural characters.`;
  fail({ kind: "invalid-request", message, param: structure.member ?? "body" });
}

function invalidBody(message: string): never {
  return fail({ kind: "invalid-request", message });
}

function tooSlow(): never {
  return invalidBody(`The body of the request took more than ${REQUEST_LIMITS.bodyTimeout / 1_000} seconds to come.`);
}

function tooLarge(maxBytes: number): never {
  return fail({ kind: "too-large", message: `The body of the request is larger than ${maxBytes} bytes.` });
}
