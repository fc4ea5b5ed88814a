import { VALUE_DEPTH } from "../../limits.ts";
import type { Part } from "../scan.ts";
import type { TagRest } from "../tag-rest.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { Collected, type Member, type Sink, Streamed } from "../values/sinks.ts";
import { typedJson } from "../values/typing.ts";
import { claimed, type TagSet } from "./tag-set.ts";
import { readHead, readOneOf } from "./tags.ts";

type Container = "object" | "array";

/**
 * A value that consists of parameters, named in an object and nameless in an array: what it amounts to is JSON, so it is
 * handed on as that. False where anything else stands in it.
 */
export function* nestedParameters(set: TagSet, type: Container, member: Member): Part<boolean> {
  const json = member.begin("json");
  const whole = yield* container(set, type, json, 1);
  if (whole) json.close();
  return whole && !json.full;
}

function* container(set: TagSet, type: Container, json: Sink, depth: number): Part<boolean> {
  if (depth > VALUE_DEPTH) return false;
  const keys = new Set<string>();
  json.text(type === "object" ? "{" : "[");
  for (let first = true; ; first = false) {
    const next = yield* readOneOf(set.inValue);
    if (next.found === undefined) return false;
    const opener = set.meaningOf(next);
    if (opener?.is !== "parameter") {
      json.text(type === "object" ? "}" : "]");
      return !next.tag || (yield* readHead()).ok;
    }
    const head = yield* readHead(opener.syntax);
    if (!head.ok || (type === "object" && (head.name === undefined || keys.has(head.name)))) return false;
    if (!first) json.text(",");
    if (type === "object" && head.name !== undefined) {
      keys.add(head.name);
      json.text(`${JSON.stringify(head.name)}:`);
    }
    if (!(yield* item(set, head, json, depth)) || json.full) return false;
  }
}

function* item(set: TagSet, head: TagRest, json: Sink, depth: number): Part<boolean> {
  const type = set.tags.typeOf?.(head);
  if (type === "object" || type === "array") {
    if (!head.selfClosing) return yield* container(set, type, json, depth + 1);
    json.text(type === "object" ? "{}" : "[]");
    return true;
  }
  const into = type === "string" ? stringIn(json) : claimed(valueIn(json), type);
  if (head.selfClosing) into.begin("bare").close();
  else {
    const scan = new Delimited(set.members, { missed: () => false, callCloses: false }, into);
    yield scan;
    if (scan.ending !== "closed" || scan.overflowed) return false;
  }
  return true;
}

/** Text, as a string of the JSON around it. */
function stringIn(json: Sink): Member {
  return {
    begin() {
      json.text('"');
      return new Streamed(
        (escaped) => json.text(escaped),
        () => json.text('"'),
      );
    },
  };
}

/** A value whose text tells its type, as there is no schema to ask (sieve.md V7). */
function valueIn(json: Sink): Member {
  return {
    begin: (origin) => new Collected(origin, ({ text, origin }) => json.text(typedJson(text, origin, undefined).json)),
  };
}
