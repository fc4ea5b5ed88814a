import { attribute } from "./attribute.ts";
import type { ResultWriter, WrittenResult } from "./dialect.ts";

/** How results are shown to a model: in its vendor's envelope where a turn of the user can bear it, else in our frame. */
type Frame = ResultWriter["results"];

/** What opens our frame. */
export const RESULTS = "<tool_results>";

/** Ours: each result numbered as its call, and named. */
export const resultFrame: Frame = (results) => [RESULTS, ...results.map(framed), "</tool_results>"].join("\n");

function framed({ ordinal, name, status, text }: WrittenResult): string {
  const attributes = [`n="${ordinal ?? "?"}"`];
  if (name !== "") attributes.push(`tool="${attribute(name)}"`);
  if (status !== "ok") attributes.push(`status="${status}"`);
  // Not in CDATA: models copy its splits into their edits. Quoting keeps the text from closing the frame.
  const body = text === "" ? "" : `${text}\n`;
  return `<result ${attributes.join(" ")}>\n${body}</result>`;
}

/** Of Qwen, Hermes and GLM: nothing may stand before the first tag, or a chat template takes the turn for a question. */
export const toolResponses = envelope((text) => `<tool_response>\n${text}\n</tool_response>`);

/** An envelope that has no place for anything but text; results stand in the order of their calls. */
export function envelope(around: (text: string) => string, separator = "\n"): Frame {
  return (results) => results.map((result) => around(toldAsText(result))).join(separator);
}

const toldAsText = (result: WrittenResult) =>
  result.ordinal === undefined ? textOfOrphan(result) : textOfResult(result);

/** A result where nothing but text has a place, as in native tool messages. */
export function textOfResult({ status, text }: Pick<WrittenResult, "status" | "text">): string {
  if (status === "missing") return "[no result]";
  return status === "error" ? `[error]\n${text}` : text;
}

/** The same of one whose call is not known. */
export function textOfOrphan(result: Omit<WrittenResult, "ordinal">): string {
  return `[result${result.name && ` of ${result.name}`}]\n${textOfResult(result)}`;
}
