import type { Json } from "./conversation.ts";
import { isExactNumber, isObject, parseExactJson } from "./json.ts";
import { measureStructure } from "./json-structure.ts";
import { REQUEST_LIMITS } from "./limits.ts";

/**
 * The same text for every spelling of one JSON value: blanks, the order of keys, escapes and the way a number is written
 * (`1`, `1.0`, `10e-1`) make no difference, each digit of a number does. Undefined for what is no JSON, or nests deeper
 * than a request may.
 */
export function jsonIdentity(json: string): string | undefined {
  const caps = { depth: REQUEST_LIMITS.depth, structure: Number.POSITIVE_INFINITY };
  if ("exceeded" in measureStructure(json, caps)) return undefined;
  const value = parseExactJson(json);
  return value === undefined ? undefined : write(value);
}

function write(value: Json): string {
  if (typeof value === "number" || isExactNumber(value)) return writeNumber(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`);
  return `{${members.sort().join()}}`;
}

/** Its digits without zeros at either end, and the power of ten that the last one stands for. */
function writeNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)\.?(\d*)(?:e(.+))?$/i.exec(text) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (all[end - 1] === "0") end -= 1;
  const digits = all.slice(0, end).replace(/^0+/, "");
  return digits === "" ? "0" : `${sign}${digits}e${Number(exponent) - fraction.length + all.length - end}`;
}
