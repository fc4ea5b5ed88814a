import { EFFORTS, type Effort, type JsonObject, type Sampling } from "../conversation.ts";
import { fail } from "../errors.ts";
import { isObject } from "../json.ts";
import { REQUEST_LIMITS } from "../limits.ts";
import { excerpt, invalid } from "./fields.ts";
import type { Warn } from "./warnings.ts";

/** What every wire has besides messages and tools. */

export function readBody(body: unknown): JsonObject {
  return isObject(body) ? body : fail({ kind: "invalid-request", message: "The body must be a JSON object." });
}

/** @param model as the client gave it, in the body or in the path */
export function checkModel(model: string | undefined): string {
  if (model === undefined || model === "") return invalid("model", "the name of a model is missing.");
  if (model.length > REQUEST_LIMITS.modelName) {
    return invalid("model", `longer than ${REQUEST_LIMITS.modelName} characters.`);
  }
  return model;
}

/** Without what the client did not give. */
export function givenOnly(read: { [K in keyof Sampling]: Sampling[K] | undefined }): Sampling {
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Stop strings: a list, or one alone. */
export function readStop(body: JsonObject, name: string, path = ""): string[] | undefined {
  const value = body[name] ?? [];
  const list: unknown = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || !list.every((stop) => typeof stop === "string")) {
    return invalid(path + name, "expected a string or a list of strings.");
  }
  if (list.length > REQUEST_LIMITS.stops) return invalid(path + name, `more than ${REQUEST_LIMITS.stops} strings.`);
  // An empty one would stop everywhere; servers refuse it.
  const stop = list.filter((text) => text !== "");
  return stop.length > 0 ? stop : undefined;
}

/** Vendors add levels; the request is good without. */
export function readEffort(effort: string | undefined, param: string, warn: Warn): Effort | undefined {
  const known = EFFORTS.find((level) => level === effort);
  if (effort !== undefined && !known) warn(`${param} '${excerpt(effort)}' is not known and was ignored`);
  return known;
}
