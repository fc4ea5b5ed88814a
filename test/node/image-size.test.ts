import fc from "fast-check";
import { expect, test } from "vitest";
import { readImageSize } from "../../src/image-size.ts";

const bytes = (...pieces: (string | number[])[]) =>
  Uint8Array.from(pieces.flatMap((piece) => (typeof piece === "string" ? [...Buffer.from(piece, "latin1")] : piece)));

const webp = (chunk: string, ...rest: number[]) => bytes("RIFF", [0, 0, 0, 0], "WEBP", chunk, [0, 0, 0, 0], rest);
const segment = (marker: number, ...rest: number[]) => [0xff, marker, 0, rest.length + 2, ...rest];
const frame = segment(0xc2, 8, 2, 0xd0, 5, 0, 3);

test.each([
  ["PNG", bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 5, 0, 0, 0, 2, 0xd0])],
  ["GIF", bytes("GIF89a", [0, 5, 0xd0, 2])],
  ["JPEG", bytes([0xff, 0xd8], segment(0xe0, 1, 2, 3), segment(0xc4, 9, 9, 9, 9, 9, 9), [0xff], frame)],
  ["lossy WebP", webp("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 0, 5, 0xd0, 2)],
  ["lossless WebP", webp("VP8L", 0x2f, 0xff, 0xc4, 0xb3, 0)],
  ["extended WebP", webp("VP8X", 0, 0, 0, 0, 0xff, 4, 0, 0xcf, 2, 0)],
])("the header of a %s tells its size", (_what, file) => {
  expect(readImageSize(file)).toEqual({ width: 1280, height: 720 });
  // One that is cut tells nothing, and does no harm.
  for (let length = 0; length < 10; length += 1) expect(readImageSize(file.subarray(0, length))).toBeUndefined();
});

test("anything else has none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (file) => {
      expect(() => readImageSize(file)).not.toThrow();
    }),
  );
  expect(readImageSize(bytes("<svg/>"))).toBeUndefined();
  expect(readImageSize(bytes([0xff, 0xd8], segment(0xda, 1)))).toBeUndefined();
});
