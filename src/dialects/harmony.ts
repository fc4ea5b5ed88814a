import type { Block } from "../sieve/block.ts";
import { jsonArguments, objectBegins } from "../sieve/grammars/json-members.ts";
import { argumentsInString, argumentsOf, STRING, withoutArguments } from "../sieve/grammars/named-json.ts";
import { readName, readOneOf } from "../sieve/grammars/tags.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { NextCharacter } from "../sieve/next-character.ts";
import { type BareNames, mark, type Opener, type Read, type Wrapper } from "../sieve/notation.ts";
import { compileHeads } from "../sieve/one-of.ts";
import type { Grammar, Part } from "../sieve/scan.ts";
import type { Dialect } from "./dialect.ts";

// ── read ──

const ASSISTANT = mark("<|start|>assistant");
const CHANNEL = mark("<|channel|>");
const TO = mark("to=");
const CONSTRAIN = mark("<|constrain|>");
const MESSAGE = mark("<|message|>");
const OBJECT = mark("{");
/** Of the tools that the client has declared. */
const NAMESPACE = "functions.";
const ENDS = ["<|call|>", "<|end|>", "<|return|>"];

/** The token that closes a call is where a model stops, so servers keep it for themselves. */
const messageWrapper: Wrapper = { open: CHANNEL, closes: ENDS.map(mark) };

const inHeader = compileHeads([CHANNEL, TO, CONSTRAIN, MESSAGE, mark("json"), mark("code")], { peeks: [OBJECT] });
const inBody = compileHeads([], { peeks: [OBJECT, STRING, ...messageWrapper.closes] });
const behindObject = compileHeads([], { peeks: messageWrapper.closes });

/** What a message's header says of it. */
interface Header {
  channel: string;
  recipient?: string;
}

/** From behind a role. */
const afterRole: Read = (block) => message(block, { channel: "" });

const afterNamespace: Read = function* (block) {
  return yield* message(block, { channel: "", recipient: NAMESPACE + (yield* readName()).name });
};

const afterChannel: Read = function* (block) {
  return yield* message(block, { channel: (yield* readName()).name });
};

function* message(block: Block, header: Header): Grammar {
  const end = yield* restOfHeader(header);
  if (end === "ended") return header.recipient !== undefined && block.maybeCut ? "cut" : "misfit";
  return end === "none" ? "misfit" : yield* body(block, header);
}

/** The parts of a header, each at most once and in any order: a recipient may stand with the role or the channel. */
function* restOfHeader(header: Header): Part<"body" | "none" | "ended"> {
  const passed = new Set<string>();
  for (;;) {
    const { found, ended } = yield* readOneOf(inHeader);
    if (found === undefined || passed.has(found)) return ended ? "ended" : "none";
    passed.add(found);
    if (found === MESSAGE.spelling) return "body";
    // A header that has lost its tokens ends so.
    if (found === OBJECT.spelling) return header.recipient === undefined ? "none" : "body";
    if (found === CHANNEL.spelling) header.channel = (yield* readName()).name;
    else if (found === TO.spelling) header.recipient = (yield* readName()).name;
    else if (found === CONSTRAIN.spelling) yield* readName();
  }
}

/** The recipient tells a call, on whatever channel; but one that is given prose is only spoken of. */
function* body(block: Block, { channel, recipient }: Header): Grammar {
  const name = recipient === undefined ? undefined : toolOf(block, recipient);
  const form = name === undefined ? "prose" : yield* bodyOf(block, name);
  if (form === "cut") return "cut";
  if (name === undefined || form === "prose") return channelBegins(block, channel);
  return yield* wrappedCalls(messageWrapper, {
    leads: [],
    *read(block) {
      const end =
        form === "nothing"
          ? withoutArguments(block, name)
          : yield* argumentsOf(block, name, form === "object" ? jsonArguments : argumentsInString, behindObject);
      return end === "ended" ? "closed" : end;
    },
  })(block, undefined);
}

