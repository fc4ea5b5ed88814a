import type { Json, JsonObject } from "../conversation.ts";
import { parseJson } from "../json.ts";
import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { tag } from "../sieve/notation.ts";
import { attribute } from "./attribute.ts";
import type { CallWriter, TaughtDialect, WrittenCall } from "./dialect.ts";
import { jsonRules } from "./gbnf.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { inBlock, TEXT, taught } from "./teaching.ts";

// ── read ──

const wrapper = { open: tag("<tool_calls"), closes: [tag("</tool_calls")] };
const callHead = tag("<invoke");
const tagged = parameterTags({
  call: { opens: [callHead], closes: [tag("</invoke")] },
  parameter: { opens: [tag("<parameter")], closes: [tag("</parameter")] },
  style: "markup",
  bodies: [objectBody],
});

// ── write ──

/** Heads of the tags that frame calls, results and the list of tools; their closers are meant with them. */
const RESERVED = ["<tool_calls", "<invoke", "<parameter", "<tool_results", "<result", "<tools"] as const;

/** @param string writes one; everything else is JSON, so the form alone tells what a value is */
function writer(string: (text: string) => string): CallWriter {
  return {
    calls: (calls) => ["<tool_calls>", ...calls.map((call) => invoke(call, string)), "</tool_calls>"].join("\n"),
  };
}

const cdataWriter: CallWriter = {
  ...writer(cdata),
  arguments: {
    write: (input) => parameters(input, cdata),
    // In bare JSON no string holds what `bareJson` escapes; in CDATA, all but its end.
    get rules() {
      return `arguments ::= parameter*
parameter ::= "<parameter name=\\"" [^"<>\\x00-\\x1F]+ "\\">" (section+ | object | array | number | "true" | "false" | "null") "</parameter>\\n"
section ::= "<![CDATA[" ([^\\]] | "]" [^\\]] | "]]" "]"* [^\\]>])* "]"* "]]>"
${jsonRules("<&")}`;
    },
  },
};

function invoke({ name, input }: WrittenCall, string: (text: string) => string): string {
  return `<invoke name="${attribute(name)}">\n${parameters(input, string)}</invoke>`;
}

/** A line each. */
function parameters(input: JsonObject, string: (text: string) => string): string {
  const literal = (value: Json) => (typeof value === "string" ? string(value) : bareJson(value));
  // The notation has no empty key (sieve.md G1): written, it would make the whole block unreadable.
  const members = Object.entries(input).filter(([key]) => key !== "");
  return members.map(([key, value]) => `<parameter name="${attribute(key)}">${literal(value)}</parameter>\n`).join("");
}

/** What would not come back as it is: marks, entities, elements, a line break in front (sieve.md V3 to V7). */
const NOT_BARE = /<\/?(?:tool_calls|invoke|parameter)[\s/>]|<!\[CDATA\[|&#?\w+;|^\s*<|^[\r\n]/i;

/** As it stands, wherever that reads back as the same string; JSON would be a value of another type. */
function bareOrCdata(text: string): string {
  return NOT_BARE.test(text) || parseJson(text) !== undefined ? cdata(text) : text;
}

/** Both marks are split over two sections, so that the reader sees no early end and counts no nested section (V2). */
function cdata(text: string): string {
  const split = text.replace(/(\]\])(>)|(<!\[)(CDATA\[)/gi, "$1$3]]><![CDATA[$2$4");
  return `<![CDATA[${split}]]>`;
}

/** A string in it could hold a closer or an entity (V3, V5): JSON can spell their first characters otherwise. */
function bareJson(value: Json): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("&", "\\u0026");
}

// ── teach ──

const IN_CDATA = `- A string goes inside CDATA exactly as it is: no quotes, no escaping, as many lines as needed.
- A number, boolean, null, array or object is written as JSON, without CDATA.`;

/** The notation that Toolsieve teaches by itself: the canonical one (sieve.md G). */
export const canonical: TaughtDialect = {
  id: "canonical",
  aliases: ["canonical_raw"],
  models: "any: the notation that Toolsieve teaches",
  source: "canonical",
  openers: [
    { ...wrapper.open, evidence: "complete", meant: true, leads: tagged.leads, read: tagged.in(wrapper) },
    // The wrapper's opener is missing (sieve.md M2).
    { ...callHead, evidence: "wrapper-missing", read: tagged.behind(callHead, wrapper) },
  ],
  results: [RESULTS],
  closers: ["</tool_calls", "</invoke", "</parameter"].map(tag),
  ...taught(cdataWriter, resultFrame, { values: IN_CDATA, several: inBlock("<invoke>"), typed: true }),
  // Nearer to what models were trained on that write such tags (prompt.md 12), and not as safe.
  variants: {
    canonical_raw: taught(writer(bareOrCdata), resultFrame, {
      values: TEXT,
      several: inBlock("<invoke>"),
      typed: true,
    }),
  },
  reserved: RESERVED,
};
