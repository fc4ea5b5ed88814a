import { decodeBase64, fullBase64 } from "../base64.ts";
import type { MediaPart, Part, Turn } from "../conversation.ts";
import { readBase64ImageSize } from "../image-size.ts";

/** What each file of a type begins with, in base64. */
const BEGINNINGS = { png: "iVBORw0KGgo", jpeg: "/9j/", gif: "R0lGOD", webp: "UklGR" };
const IMAGE_TYPES = Object.keys(BEGINNINGS) as (keyof typeof BEGINNINGS)[];

/** A form of images that an upstream takes: data of a type, or the address of any. */
export type ImageForm = "url" | keyof typeof BEGINNINGS;

/**
 * Media of the user's turns that the model can be shown become images; what the assistant had is left alone, since no
 * server takes images there.
 *
 * @param forms those that the upstream takes; none where its model does not see
 */
export function showImages(turns: readonly Turn[], forms: readonly ImageForm[]): readonly Turn[] {
  if (forms.length === 0) return turns;
  return turns.map((turn) => (turn.role === "user" ? { ...turn, parts: show(turn.parts, forms) } : turn));
}

function show(parts: readonly Part[], forms: readonly ImageForm[]): Part[] {
  return parts.map((part): Part => {
    if (part.type === "tool-result") return { ...part, parts: show(part.parts, forms) };
    const url = part.type === "media" ? imageUrl(part, forms) : undefined;
    return url === undefined ? part : { type: "image", url };
  });
}

function imageUrl({ mediaType, data, url = "" }: MediaPart, forms: readonly ImageForm[]): string | undefined {
  if (data === undefined) {
    const shown = /^image\/(?:\*|jpg|jpeg|png|gif|webp)$/i.test(mediaType) && /^https?:/i.test(url);
    return shown && forms.includes("url") ? url : undefined;
  }
  if (!/^image\//i.test(mediaType)) return undefined;
  // What the data is counts, not what it is said to be: a server that cannot read an image refuses the whole history.
  const file = fullBase64(data);
  const type = IMAGE_TYPES.find((type) => file?.startsWith(BEGINNINGS[type]));
  return type && forms.includes(type) ? `data:image/${type};base64,${file}` : undefined;
}

const KINDS = ["image", "audio", "video"];

/** Stands for what a model cannot be shown: `[image: image/png, plan.png, 1280x720, 84 kB, not shown]`. */
export function describeMedia({ mediaType, data, name }: MediaPart): string {
  const kind = KINDS.find((candidate) => mediaType.startsWith(`${candidate}/`)) ?? "file";
  const size = data === undefined ? "" : imageSize(mediaType, data);
  const known = [mediaType, name ?? "", size, data === undefined ? "" : `${kilobytes(data)} kB`, "not shown"];
  return `[${kind}: ${known.filter((word) => word !== "").join(", ")}]`;
}

function imageSize(mediaType: string, data: string): string {
  if (!mediaType.startsWith("image/")) return "";
  const size = readBase64ImageSize(data);
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
