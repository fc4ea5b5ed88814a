import type { JsonObject } from "../conversation.ts";
import { fields, list } from "./json-fields.ts";

/**
 * Codes of Workers AI, by the status that says what they mean. Three are told with another one: no such model (5007, told as
 * 400), the day's allocation used up (3036, 4006) and no capacity (3040), all told as 429.
 */
const CODES: readonly [number, readonly number[]][] = [
  [400, [3003, 3039, 5004, 5006]],
  [402, [3036, 4006]],
  [403, [3023, 3041, 5016, 5018, 5035]],
  [404, [3042, 5007]],
  [405, [5005, 5019]],
  [408, [3007, 3008]],
  [413, [3006, 3010, 5021]],
  [503, [3040]],
];

const STATUSES = new Map(CODES.flatMap(([status, codes]) => codes.map((code) => [String(code), status] as const)));

/**
 * What status the code of a refusal means; undefined where there is none of Workers AI. Its own API and its binding tell it
 * as `internalCode`, its REST API as `errors[0].code`, an error that is thrown in front of its message.
 */
export function workersAiStatus(error: JsonObject, message: string): number | undefined {
  const told = error.internalCode ?? fields(list(error.errors)[0]).code;
  const code = told ?? /^(?:\w*Error: )*(\d{4}): /.exec(message)?.[1];
  return STATUSES.get(String(code));
}
