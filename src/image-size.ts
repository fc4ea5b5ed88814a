import { decodeBase64 } from "./base64.ts";

/** Pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Characters of base64. Beyond them no header ends but one behind a whole album of previews. */
const HEADER = 131_072;

/** As `readImageSize`, of a file in base64, which may have a data URL's head. */
export function readBase64ImageSize(file: string): ImageSize | undefined {
  const from = file.indexOf(",") + 1;
  const bytes = decodeBase64(file.slice(from, from + HEADER));
  return bytes && readImageSize(bytes);
}

/**
 * The size that the header of a PNG, GIF, JPEG or WebP tells; nothing is decoded. Undefined for any other file, and where the
 * header is cut.
 */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readSize(view);
  } catch (error) {
    // Read beyond the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readSize(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
  const start = letters(view, 0, 4);
  if (start === "GIF8") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (start === "RIFF" && letters(view, 8, 4) === "WEBP") return readWebp(view);
  return view.getUint16(0) === 0xffd8 ? readJpeg(view) : undefined;
}

/** Segments up to the one that begins a frame. */
function readJpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Three of its range are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readWebp(view: DataView): ImageSize | undefined {
  switch (letters(view, 12, 4)) {
    case "VP8 ":
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function letters(view: DataView, at: number, count: number): string {
  return Array.from({ length: count }, (_, offset) => String.fromCharCode(view.getUint8(at + offset))).join("");
}