/** Nothing at all stands for no arguments where the message is closed, and the tool is declared. */
function* bodyOf(block: Block, name: string): Part<"object" | "string" | "nothing" | "prose" | "cut"> {
  const next = yield* readOneOf(inBody);
  if (next.found === undefined) return next.ended && next.rest === "" && block.maybeCut ? "cut" : "prose";
  if (next.found === STRING.spelling) return "string";
  if (next.found !== OBJECT.spelling) return block.tools.declares(name) ? "nothing" : "prose";
  const begins = yield* objectBegins();
  if (begins === "cut" && block.maybeCut) return "cut";
  return begins === "yes" ? "object" : "prose";
}

/** Tools without the namespace are built in, and not called by us. */
function toolOf(block: Block, recipient: string): string | undefined {
  if (block.tools.declares(recipient)) return recipient;
  return recipient.startsWith(NAMESPACE) ? recipient.slice(NAMESPACE.length) : undefined;
}

/** Servers that take the header for the name leave what stands behind it. */
const bareNames: BareNames = (written) => {
  const end = written.search(/<\|(?:channel|constrain|message)\|>/i);
  const recipient = (end < 0 ? written : written.slice(0, end)).trim();
  return recipient.startsWith(NAMESPACE) ? [recipient.slice(NAMESPACE.length), recipient] : [recipient];
};

function channelBegins(block: Block, channel: string): "reasoning" | "visible" | "misfit" {
  if (!block.place.beginsChannel) return "misfit";
  return channel === "analysis" ? "reasoning" : "visible";
}

/**
 * Where a server takes special tokens out, the words of a header stay, and the body stands right behind them:
 * `analysisNeed both.assistantcommentary to=functions.x json{…}assistantfinalDone.`
 */
function stripped(role: "" | "assistant", channel: string): Opener {
  return {
    ...mark(role + channel),
    pinned: true,
    // Without the role it is a word that a sentence may begin with: it counts only where a letter follows at once.
    at: role === "" ? "start" : "anywhere",
    evidence: "complete",
    *read(block) {
      const next = new NextCharacter();
      yield next;
      const isProse = role === "" && !/\p{L}/u.test(next.back);
      if (next.back !== " ") return isProse ? "misfit" : channelBegins(block, channel);
      const header: Header = { channel };
      const end = yield* restOfHeader(header);
      if (end === "body") return yield* body(block, header);
      return isProse ? "misfit" : channelBegins(block, channel);
    },
  };
}

// ── write ──

/** The usual headers are marks, as channels work in every mode. */
const header = (channel: string) => ["", ASSISTANT.spelling].map((role) => `${role}<|channel|>${channel}<|message|>`);

/** Messages with a role, a channel and perhaps a recipient. */
export const harmony: Dialect = {
  id: "harmony",
  models: "gpt-oss",
  source: "markup",
  openers: [
    { ...CHANNEL, evidence: "complete", leads: ["name"], read: afterChannel },
    { ...ASSISTANT, evidence: "complete", leads: [CHANNEL], read: afterRole },
    { ...mark(`${ASSISTANT.spelling} to=${NAMESPACE}`), evidence: "complete", read: afterNamespace },
    stripped("", "analysis"),
    stripped("", "commentary"),
    stripped("assistant", "analysis"),
    stripped("assistant", "commentary"),
    stripped("assistant", "final"),
  ],
  suspendsReasoning: "always",
  bareNames,
  results: [`<|start|>${NAMESPACE}`],
  channels: {
    reasoning: [
      ...header("analysis").map((open) => ({ open, close: "<|end|>" })),
      { close: "<|return|>" },
      { close: "<|call|>" },
    ],
    visible: ["final", "commentary"].flatMap(header),
    strips: ENDS,
  },
  write: {
    calls: (calls) =>
      calls
        .map(
          ({ name, input }) =>
            `<|channel|>commentary to=${NAMESPACE}${name} <|constrain|>json<|message|>${JSON.stringify(input)}<|call|>`,
        )
        .join(ASSISTANT.spelling),
  },
};
