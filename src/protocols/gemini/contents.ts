import type { Part } from "../../conversation.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { excerpt, invalid } from "../fields.ts";
import { createTurnList, type TurnList } from "../turns.ts";
import type { Warn } from "../warnings.ts";
import { createPartReader, type PartReader } from "./parts.ts";
import type { ProtoFields } from "./proto-fields.ts";

/** `systemInstruction` and `contents` as turns: one content is one turn, but a run of the model's is one,
 * and so is a run of results. */
export function readContents(body: ProtoFields, warn: Warn): ReturnType<TurnList["read"]> {
  const contents = body.objects("contents", REQUEST_LIMITS.messages);
  if (contents.length === 0) return invalid(body.place("contents"), "expected at least one content.");
  const reader = createPartReader(warn);
  const turns = createTurnList();
  turns.system(readInstruction(body, reader));
  for (const content of contents) addContent(turns, content, readParts(content, reader));
  return turns.read();
}

/** A `Content` whose role means nothing, or the text alone. */
function readInstruction(body: ProtoFields, reader: PartReader): Part[] {
  const instruction = body.value("systemInstruction") ?? "";
  if (typeof instruction === "string") return [{ type: "text", text: instruction }];
  const content = body.object("systemInstruction");
  return content ? readParts(content, reader) : [];
}

function readParts(content: ProtoFields, reader: PartReader): Part[] {
  return content.objects("parts").flatMap((part) => reader.read(part));
}

function addContent(turns: TurnList, content: ProtoFields, parts: readonly Part[]): void {
  const role = content.string("role") ?? "user";
  switch (role) {
    case "model":
      // The genai SDK's chat sends every chunk of a stream back as a content of its own.
      turns.assistant(parts, true);
      return;
    case "user":
    // Of an older API, for results.
    case "function":
      turns.user(parts);
      return;
    default:
      invalid(content.place("role"), `unknown role '${excerpt(role)}'.`);
  }
}
