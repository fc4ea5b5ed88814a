import { SIEVE_LIMITS } from "../limits.ts";
import { once } from "../once.ts";
import { soleString } from "../schema.ts";
import type { Block } from "../sieve/block.ts";
import { namedCall } from "../sieve/grammars/named-json.ts";
import type { CallEnd } from "../sieve/grammars/wrapped-calls.ts";
import { mark, tag } from "../sieve/notation.ts";
import type { Part } from "../sieve/scan.ts";
import { TextUntil } from "../sieve/text-until.ts";
import { Triggers } from "../sieve/triggers.ts";
import { Text } from "../sieve/values/sinks.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

const OPEN = "<tool: function>";
const CLOSE = "</tool";
const wrapper = { open: mark(OPEN), closes: [tag(CLOSE)] };

/** The line break before the closer belongs to it. */
const ends = once(
  () => new Triggers(["", "\n"].map((lineBreak) => ({ ...tag(lineBreak + CLOSE), meaning: true as const }))),
);

/** Code World Model: the name of the tool, then its arguments as JSON, or a text for a tool that takes one. */
export const cwm: Dialect = {
  id: "cwm",
  models: "Code World Model",
  source: "markup",
  openers: [
    {
      ...wrapper.open,
      pinned: true,
      evidence: "weak",
      leads: ["name"],
      read: namedCall({ otherwise: plainText })(wrapper),
    },
  ],
  closers: wrapper.closes,
  write: {
    calls: (calls) => calls.map(({ name, input }) => `${OPEN}\n${name} ${spacedJson(input)}\n${CLOSE}>`).join("\n"),
  },
};

/** No object: the text for a tool that has but one string to be given, such as a command. */
function* plainText(block: Block, name: string): Part<CallEnd> {
  const call = block.begin(name);
  const key = soleString(call?.tool.shape);
  if (!call || key === undefined) return "none";
  const text = new Text(SIEVE_LIMITS.value);
  const scan = new TextUntil(ends(), text);
  yield scan;
  if (scan.ended && !block.stopsAt(`${CLOSE}>`)) return "cut";
  if (text.full) return "bad";
  // Not before: with its first member a call is announced, and a mention of the opener looks the same.
  const sink = call.arguments.member(key).begin("string");
  sink.text(text.value);
  sink.close();
  block.end(call);
  return "ended";
}
