import { fail } from "../errors.ts";
import { measureStructure } from "../json-structure.ts";
import { REQUEST_LIMITS } from "../limits.ts";
import { createSseReader } from "./sse-reader.ts";

/** Reads a body: bytes in, the data of its events out. One for each body; `end` is called once. */
export interface BodyReader {
  /** @throws GatewayFailure `upstream-failed` when an event, or a body that is one JSON object, is beyond its caps */
  push(bytes: Uint8Array): void;
  /** @throws GatewayFailure as `push` does */
  end(): void;
}

/** @param whole the data is all of the body, not one event of it */
type OnData = (data: string, whole?: boolean) => void;

const OPENING_BRACE = 0x7b;
/** Blanks and the bytes of a byte order mark: what may stand before the first event. */
const LEADING = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * Reads a body that is either server-sent events or one JSON object, as upstreams answer that ignore `stream: true`.
 * The first byte decides, not the content type, which is wrong often enough: no line of an event stream begins with `{`.
 *
 * @param caps in characters: of one event, and of a body that is one JSON object
 */
export function createBodyReader(caps: { event: number; collected: number }, onData: OnData): BodyReader {
  let reader: BodyReader | undefined;

  /** An upstream may be as hostile as a client: the same caps keep a small text from becoming a huge heap. */
  function check(data: string, whole?: boolean) {
    // What nests too deep has a bracket for each level twice, or is no JSON: most deltas are too short to be looked at.
    if (data.length > 2 * REQUEST_LIMITS.depth && "exceeded" in measureStructure(data, REQUEST_LIMITS)) {
      fail({ kind: "upstream-failed", detail: "JSON of too much structure" });
    }
    onData(data, whole);
  }

  return {
    push(bytes) {
      if (reader) return reader.push(bytes);
      const start = bytes.findIndex((byte) => !LEADING.has(byte));
      if (start < 0) return;
      const isJson = bytes[start] === OPENING_BRACE;
      reader = isJson ? createJsonReader(caps.collected, check) : createSseReader(caps.event, check);
      reader.push(bytes.subarray(start));
    },
    end() {
      reader?.end();
    },
  };
}

function createJsonReader(maxCharacters: number, onData: OnData): BodyReader {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;

  function add(piece: string) {
    length += piece.length;
    if (length > maxCharacters)
      fail({ kind: "upstream-failed", detail: `JSON of more than ${maxCharacters} characters` });
    pieces.push(piece);
  }

  return {
    push: (bytes) => add(decoder.decode(bytes, { stream: true })),
    end() {
      add(decoder.decode());
      onData(pieces.join(""), true);
    },
  };
}
