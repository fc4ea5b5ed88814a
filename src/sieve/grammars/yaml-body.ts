import { SIEVE_LIMITS } from "../../limits.ts";
import type { Block } from "../block.ts";
import { NameScan } from "../name-scan.ts";
import { mark, tag } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Grammar } from "../scan.ts";
import { TextUntil } from "../text-until.ts";
import { Triggers } from "../triggers.ts";
import { Text } from "../values/sinks.ts";
import { yamlMembers } from "../yaml/members.ts";
import { readElementTag, readOneOf } from "./tags.ts";

const colon = compileHeads([mark(":")]);

/**
 * The arguments of a tool as YAML, and the closing tag of its element: what they are is known at their end.
 * @param indent how far the first line of them is indented
 */
export function* yamlBody(block: Block, tool: string, indent: number): Grammar {
  const key = new NameScan("key", { skipsBlanks: true });
  yield key;
  const next = yield* readOneOf(colon);
  if (next.found === undefined || !block.tools.declaresParameter(tool, key.name)) return "misfit";
  const text = new Text(SIEVE_LIMITS.value);
  const scan = new TextUntil(closers(tool, indent), text);
  yield scan;
  if (scan.ended) return "cut";
  const closer = yield* readElementTag((name, closes) => closes && name === tool);
  if (!closer.ok) return closer.ended ? "cut" : "broken";
  const members = text.full ? undefined : yamlMembers(`${" ".repeat(indent)}${key.name}:${text.value}`);
  const call = members && block.begin(tool);
  if (!members || !call) return "broken";
  for (const { key, text, origin } of members) {
    const sink = call.arguments.member(key).begin(origin);
    sink.text(text);
    sink.close();
  }
  if (call.overflowed) return "broken";
  block.end(call);
  return "accepted";
}

/** Further to the right it could not be told from a text that holds it. */
const DEEPEST = 64;

/** The closing tag on a line of its own, indented no further than the keys: there it can be part of no value. */
function closers(tool: string, indent: number): Triggers<true> {
  const depths = Array.from({ length: Math.min(indent, DEEPEST) + 1 }, (_, depth) => " ".repeat(depth));
  return new Triggers(depths.map((blanks) => ({ ...tag(`\n${blanks}</${tool}`), meaning: true as const })));
}
