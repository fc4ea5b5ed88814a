import type { MediaPart } from "../conversation.ts";

/** `data:image/png;base64,…` is taken apart, any other URL is kept; nothing is ever fetched. */
export function mediaAt(url: string, mediaType: string): MediaPart {
  const comma = url.startsWith("data:") ? url.indexOf(",") : -1;
  const [type, ...options] = url.slice("data:".length, Math.max(comma, 0)).split(";");
  if (!options.includes("base64")) return { type: "media", mediaType, ...(url !== "" && { url }) };
  return { type: "media", mediaType: type || mediaType, data: url.slice(comma + 1) };
}
