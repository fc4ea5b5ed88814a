import type { Json, JsonObject } from "../conversation.ts";
import { isObject, parseJson } from "../json.ts";

/** How a notation writes values as elements, objects and lists nested. */
export interface ElementSpelling {
  readonly element: (name: string, content: string) => string;
  readonly text: (text: string) => string;
  /** False for a text that it cannot hold; one inside a list or an object has to read back without a schema. */
  readonly carries: (text: string, nested: boolean) => boolean;
}

/** What a reader takes for the name of an element inside a value. */
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_.:-]*$/u;

/** Writes the members of an object as elements, and tells which objects can be written so. */
export function elementWriter({ element, text, carries }: ElementSpelling) {
  const members = (object: JsonObject): string[] =>
    Object.entries(object).map(([key, value]) => element(key, content(value)));

  function content(value: Json): string {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map((item) => element("item", content(item))).join("");
    return isObject(value) ? members(value).join("") : JSON.stringify(value);
  }

  const carriesMembers = (object: JsonObject, nested: boolean): boolean =>
    Object.entries(object).every(([key, value]) => NAME.test(key) && carriesValue(value, nested));

  /** Nothing but its looks tells a nested text from a number, and nothing an empty list from an empty text. */
  function carriesValue(value: Json, nested: boolean): boolean {
    if (typeof value === "string") return carries(value, nested) && !(nested && parseJson(value) !== undefined);
    if (Array.isArray(value)) return value.length > 0 && value.every((item) => carriesValue(item, true));
    return !isObject(value) || (Object.keys(value).length > 0 && carriesMembers(value, true));
  }

  return { members, carries: (input: JsonObject) => carriesMembers(input, false) };
}
