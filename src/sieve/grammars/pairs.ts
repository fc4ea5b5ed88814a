import type { Block } from "../block.ts";
import { mark, tag } from "../notation.ts";
import { compileHeads, NAME, type OneOf } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { compileMarks } from "../value-scan/marks.ts";
import type { Member } from "../values/sinks.ts";
import { type ElementRules, readElements } from "./elements.ts";
import { jsonArguments, objectBegins } from "./json-members.ts";
import { readElementTag, readHead, readName, readOneOf, readText } from "./tags.ts";
import { type CallEnd, type CallForm, noCall, wordAndObject } from "./wrapped-calls.ts";

/** Heads of two tags around something, in lower case. */
interface TagPair {
  readonly open: string;
  readonly close: string;
}

/** Heads of the tags of a notation such as `<call>name<key>k</key><value>v</value></call>`. */
export interface PairTags {
  readonly call: TagPair;
  readonly key: TagPair;
  /** The tag that closes the key may be the one that opens the value. */
  readonly value: TagPair;
  /** Between the two, where a value may tell its type. */
  readonly type?: TagPair;
  /** May stand behind the name of the tool. */
  readonly separator?: string;
  /** Closes what stands around calls. */
  readonly wrapperClose?: string;
}

/** What came of a part of a call; undefined: all is well, and the call goes on. */
type Wrong = "bad" | "cut" | undefined;

