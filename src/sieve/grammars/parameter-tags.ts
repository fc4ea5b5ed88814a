import { SIEVE_LIMITS } from "../../limits.ts";
import type { Block } from "../block.ts";
import type { Read } from "../notation.ts";
import { tag } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Grammar, Part, Verdict } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { compileMarks } from "../value-scan/marks.ts";
import { ignored, type Member } from "../values/sinks.ts";
import { readHead, readOneOf } from "./tags.ts";

/** Heads of the tags of a notation such as `<calls><call name=…><parameter name=…>…`, in lower case. */
export interface ParameterTags {
  readonly wrapper: { readonly open: string; readonly close: string };
  readonly call: { readonly open: string; readonly close: string };
  readonly parameter: { readonly open: string; readonly close: string };
}

/** A wrapper, calls in it, parameters in those (sieve.md G); and the same with the wrapper's opener missing (M2). */
export function parameterTags({ wrapper, call: callTag, parameter }: ParameterTags): Read {
  const inWrapper = compileHeads([tag(callTag.open)]);
  const betweenCalls = compileHeads([callTag.open, wrapper.close].map(tag));
  const inCall = compileHeads([parameter.open, callTag.close].map(tag));
  const marked = [parameter.open, callTag.open, callTag.close, wrapper.open, wrapper.close];
  const anywhere = compileHeads(marked.map(tag), { skips: "anything" });
  const marks = compileMarks({
    open: parameter.open,
    close: parameter.close,
    callOpen: callTag.open,
    callClose: callTag.close,
    wrapperClose: wrapper.close,
  });

  return function* (block) {
    if (block.wrapped) yield* readOneOf(inWrapper);
    for (let first = true; ; first = false) {
      if (!first) {
        const next = yield* readOneOf(betweenCalls);
        if (next.found === wrapper.close) return yield* wrapperCloses(block);
        if (!next.found) return yield* somethingElse(block, next);
      }
      const verdict = yield* oneCall(block, first);
      if (verdict) return verdict;
    }
  };

  /** Behind the head of a call; returns a verdict when the block is over. */
  function* oneCall(block: Block, first: boolean): Part<Verdict | undefined> {
    const head = yield* readHead();
    if (!head.ok) {
      if (first) return block.wrapped && head.ended ? "cut" : "misfit";
      if (!head.ended) return yield* somethingElse(block, head);
      block.drop();
      return block.cutSibling();
    }
    const call = head.name === undefined ? undefined : block.begin(head.name);
    // Without a wrapper a nameless head is only a mention.
    if (!call && first && !block.wrapped) return "misfit";
    if (call && (head.selfClosing || (yield* parameters(block, call)))) {
      block.end(call);
      return block.full ? "unclosed" : undefined;
    }
    if (call?.onWire) return "broken";
    block.drop();
    if (!head.selfClosing) {
      const end = yield* readOn(call, "call");
      if (end === "block") return accepted(block);
      if (end === "ended") return block.cutSibling();
    }
    block.endPart();
    return undefined;
  }

  /** The parameters of a call, up to its closer; true when that was seen and all was well (G3). */
  function* parameters(block: Block, call: TentativeCall): Part<boolean> {
    for (;;) {
      const next = yield* readOneOf(inCall);
      if (!next.found) return next.ended && next.rest === "" && block.stopsAt(`${callTag.close}>`);
      const head = yield* readHead();
      if (!head.ok) return false;
      if (next.found === callTag.close) return true;
      if (head.name === undefined) {
        if (!head.selfClosing) yield forgotten(() => false);
        return false;
      }
      const member = call.arguments.member(head.name);
      if (head.selfClosing) member.begin("bare").close();
      else if (!(yield* value(block, member, (name) => call.arguments.expects(name)))) return false;
      if (call.overflowed) return false;
    }
  }

  /** A value; false when it did not end as the mode allows. */
  function* value(block: Block, member: Member, missed: (name: string) => boolean): Part<boolean> {
    const scan = new Delimited(marks, { missed, callCloses: block.mends }, member);
    yield scan;
    if (scan.overflowed) return false;
    if (scan.ending === "closed") return true;
    if (!block.mends || scan.ending === "cut") return false;
    block.repaired("param-close-missing");
    return true;
  }

  /** The value of a call that is none. It is data all the same, so no repair may end it early and run what it holds. */
  function forgotten(missed: (name: string) => boolean): Delimited {
    return new Delimited(marks, { missed, callCloses: false }, ignored);
  }

  /**
   * Reads on behind what did not fit, to the end of a bad call or of the block: values as values, comments and CDATA
   * whole, so that no example in it can execute (G3).
   */
  function* readOn(call: TentativeCall | undefined, until: "call" | "block"): Part<"call" | "block" | "ended"> {
    const given = new Set<string>();
    for (let depth = 1; ; ) {
      const next = yield* readOneOf(anywhere);
      if (!next.found) return "ended";
      const head = yield* readHead();
      if (!head.ok) continue;
      const outermost = depth === 1;
      if (next.found === parameter.open) {
        if (outermost && head.name !== undefined && given.size < SIEVE_LIMITS.parameters) given.add(head.name);
        const missed = (name: string) => outermost && !given.has(name) && call?.arguments.expects(name) === true;
        if (!head.selfClosing) yield forgotten(missed);
      } else if (next.found === callTag.open || next.found === wrapper.open) {
        if (!head.selfClosing) depth += 1;
      } else if (!outermost) depth -= 1;
      else if (next.found === wrapper.close) return "block";
      else if (until === "call") return "call";
    }
  }

  /** Something else than a call or the wrapper's closer stands behind a call, or the reply has ended there. */
  function* somethingElse(block: Block, { ended, rest }: { ended: boolean; rest?: string | undefined }): Grammar {
    if (ended && rest === "" && block.stopsAt(`${wrapper.close}>`)) return accepted(block);
    if (ended && rest && wrapper.close.startsWith(rest)) block.closerCut();
    if (block.mayEndEarly) {
      block.repaired("wrapper-close-missing");
      return "unclosed";
    }
    if (ended) return "cut";
    if (!block.wrapped) return "broken";
    return (yield* readOn(undefined, "block")) === "ended" ? "cut" : "broken";
  }

  function* wrapperCloses(block: Block): Grammar {
    const head = yield* readHead();
    if (head.ok) return accepted(block);
    if (head.ended) block.closerCut();
    return yield* somethingElse(block, head);
  }

  function accepted(block: Block): Verdict {
    if (!block.wrapped) {
      block.repaired("wrapper-open-missing");
      block.sawSyntax();
    }
    return "accepted";
  }
}
