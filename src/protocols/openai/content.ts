import type { JsonObject, MediaPart, Part } from "../../conversation.ts";
import { readTextOrParts, textParts } from "../content.ts";
import { excerpt, invalid, readFields, readString } from "../fields.ts";
import { mediaAt } from "../media.ts";
import type { Warn } from "../warnings.ts";
import { unwrap } from "./tools.ts";

/**
 * What a message of either OpenAI wire holds: a string, a list of parts, or nothing. Part types that nobody knows are
 * skipped.
 *
 * @param field where it stands: Responses has content under other names, too
 */
export function readContent(message: JsonObject, path: string, warn: Warn, field = "content"): Part[] {
  return readTextOrParts(message, field, `${path}.`, (part, place) => readPart(part, place, warn));
}

function readPart(part: JsonObject, path: string, warn: Warn): Part[] {
  const type = readString(part, "type", `${path}.`);
  switch (type) {
    // Chat's name, then those of Responses; clients that speak both wires mix them up.
    case "text":
    case "input_text":
    case "output_text":
    case "summary_text":
    case "reasoning_text":
      return textParts(readString(part, "text", `${path}.`) ?? invalid(`${path}.text`, "expected a string."));
    case "refusal":
      return textParts(readString(part, "refusal", `${path}.`) ?? "");
    case "image_url":
    case "input_image":
      return [readImage(part, path)];
    case "input_audio":
      return [readAudio(part, path)];
    case "file":
    case "input_file":
      return [readFile(part, path)];
    default:
      warn(`content parts of type '${excerpt(type ?? "")}' are not supported and were skipped`);
      return [];
  }
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
  const [file, place] = unwrap(part, "file", path);
  const read = (name: string) => readString(file, name, `${place}.`);
  const name = read("filename") ?? read("file_id");
  const media = mediaAt(read("file_data") ?? read("file_url") ?? "", "application/octet-stream");
  return name === undefined ? media : { ...media, name };
}
