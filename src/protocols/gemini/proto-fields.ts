import type { Json, JsonObject } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { invalid, readBoolean, readFields, readInteger, readNumber, readObjects, readString } from "../fields.ts";

/**
 * One object of a body, read as Google's servers read the JSON of a protobuf message: a field goes by its camelCase or its
 * snake_case name, a number may be a string, an empty string is the same as none, and one object alone stands for a list of
 * one (curl examples of `contents` and `parts`, older versions of the AI SDK for `tools`). Only what is asked for is looked
 * at: schemas and arguments have keys of their own. A list with more entries than `most` is a 400.
 */
export class ProtoFields {
  readonly json: JsonObject;
  /** Where it stands in the body, such as `contents[0].parts[1]`; empty for the body itself. */
  readonly path: string;

  constructor(json: JsonObject, path = "") {
    this.json = json;
    this.path = path;
  }

  /** The name that the client uses for a field. */
  spelling(name: string): string {
    if ((this.json[name] ?? undefined) !== undefined) return name;
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return (this.json[snake] ?? undefined) === undefined ? name : snake;
  }

  /** A field's place in the client's spelling. */
  place(name: string): string {
    return this.prefix + this.spelling(name);
  }

  get prefix(): string {
    return this.path === "" ? "" : `${this.path}.`;
  }

  /** The fields that there are, in camelCase. */
  names(): string[] {
    return Object.keys(this.json).flatMap((key) => (this.json[key] === null ? [] : [camelCase(key)]));
  }

  value(name: string): Json | undefined {
    return this.json[this.spelling(name)] ?? undefined;
  }

  string(name: string): string | undefined {
    return readString(this.json, this.spelling(name), this.prefix) || undefined;
  }

  boolean(name: string): boolean | undefined {
    return readBoolean(this.json, this.spelling(name), this.prefix);
  }

  number(name: string): number | undefined {
    return readNumber(this.#numeric(name), this.spelling(name), this.prefix);
  }

  /** @param least the smallest that makes sense */
  integer(name: string, least?: number): number | undefined {
    return readInteger(this.#numeric(name), this.spelling(name), least, this.prefix);
  }

  /** With the field as a number, where it is one written as a string: protobuf's JSON takes either. */
  #numeric(name: string): JsonObject {
    const value = this.value(name);
    return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)
      ? { [this.spelling(name)]: Number(value) }
      : this.json;
  }

  object(name: string): ProtoFields | undefined {
    const fields = readFields(this.json, this.spelling(name), this.prefix);
    return fields && new ProtoFields(fields, this.place(name));
  }

  objects(name: string, most = Number.POSITIVE_INFINITY): ProtoFields[] {
    const value = this.value(name);
    if (isObject(value) && Object.keys(value).length > 0) return [new ProtoFields(value, this.place(name))];
    const entries = readObjects(this.json, this.spelling(name), this.prefix, most);
    return entries.map(([path, entry]) => new ProtoFields(entry, path));
  }

  strings(name: string, most = Number.POSITIVE_INFINITY): string[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string")) {
      return invalid(this.place(name), "expected a list of strings.");
    }
    return value.length > most ? invalid(this.place(name), `more than ${most} entries.`) : value;
  }
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
