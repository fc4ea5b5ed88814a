import { decodeBase64 } from "../base64.ts";
import type { MediaPart } from "../conversation.ts";
import { readImageSize } from "./image-size.ts";

const KINDS = ["image", "audio", "video"];

/** Stands for what a text model cannot be shown: `[image: image/png, plan.png, 1280x720, 84 kB, not shown]`. */
export function describeMedia({ mediaType, data, name }: MediaPart): string {
  const kind = KINDS.find((candidate) => mediaType.startsWith(`${candidate}/`)) ?? "file";
  const size = data === undefined ? "" : imageSize(mediaType, data);
  const known = [mediaType, name ?? "", size, data === undefined ? "" : `${kilobytes(data)} kB`, "not shown"];
  return `[${kind}: ${known.filter((word) => word !== "").join(", ")}]`;
}

/** Beyond it no header ends but one behind a whole album of previews. */
const HEADER = 131_072;

function imageSize(mediaType: string, data: string): string {
  if (!mediaType.startsWith("image/")) return "";
  const size = readImageSize(decodeBase64(data.slice(0, HEADER)) ?? new Uint8Array());
  return size ? `${size.width}x${size.height}` : "";
}

/** A document that is text as it stands; undefined for any other, also where it only says so. */
export function readDocument({ mediaType, data }: MediaPart): string | undefined {
  if (data === undefined || !/^(?:text\/|application\/json\s*(?:;|$))/i.test(mediaType)) return undefined;
  const bytes = decodeBase64(data);
  if (bytes?.includes(0) !== false) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Four characters of base64 are three bytes. */
function kilobytes(base64: string): number {
  return Math.ceil((base64.length * 3) / 4 / 1000);
}
