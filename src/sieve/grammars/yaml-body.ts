import { SIEVE_LIMITS } from "../../limits.ts";
import type { Block } from "../block.ts";
import { NameScan } from "../name-scan.ts";
import { mark, tag } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Grammar } from "../scan.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { compileMarks } from "../value-scan/marks.ts";
import { Text } from "../values/sinks.ts";
import { yamlMembers } from "../yaml/members.ts";
import { readOneOf } from "./tags.ts";

const colon = compileHeads([mark(":")]);

/** The arguments of a tool as YAML, and the closing tag of its element: what they are is known at their end. */
export function* yamlBody(block: Block, tool: string, indent: number): Grammar {
  const key = new NameScan("key", { skipsBlanks: true });
  yield key;
  const next = yield* readOneOf(colon);
  if (next.found === undefined || !block.declaresParameter(tool, key.name)) return "misfit";
  const text = new Text(SIEVE_LIMITS.value);
  const marks = compileMarks({
    opens: [tag(`<${tool}`)],
    closes: [tag(`</${tool}`)],
    style: "verbatim",
    noCdata: true,
    endsAtOnce: true,
  });
  const scan = new Delimited(marks, { missed: () => false, callCloses: false }, { begin: () => text });
  yield scan;
  if (scan.ending === "cut") return "cut";
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