/** A call from behind its opener on: its name as bare text, then keys and values in turn. */
export function pairs({ call: callTags, key, value, type, separator, wrapperClose }: PairTags): CallForm {
  const heads = {
    behindName: compileHeads([key.open, key.close, callTags.close, ...given(separator)].map(tag), {
      peeks: [mark("{"), NAME],
    }),
    bareKey: compileHeads([tag(key.close)]),
    inCall: compileHeads([key.open, callTags.close].map(tag)),
    behindKey: compileHeads([value.open, key.open, callTags.close, ...given(type?.open)].map(tag)),
    close: compileHeads([tag(callTags.close)]),
  };
  const label = { style: "verbatim", noCdata: true, endsAtOnce: true, isLabel: true } as const;
  const keyMarks = compileMarks({ ...ends(key), ...label });
  const typeMarks = type && compileMarks({ ...ends(type), ...label });
  const valueMarks = compileMarks({
    ...ends(value),
    key,
    callOpens: [tag(callTags.open)],
    callCloses: [tag(callTags.close)],
    wrapperCloses: given(wrapperClose).map(tag),
    style: "verbatim",
    noCdata: true,
  });

  return {
    // A name behind a call that has ended without its closer is more likely text.
    leads: [],
    *read(block) {
      const { name, ended } = yield* readName();
      if (ended) return block.maybeCut ? "cut" : "none";
      if (name === "") return "none";
      let next = yield* readOneOf(heads.behindName);
      const separated = next.found !== undefined && next.found === separator;
      if (separated) {
        if (!(yield* readHead()).ok) return "none";
        next = yield* readOneOf(heads.behindName);
      }
      switch (next.found) {
        case key.open:
          return yield* keyed(block, block.begin(name));
        case key.close:
          return yield* joined(block, block.tools.split(name));
        case callTags.close:
          return yield* withoutArguments(block, name);
        case "{":
          return yield* separated || block.tools.declares(name) ? withJson(block, name) : wordAndObject(block, next);
        case NAME:
          return yield* withBareKey(block, name);
        default:
          if (next.ended) return block.maybeCut ? "cut" : "none";
          return yield* withElements(block, name);
      }
    },
  };

  /** Nothing but a name: prose could look the same, so it has to be that of a declared tool (sieve.md N1). */
  function* withoutArguments(block: Block, name: string): Part<CallEnd> {
    if (!block.tools.declares(name)) return "none";
    const call = block.begin(name);
    return call ? yield* closes(block, call) : "none";
  }

  /** Arguments as a JSON object behind the name. */
  function* withJson(block: Block, name: string): Part<CallEnd> {
    const begins = yield* objectBegins();
    if (begins !== "yes") return noCall(block, { ended: begins === "cut" });
    const call = block.begin(name);
    if (!call) return "none";
    const end = yield* jsonArguments(block, call);
    if (end === "closed") {
      block.end(call);
      return "ended";
    }
    if (end !== "open") return end;
    const next = yield* readOneOf(heads.close);
    if (next.found === undefined) return next.ended ? "cut" : "bad";
    block.repaired("missing-brace");
    return yield* closes(block, call);
  }

  /** Parameters of the tool as elements, up to a closing tag of the call or of the tool's name (sieve.md T4). */
  function* withElements(block: Block, name: string): Part<CallEnd> {
    const first = yield* readElementTag((key, closes) => !closes && block.tools.declaresParameter(name, key));
    const call = first.ok ? block.begin(name) : undefined;
    if (!call) return "none";
    block.repaired("property-tags");
    const end = yield* readElements(call, elementRules(call, name), first);
    if (end === "bad" || end === "cut") return end;
    const next = yield* readOneOf(heads.close);
    if (next.found !== undefined) return yield* closes(block, call);
    const closer = yield* readElementTag((other, closes) => closes && other === name);
    if (!closer.ok) return closer.ended ? "cut" : "bad";
    block.end(call);
    return "ended";
  }

  function elementRules(call: TentativeCall, name: string): ElementRules {
    return {
      style: "lines",
      accepts: (key) => call.arguments.expectsItem(key),
      closes: (other) => other === name || `</${other}` === callTags.close,
    };
  }

  /** The opener of the first key was left out, and the key stands right behind the name. */
  function* joined(block: Block, split: { name: string; key: string } | undefined): Part<CallEnd> {
    const call = split && block.begin(split.name);
    if (!call || !(yield* readHead()).ok) return "none";
    block.repaired("kv-open-missing");
    return (yield* oneValue(block, call, split.key)) ?? (yield* members(block, call));
  }

  /** The same, with blanks between the name and the key. */
  function* withBareKey(block: Block, name: string): Part<CallEnd> {
    const { name: bareKey } = yield* readName();
    if (bareKey === "" || !block.tools.declares(name)) return "none";
    const next = yield* readOneOf(heads.bareKey);
    return next.found === undefined ? "none" : yield* joined(block, { name, key: bareKey });
  }

  /** From behind the head of the first key on. */
  function* keyed(block: Block, call: TentativeCall | undefined): Part<CallEnd> {
    if (!call) return "none";
    return (yield* onePair(block, call)) ?? (yield* members(block, call));
  }

  function* members(block: Block, call: TentativeCall): Part<CallEnd> {
    for (;;) {
      const next = yield* readOneOf(heads.inCall);
      if (next.found === callTags.close) return yield* closes(block, call);
      if (next.found === undefined) return stopped(block, call, next);
      const wrong = yield* onePair(block, call);
      if (wrong) return wrong;
    }
  }

  /** From behind the head of a key on. */
  function* onePair(block: Block, call: TentativeCall): Part<Wrong> {
    if (!(yield* readHead()).ok) return "bad";
    const name = yield* readText(keyMarks);
    return name ? yield* oneValue(block, call, name) : "bad";
  }

  /** From behind the key on. */
  function* oneValue(block: Block, call: TentativeCall, name: string): Part<Wrong> {
    const opens = value.open === key.close ? "bare" : yield* valueOpens(block);
    if (opens === "bad" || opens === "cut") return opens;
    const member = call.arguments.member(name);
    const rules = { missed: (other: string) => call.arguments.expects(other), callCloses: true };
    const scan = new Delimited(valueMarks, rules, opens === "string" ? asString(member) : member);
    yield scan;
    if (scan.ending === "cut") return "cut";
    if (scan.ending !== "closed") block.repaired("param-close-missing");
    return scan.overflowed || call.overflowed ? "bad" : undefined;
  }

  /** What stands between a key and its value; the value's own opener may have been left out. */
  function* valueOpens(block: Block): Part<"string" | "bare" | "bad" | "cut"> {
    let as: "string" | "bare" = "bare";
    let next = yield* readOneOf(heads.behindKey);
    if (typeMarks && next.found === type?.open) {
      if (!(yield* readHead()).ok) return "bad";
      if ((yield* readText(typeMarks)) === "string") as = "string";
      next = yield* readOneOf(heads.behindKey);
    }
    if (next.found === value.open) return (yield* readHead()).ok ? as : "bad";
    if (next.found !== undefined || next.ended) return next.ended ? "cut" : "bad";
    block.repaired("kv-open-missing");
    return as;
  }

  /** Behind the head of the call's closer. */
  function* closes(block: Block, call: TentativeCall): Part<CallEnd> {
    const head = yield* readHead();
    if (!head.ok) return head.ended ? "cut" : "bad";
    block.end(call);
    return "closed";
  }

  /** Neither a key nor the closer stands there. */
  function stopped(block: Block, call: TentativeCall, next: OneOf): CallEnd {
    if (!next.ended) return "bad";
    if (next.rest !== "" || !block.stopsAt(`${callTags.close}>`)) return "cut";
    block.end(call);
    return "closed";
  }
}

/** The notation says itself that the value is a string. */
function asString(member: Member): Member {
  return { begin: () => member.begin("string") };
}

const given = (...words: readonly (string | undefined)[]) => words.filter((word) => word !== undefined);

function ends({ open, close }: TagPair) {
  return { opens: [tag(open)], closes: [tag(close)] };
}
