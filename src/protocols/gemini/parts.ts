import type { Json, Part, ResultPart } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { createCallHistory } from "../calls.ts";
import { excerpt } from "../fields.ts";
import { mediaAt } from "../media.ts";
import type { Warn } from "../warnings.ts";
import type { ProtoFields } from "./proto-fields.ts";

export interface PartReader {
  /** None where a part says nothing, or nothing that is known. */
  read(part: ProtoFields): Part[];
}

/** By the one field that says what a part is. */
type Kinds = ReadonlyMap<string, (fields: ProtoFields) => Part[]>;

/** What stands beside that field, or alone in a part that says nothing. */
const BESIDE = new Set(["text", "thought", "thoughtSignature", "videoMetadata", "partMetadata", "mediaResolution"]);

const MEDIA_KINDS: Kinds = new Map([
  ["inlineData", readInlineData],
  ["fileData", readFileData],
]);

/** The parts of a request in their order. */
export function createPartReader(warn: Warn): PartReader {
  const history = createCallHistory(warn);
  const kinds: Kinds = new Map([
    ...MEDIA_KINDS,
    // Clients that invent no ids leave them out: the place is one, and stays the same in the next request.
    ["functionCall", (call) => history.call(call.string("id") ?? call.path, call.string("name"), call.value("args"))],
    ["functionResponse", (result) => [readResult(result)]],
    ["executableCode", (code) => codeBlock(code.string("code"), code.string("language"))],
    ["codeExecutionResult", (result) => codeBlock(result.string("output"))],
  ]);

  function readKind(part: ProtoFields, kinds: Kinds): Part[] {
    const names = part.names();
    const name = names.find((name) => kinds.has(name)) ?? names.find((name) => !BESIDE.has(name));
    if (name === undefined) return [];
    const fields = kinds.has(name) ? part.object(name) : undefined;
    if (fields) return kinds.get(name)?.(fields) ?? [];
    warn(`parts with '${excerpt(name)}' are not supported and were skipped`);
    return [];
  }

  function readResult(result: ProtoFields): ResultPart {
    const name = result.string("name");
    const { failed, text } = readResponse(result.value("response"), name);
    const media = result.objects("parts").flatMap((part) => readKind(part, MEDIA_KINDS));
    const parts: Part[] = text === "" ? media : [{ type: "text", text }, ...media];
    return history.result(result.string("id") ?? "", parts, failed, name);
  }

  return {
    read(part) {
      const text = part.string("text");
      if (text === undefined) return readKind(part, kinds);
      const said: Part = { type: part.boolean("thought") ? "reasoning" : "text", text };
      return part.names().some((name) => kinds.has(name)) ? [said, ...readKind(part, kinds)] : [said];
    },
  };
}

function readInlineData(blob: ProtoFields): Part[] {
  return [{ type: "media", mediaType: mediaTypeOf(blob), data: blob.string("data") ?? "", ...nameOf(blob) }];
}

function readFileData(file: ProtoFields): Part[] {
  return [{ ...mediaAt(file.string("fileUri") ?? "", mediaTypeOf(file)), ...nameOf(file) }];
}

function mediaTypeOf(blob: ProtoFields): string {
  return blob.string("mimeType") ?? "application/octet-stream";
}

function nameOf(blob: ProtoFields): { name?: string } {
  const name = blob.string("displayName");
  return name === undefined ? {} : { name };
}

/** What a tool of the vendor's own ran earlier, in another session, and what came of it. */
function codeBlock(text = "", language = ""): Part[] {
  return [{ type: "text", text: `\n\`\`\`${language.toLowerCase()}\n${text}\n\`\`\`\n` }];
}

/** The one member that clients wrap a result in: the genai SDK, LangChain, and all of them where a tool has failed. */
const WRAPPERS: readonly string[] = ["output", "result", "error"];

/** @param called the tool's name beside the response; the AI SDK says it inside once more, beside a `content` */
function readResponse(response: Json | undefined, called: string | undefined): { failed: boolean; text: string } {
  if (!isObject(response)) return { failed: false, text: written(response) };
  const { name, ...members } = response;
  const named = called !== undefined && name === called;
  const [key = "", ...others] = Object.keys(named ? members : response);
  const wrapped = WRAPPERS.includes(key) || (named && key === "content");
  if (others.length > 0 || !wrapped) return { failed: false, text: written(response) };
  // An error that is none is how some say that all went well.
  const failed = key === "error" && !["null", "false", '""'].includes(JSON.stringify(response.error));
  return { failed, text: written(key === "error" && !failed ? response : response[key]) };
}

function written(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
