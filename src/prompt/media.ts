import type { MediaPart } from "../conversation.ts";

const KINDS = ["image", "audio", "video"];

/** Stands for what a text model cannot be shown: `[image: image/png, plan.png, 84 kB, not shown]`. */
export function describeMedia({ mediaType, data, name }: MediaPart): string {
  const kind = KINDS.find((candidate) => mediaType.startsWith(`${candidate}/`)) ?? "file";
  const known = [mediaType, name ?? "", data === undefined ? "" : `${kilobytes(data)} kB`, "not shown"];
  return `[${kind}: ${known.filter((word) => word !== "").join(", ")}]`;
}

/** Four characters of base64 are three bytes. */
function kilobytes(base64: string): number {
  return Math.ceil((base64.length * 3) / 4 / 1000);
}
