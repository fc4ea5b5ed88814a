import type { Json, JsonObject } from "../conversation.ts";
import { fail } from "../errors.ts";
import { isExactNumber, isObject } from "../json.ts";

/*
 * Reading the fields of a foreign JSON body by hand: unknown ones are never looked at, `null` is the same as absent, and
 * a wrong type is a 400 that names the field in the client's own spelling.
 */

/** As much of a name that a client made up as is worth repeating to it. */
export function excerpt(name: string): string {
  return name.slice(0, 64);
}

export function invalid(param: string, message: string): never {
  return fail({ kind: "invalid-request", message: `Invalid value for '${param}': ${message}`, param });
}

export function unsupportedValue(param: string, message: string): never {
  return fail({ kind: "unsupported", what: "value", message: `Unsupported value for '${param}': ${message}`, param });
}

export function unsupportedParameter(param: string): never {
  const message = `Unsupported parameter: '${param}' is not supported by this gateway.`;
  return fail({ kind: "unsupported", what: "parameter", message, param });
}

export function readString(fields: JsonObject, name: string, path = ""): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  return invalid(path + name, "expected a string.");
}

export function readBoolean(fields: JsonObject, name: string, path = ""): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  return invalid(path + name, "expected a boolean.");
}

export function readNumber(fields: JsonObject, name: string, path = ""): number | undefined {
  const given = fields[name] ?? undefined;
  const value = isExactNumber(given) ? Number(JSON.stringify(given)) : given;
  // JSON.parse gives Infinity for 1e999.
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
  return invalid(path + name, "expected a number.");
}

/** @param least the smallest that makes sense; any integer without it */
export function readInteger(fields: JsonObject, name: string, least?: number, path = ""): number | undefined {
  const value = readNumber(fields, name, path);
  if (value === undefined || (Number.isSafeInteger(value) && value >= (least ?? value))) return value;
  return invalid(path + name, least === undefined ? "expected an integer." : `expected an integer from ${least} on.`);
}

export function readFields(fields: JsonObject, name: string, path = ""): JsonObject | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  return invalid(path + name, "expected an object.");
}

export function readList(fields: JsonObject, name: string, path = ""): readonly Json[] | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || Array.isArray(value)) return value;
  return invalid(path + name, "expected a list.");
}

/** The objects of a list, each behind its path, such as `tools[0]`. A list with more than `most` is a 400. */
export function readObjects(
  fields: JsonObject,
  name: string,
  path = "",
  most = Number.POSITIVE_INFINITY,
): [path: string, entry: JsonObject][] {
  const list = readList(fields, name, path) ?? [];
  if (list.length > most) return invalid(path + name, `more than ${most} entries.`);
  return list.map((entry, index) => {
    const place = `${path}${name}[${index}]`;
    return [place, isObject(entry) ? entry : invalid(place, "expected an object.")];
  });
}
