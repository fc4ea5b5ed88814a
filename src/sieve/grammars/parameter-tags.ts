import { once } from "../../once.ts";
import type { Block } from "../block.ts";
import type { Head, Lead, Read, Wrapper } from "../notation.ts";
import type { OneOf } from "../one-of.ts";
import type { Grammar, Part, Verdict } from "../scan.ts";
import type { TagRest } from "../tag-rest.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import type { Member } from "../values/sinks.ts";
import { forgotten, readOver } from "./bad-call.ts";
import { nestedParameters } from "./nested-parameters.ts";
import { type BodyEnd, claimed, type ParameterTags, type Tag, TagSet } from "./tag-set.ts";
import { readHead, readOneOf } from "./tags.ts";
import { accepted, wrapperEnds, written } from "./wrapper-end.ts";

/** Calls with parameters in tags (sieve.md G), by where they stand. */
export interface TaggedCalls {
  /** What they begin with in a wrapper. */
  readonly leads: readonly Lead[];
  in(wrapper: Wrapper): Read;
  /** Without the wrapper's opener (M2), or where there is no wrapper: from behind the head of the first call. */
  behind(opener: Head, wrapper?: Wrapper): Read;
}

export function parameterTags(tags: ParameterTags): TaggedCalls {
  return {
    leads: [...tags.call.opens, ...(tags.cutOpens ?? [])],
    in: (wrapper) => calls(tags, wrapper, undefined),
    behind: (opener, wrapper) => calls(tags, wrapper, opener),
  };
}

function calls(tags: ParameterTags, wrapper: Wrapper | undefined, opener: Head | undefined): Read {
  // There are more notations and wrappers than any reply makes use of, so each is compiled when it is first met.
  const compiled = once(() => new TagSet(tags, wrapper));
  return function* (block) {
    const set = compiled();
    return yield* readCalls(set, block, opener ?? (yield* firstCall(set, block)));
  };
}

/** The head of the first call in a wrapper, which was already seen to stand there. */
function* firstCall(set: TagSet, block: Block): Part<Head> {
  const tag = set.meaningOf(yield* readOneOf(set.inWrapper));
  if (tag?.is === "cut-call") block.repaired("opener-cut");
  return tag && tag.is !== "body" ? tag : { spelling: "", tag: true };
}

function* readCalls(set: TagSet, block: Block, opener: Head): Grammar {
  let head = opener;
  for (let first = true; ; first = false) {
    const verdict = yield* oneCall(set, block, head, first);
    if (verdict) return verdict;
    const next = yield* readOneOf(set.betweenCalls);
    const tag = set.meaningOf(next);
    if (tag?.is !== "call") return yield* blockEnds(set, block, next);
    head = tag;
  }
}

/** Behind the head of a call; returns a verdict when the block is over. */
function* oneCall(set: TagSet, block: Block, opener: Head, first: boolean): Part<Verdict | undefined> {
  const head = yield* readHead(opener.syntax);
  if (!head.ok) {
    if (first) return block.wrapped && head.ended ? "cut" : "misfit";
    if (!head.ended) return yield* blockEnds(set, block, head);
    block.drop();
    return block.cutSibling();
  }
  if (first && isMention(set, block, head)) return "misfit";
  const call = head.name === undefined ? undefined : block.begin(head.name);
  // Without a wrapper a nameless head is only a mention.
  if (!call && first && (!block.wrapped || block.kind.evidence === "weak")) return "misfit";
  if (call && (head.selfClosing || (yield* parameters(set, block, call)))) {
    block.end(call);
    return block.full ? "unclosed" : undefined;
  }
  if (call?.onWire) return "broken";
  block.drop();
  if (!head.selfClosing) {
    const end = yield* readOver(set, call, "call");
    if (end === "block") return accepted(block);
    if (end === "ended") return block.cutSibling();
  }
  block.endPart();
  return undefined;
}

/** Without a wrapper, and with nothing to come that could stand for one, only a declared name can be a call (M2). */
function isMention(set: TagSet, block: Block, { name }: TagRest): boolean {
  const unwrapped = !block.wrapped && set.closes.length === 0;
  return unwrapped && (name === undefined || !block.tools.declares(name));
}

/** The arguments of a call, up to its closer; true when that was seen and all was well (G3). */
function* parameters(set: TagSet, block: Block, call: TentativeCall): Part<boolean> {
  for (let last: BodyEnd | undefined; ; ) {
    const next = yield* readOneOf(set.inCall);
    const tag = set.meaningOf(next);
    if (tag?.is === "call-end") {
      if (last === "open") block.repaired("missing-brace");
      return !tag.tag || (yield* readHead()).ok;
    }
    if (last === "open") return false;
    const end = yield* someArguments(set, block, call, tag);
    if (end === "none")
      return callEnds(set, block, next, tag?.is === "wrapper-end" ? last !== undefined : last === "whole");
    if (end === "bad" || call.overflowed) return false;
    last = end;
  }
}

function* someArguments(set: TagSet, block: Block, call: TentativeCall, tag: Tag | undefined): Part<BodyEnd | "none"> {
  if (tag?.is === "parameter") return yield* parameter(set, block, call, tag);
  return tag?.is === "body" && block.mends ? yield* tag.body.read(block, call) : "none";
}

/** The call's closer is missing: our own stop string ended the reply at it (T1), or the arguments need none (T4). */
function callEnds({ tags }: TagSet, block: Block, next: OneOf, isWhole: boolean): boolean {
  const [usual] = tags.call.closes;
  if (usual && next.ended && next.rest === "" && block.stopsAt(written(usual))) return true;
  if (isWhole) block.repaired("call-close-missing");
  return isWhole;
}

function* parameter(set: TagSet, block: Block, call: TentativeCall, opener: Head): Part<"part" | "bad"> {
  const head = yield* readHead(opener.syntax);
  if (!head.ok) return "bad";
  if (head.name === undefined) {
    if (!head.selfClosing) yield forgotten(set, () => false);
    return "bad";
  }
  const member = call.arguments.member(head.name);
  if (head.selfClosing) {
    member.begin("bare").close();
    return "part";
  }
  const type = set.tags.typeOf?.(head);
  const isContainer = type === "object" || type === "array";
  const isGood = isContainer
    ? yield* nestedParameters(set, type, member)
    : yield* value(set, block, claimed(member, type), (name) => call.arguments.expects(name));
  return isGood ? "part" : "bad";
}

/** A value; false when it did not end as the mode allows. */
function* value(set: TagSet, block: Block, member: Member, missed: (name: string) => boolean): Part<boolean> {
  const scan = new Delimited(set.values, { missed, callCloses: block.mends }, member);
  yield scan;
  if (scan.overflowed) return false;
  if (scan.ending === "closed") return true;
  if (!block.mends || scan.ending === "cut") return false;
  block.repaired("param-close-missing");
  return true;
}

/** No further call stands behind a call. Prose in a wrapper makes the block text up to its closer (sieve.md G3). */
function* blockEnds(set: TagSet, block: Block, next: OneOf | TagRest): Grammar {
  const verdict = yield* wrapperEnds(block, set, next);
  if (verdict !== "broken" || !block.wrapped) return verdict;
  return (yield* readOver(set, undefined, "block")) === "ended" ? "cut" : "broken";
}
