import { fail } from "../errors.ts";

/**
 * Reading the fields of a foreign JSON body by hand: unknown ones are never looked at, `null` is the same as absent, and
 * a wrong type is a 400 that names the field in the client's own spelling.
 */
export type Fields = { readonly [name: string]: unknown };

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

export function readString(fields: Fields, name: string, path = ""): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  return invalid(path + name, "expected a string.");
}

export function readBoolean(fields: Fields, name: string, path = ""): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  return invalid(path + name, "expected a boolean.");
}

export function readNumber(fields: Fields, name: string, path = ""): number | undefined {
  const value = fields[name] ?? undefined;
  // JSON.parse gives Infinity for 1e999.
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
  return invalid(path + name, "expected a number.");
}

/** @param least the smallest that makes sense; any integer without it */
export function readInteger(fields: Fields, name: string, least?: number, path = ""): number | undefined {
  const value = readNumber(fields, name, path);
  if (value === undefined || (Number.isSafeInteger(value) && value >= (least ?? value))) return value;
  return invalid(path + name, least === undefined ? "expected an integer." : `expected an integer from ${least} on.`);
}

export function readFields(fields: Fields, name: string, path = ""): Fields | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || isFields(value)) return value;
  return invalid(path + name, "expected an object.");
}

export function readList(fields: Fields, name: string, path = ""): readonly unknown[] | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || Array.isArray(value)) return value;
  return invalid(path + name, "expected a list.");
}
