import type { Json } from "../conversation.ts";
import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { tag } from "../sieve/notation.ts";
import { attribute } from "./attribute.ts";
import type { CallWriter, ResultWriter, TaughtDialect, Teaching, WrittenCall, WrittenResult } from "./dialect.ts";

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

const writer: CallWriter & ResultWriter = {
  calls: (calls) => ["<tool_calls>", ...calls.map(invoke), "</tool_calls>"].join("\n"),
  results: (results) => ["<tool_results>", ...results.map(result), "</tool_results>"].join("\n"),
};

function invoke({ name, input }: WrittenCall): string {
  // The notation has no empty key (sieve.md G1): written, it would make the whole block unreadable.
  const members = Object.entries(input).filter(([key]) => key !== "");
  const parameters = members.map(([key, value]) => `<parameter name="${attribute(key)}">${literal(value)}</parameter>`);
  return [`<invoke name="${attribute(name)}">`, ...parameters, "</invoke>"].join("\n");
}

/** CDATA is a string, everything else is JSON: the form alone carries the type, so no schema is needed to write. */
function literal(value: Json): string {
  return typeof value === "string" ? cdata(value) : bareJson(value);
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

function result({ ordinal, name, status, text }: WrittenResult): string {
  const attributes = [`n="${ordinal ?? "?"}"`];
  if (name !== "") attributes.push(`tool="${attribute(name)}"`);
  if (status !== "ok") attributes.push(`status="${status}"`);
  // Not in CDATA: models copy its splits into their edits. Quoting keeps the text from closing the frame.
  const body = text === "" ? "" : `${text}\n`;
  return `<result ${attributes.join(" ")}>\n${body}</result>`;
}

// ── teach ──

const RULES = `## How to call tools
To call tools, end your reply with one block in exactly this form:

<tool_calls>
<invoke name="$TOOL">
<parameter name="$TEXT_PARAMETER"><![CDATA[$TEXT]]></parameter>
<parameter name="$OTHER_PARAMETER">$JSON</parameter>
</invoke>
</tool_calls>

- A string goes inside CDATA exactly as it is: no quotes, no escaping, as many lines as needed.
- A number, boolean, null, array or object is written as JSON, without CDATA.
- Copy tool and parameter names exactly. Give every required parameter a real value; leave out optional ones you do not need. If you lack a required value, ask for it instead of calling.
- Calls that do not depend on each other go in the same block, one <invoke> each. A call that needs an earlier result waits for that result.
- You may write a short note before the block. The block is never put in a code fence or in your thinking.
- Stop right after </tool_calls>. The results come in the next message; never write them yourself.
- When no tool is needed, answer without a block.`;

/**
 * With the heading of the list 273 tokens (o200k); each line answers a fault that models are known for. The tag of results is not
 * named: a model that knows it writes results of its own.
 */
const teaching: Teaching = {
  before: "<tools>\n",
  after: `\n</tools>\n\n${RULES}`,
};

/** The notation that Toolsieve teaches by itself: the canonical one (sieve.md G). */
export const canonical: TaughtDialect = {
  id: "canonical",
  models: "any: the notation that Toolsieve teaches",
  source: "canonical",
  openers: [
    { ...wrapper.open, evidence: "complete", meant: true, leads: tagged.leads, read: tagged.in(wrapper) },
    // The wrapper's opener is missing (sieve.md M2).
    { ...callHead, evidence: "wrapper-missing", read: tagged.behind(callHead, wrapper) },
  ],
  results: ["<tool_results>"],
  closers: ["</tool_calls", "</invoke", "</parameter"].map(tag),
  write: writer,
  teach: teaching,
  reserved: RESERVED,
};
