import type { JsonObject, MediaPart, Part } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { excerpt, invalid, readFields, readString } from "../fields.ts";
import { mediaAt } from "../media.ts";

/** A message's `content`: a string, a list of parts, or nothing. Part types that nobody knows are skipped. */
export function readContent(message: JsonObject, path: string, warn: (warning: string) => void): Part[] {
  const content = message.content ?? "";
  const param = `${path}.content`;
  if (typeof content === "string") return textParts(content);
  if (!Array.isArray(content)) return invalid(param, "expected a string or a list of parts.");
  return content.flatMap((part: unknown, index) => {
    const partPath = `${param}[${index}]`;
    return isObject(part) ? readPart(part, partPath, warn) : invalid(partPath, "expected an object.");
  });
}

function readPart(part: JsonObject, path: string, warn: (warning: string) => void): Part[] {
  const type = readString(part, "type", `${path}.`);
  switch (type) {
    case "text":
    // The names of the Responses wire, which clients that speak both wires mix up.
    case "input_text":
    case "output_text":
      return textParts(readString(part, "text", `${path}.`) ?? invalid(`${path}.text`, "expected a string."));
    case "refusal":
      return textParts(readString(part, "refusal", `${path}.`) ?? "");
    case "image_url":
      return [readImage(part, path)];
    case "input_audio":
      return [readAudio(part, path)];
    case "file":
      return [readFile(part, path)];
    default:
      warn(`content parts of type '${excerpt(type ?? "")}' are not supported and were skipped`);
      return [];
  }
}

function textParts(text: string): Part[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function readImage(part: JsonObject, path: string): MediaPart {
  if (typeof part.image_url === "string") return mediaAt(part.image_url, "image/*");
  const image = readFields(part, "image_url", `${path}.`) ?? {};
  return mediaAt(readString(image, "url", `${path}.image_url.`) ?? "", "image/*");
}

function readAudio(part: JsonObject, path: string): MediaPart {
  const audio = readFields(part, "input_audio", `${path}.`) ?? {};
  const format = readString(audio, "format", `${path}.input_audio.`) ?? "*";
  const data = readString(audio, "data", `${path}.input_audio.`) ?? "";
  return { type: "media", mediaType: `audio/${format}`, data };
}

function readFile(part: JsonObject, path: string): MediaPart {
  const file = readFields(part, "file", `${path}.`) ?? {};
  const name = readString(file, "filename", `${path}.file.`) ?? readString(file, "file_id", `${path}.file.`);
  const media = mediaAt(readString(file, "file_data", `${path}.file.`) ?? "", "application/octet-stream");
  return name === undefined ? media : { ...media, name };
}
