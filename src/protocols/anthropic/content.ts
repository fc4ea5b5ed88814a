import type { Json, JsonObject, MediaPart, Part } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { readTextOrParts, textParts } from "../content.ts";
import { excerpt, invalid, readFields, readString } from "../fields.ts";
import { mediaAt } from "../media.ts";
import type { Warn } from "../warnings.ts";

/** A content that holds neither calls nor results. */
export function readContent(fields: JsonObject, name: string, path: string, warn: Warn): Part[] {
  return readTextOrParts(fields, name, path, (block, place) => readBlock(block, place, warn));
}

/** Calls of the vendor's own servers and what they found, such as `server_tool_use` and `web_search_tool_result`. */
const SERVER_BLOCK = /_tool_(use|result)$/;

/** A block that may stand anywhere. Types that nobody knows are skipped. */
export function readBlock(block: JsonObject, path: string, warn: Warn): Part[] {
  const type = readString(block, "type", `${path}.`) ?? "";
  switch (type) {
    case "text":
      return textParts(readString(block, "text", `${path}.`) ?? invalid(`${path}.text`, "expected a string."));
    case "image":
      return [readMedia(block, path, "image/*")];
    case "document":
      return readDocument(block, path, warn);
    case "search_result": {
      const heading = [readString(block, "title", `${path}.`), readString(block, "source", `${path}.`)];
      return setApart(heading, readContent(block, "content", `${path}.`, warn));
    }
    case "tool_reference":
      return setApart([`[tool: ${readString(block, "tool_name", `${path}.`) ?? ""}]`]);
    default:
      if (SERVER_BLOCK.test(type)) return setApart([describeServerBlock(block, type)]);
      warn(`content blocks of type '${excerpt(type)}' are not supported and were skipped`);
      return [];
  }
}

/** A text of its own: without line breaks around it, it would run into the text blocks beside it. */
function setApart(heading: readonly (string | undefined)[], parts: readonly Part[] = []): Part[] {
  const lines = heading.filter((line) => line !== undefined && line !== "");
  const head: Part = { type: "text", text: `\n${lines.map((line) => `${line}\n`).join("")}` };
  return parts.length === 0 ? [head] : [head, ...parts, { type: "text", text: "\n" }];
}

function readDocument(block: JsonObject, path: string, warn: Warn): Part[] {
  const source = readFields(block, "source", `${path}.`) ?? {};
  const { type } = source;
  if (type !== "text" && type !== "content") return [readMedia(block, path, "application/pdf")];
  const heading = [readString(block, "title", `${path}.`), readString(block, "context", `${path}.`)];
  return setApart(heading, readContent(source, type === "text" ? "data" : "content", `${path}.source.`, warn));
}

function readMedia(block: JsonObject, path: string, anyType: string): MediaPart {
  const source = readFields(block, "source", `${path}.`) ?? {};
  const place = `${path}.source.`;
  const mediaType = readString(source, "media_type", place) ?? anyType;
  const data = readString(source, "data", place);
  const name = readString(block, "title", `${path}.`) ?? readString(source, "file_id", place);
  const media: MediaPart =
    data === undefined
      ? mediaAt(readString(source, "url", place) ?? "", mediaType)
      : { type: "media", mediaType, data };
  return name === undefined ? media : { ...media, name };
}

/** What a reader makes sense of; the rest is encrypted, or as long as a page. */
const TELLING = new Set(["title", "url", "tool_name", "error_code", "stdout", "stderr", "text"]);

/** `[web_search: {"query":"…"}]`, `[web_search_tool_result: Title, https://…]`. */
function describeServerBlock(block: JsonObject, type: string): string {
  const name = typeof block.name === "string" ? block.name : type;
  if (block.input !== undefined) return `[${name}: ${JSON.stringify(block.input)}]`;
  return `[${type}: ${tellingTexts(block.content ?? "").join(", ")}]`;
}

function tellingTexts(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(tellingTexts);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member !== "string" || TELLING.has(key) ? tellingTexts(member) : [],
  );
}
