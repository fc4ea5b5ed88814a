import type { JsonObject, ResponseFormat } from "../../conversation.ts";
import { invalid, readBoolean, readFields, readString, unsupportedValue } from "../fields.ts";
import { readSchema } from "../tool-list.ts";

/**
 * The form that the answer's text is asked in; undefined for plain text.
 * @param wrapper the member that holds name and schema, on the wire that does not have them beside the type
 */
export function readResponseFormat(
  format: JsonObject | undefined,
  path: string,
  wrapper?: "json_schema",
): ResponseFormat | undefined {
  const type = (format && readString(format, "type", `${path}.`)) ?? "text";
  if (!format || type === "text") return undefined;
  if (type === "json_object") return { type: "json" };
  if (type !== "json_schema") {
    return unsupportedValue(`${path}.type`, "expected 'text', 'json_object' or 'json_schema'.");
  }
  const place = wrapper ? `${path}.${wrapper}` : path;
  const wanted = wrapper ? (readFields(format, wrapper, `${path}.`) ?? invalid(place, "expected an object.")) : format;
  const description = readString(wanted, "description", `${place}.`);
  const strict = readBoolean(wanted, "strict", `${place}.`);
  return {
    type: "json-schema",
    name: readString(wanted, "name", `${place}.`) ?? "response",
    schema: readSchema(wanted.schema ?? {}, `${place}.schema`),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  };
}
