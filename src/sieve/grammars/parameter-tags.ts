import type { Block } from "../block.ts";
import type { Grammar, Scan, Verdict } from "../scan.ts";
import { OneOf, TagRest } from "../scans.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import type { Sink, ValueMarks } from "../value-scan/marks.ts";
import { Ignored } from "../values/sinks.ts";

/** Heads of the tags of a notation such as `<calls><call name=…><parameter name=…>…`, in lower case. */
export interface ParameterTags {
  readonly wrapper: { readonly open: string; readonly close: string };
  readonly call: { readonly open: string; readonly close: string };
  readonly parameter: { readonly open: string; readonly close: string };
  readonly cdata: string;
}

/** A part of a grammar: yields scans, returns what it found. */
type Part<T> = Generator<Scan, T, void>;

/** A wrapper, calls in it, parameters in those (sieve.md G); and the same with the wrapper's opener missing (M2). */
export function parameterTags(tags: ParameterTags): (block: Block) => Grammar {
  const { wrapper, call: callTag, parameter } = tags;
  const inCall = [parameter.open, callTag.close];
  const anyHead = [parameter.open, callTag.open, callTag.close, wrapper.open, wrapper.close];
  const marks: ValueMarks = {
    open: parameter.open,
    close: parameter.close,
    callOpen: callTag.open,
    callClose: callTag.close,
    cdata: tags.cdata,
    structure: [parameter.open, callTag.open, callTag.close, wrapper.close],
  };

  return function* (block) {
    if (block.wrapped) {
      const head = yield* tag();
      if (!head.ok || head.selfClosing) return "misfit";
      block.sawSyntax();
      const next = yield* oneOf([callTag.open]);
      if (!next.found) return "misfit";
    }
    for (let first = true; ; first = false) {
      if (!first) {
        const next = yield* oneOf([callTag.open, wrapper.close]);
        if (next.found === wrapper.close) return yield* wrapperCloses(block);
        if (!next.found) return yield* somethingElse(block, next);
      }
      const verdict = yield* oneCall(block, first);
      if (verdict) return verdict;
    }
  };

  /** Behind the head of a call; returns a verdict when the block is over. */
  function* oneCall(block: Block, first: boolean): Part<Verdict | undefined> {
    const head = yield* tag();
    if (!head.ok) {
      if (first) return "misfit";
      return head.ended ? cutSibling(block) : yield* somethingElse(block, head);
    }
    const call = head.name === undefined ? undefined : block.begin(head.name);
    // Without a wrapper a nameless head is only a mention.
    if (!call && first && !block.wrapped) return "misfit";
    if (call && (head.selfClosing || (yield* parameters(block, call)))) {
      block.end(call);
      return block.full ? "accepted" : undefined;
    }
    if (call?.onWire) return "broken";
    block.bad(call);
    if (!head.selfClosing) {
      const end = yield* readOn(block, call, "call");
      if (end === "block") return accepted(block);
      if (end === "ended") return cutSibling(block);
    }
    block.passed();
    return undefined;
  }

  /** The parameters of a call, up to its closer; true when that was seen and all was well (G3). */
  function* parameters(block: Block, call: TentativeCall): Part<boolean> {
    for (;;) {
      const next = yield* oneOf(inCall);
      if (!next.found) return next.ended && next.rest === "" && block.stoppedAt(`${callTag.close}>`);
      const head = yield* tag();
      if (!head.ok) return false;
      if (next.found === callTag.close) return true;
      if (head.name === undefined) return false;
      const sink = call.arguments.member(head.name);
      if (head.selfClosing) {
        sink.begin("bare");
        sink.close();
      } else if (!(yield* value(block, sink, (name) => call.arguments.expects(name)))) return false;
    }
  }

  /** A value; false when it did not end as the mode allows. */
  function* value(block: Block, sink: Sink, missed: (name: string) => boolean): Part<boolean> {
    const scan = new Delimited(marks, { missed, callCloses: block.mends }, sink);
    yield scan;
    if (scan.ending === "closed") return true;
    if (!block.mends || (scan.ending !== "at-head" && scan.ending !== "at-call-close")) return false;
    block.repair("param-close-missing");
    return true;
  }

  /**
   * Reads on behind what did not fit, to the end of a bad call or of the block: values as values, comments and CDATA
   * whole, so that no example in it can execute (G3).
   */
  function* readOn(
    block: Block,
    call: TentativeCall | undefined,
    until: "call" | "block",
  ): Part<"call" | "block" | "ended"> {
    for (let depth = 1; ; ) {
      const next = yield* oneOf(anyHead, "anything");
      if (!next.found) return "ended";
      const head = yield* tag();
      if (!head.ok) continue;
      const outermost = depth === 1;
      if (next.found === parameter.open) {
        const missed = (name: string) => outermost && call?.arguments.expects(name) === true;
        if (!head.selfClosing) yield new Delimited(marks, { missed, callCloses: block.mends }, new Ignored());
      } else if (next.found === callTag.open || next.found === wrapper.open) {
        if (!head.selfClosing) depth += 1;
      } else if (!outermost) depth -= 1;
      else if (next.found === wrapper.close) return "block";
      else if (until === "call") return "call";
    }
  }

  /** Something else than a call or the wrapper's closer stands behind a call, or the reply has ended there. */
  function* somethingElse(block: Block, seen: { ended: boolean; rest?: string }): Grammar {
    const { ended, rest = "" } = seen;
    if (ended && rest === "" && block.stoppedAt(`${wrapper.close}>`)) return accepted(block);
    if (ended && rest !== "" && block.mends && wrapper.close.startsWith(rest)) closerCut(block);
    if (block.mayEndEarly) {
      block.repair("wrapper-close-missing");
      return "unclosed";
    }
    if (block.wrapped && !ended) yield* readOn(block, undefined, "block");
    return "broken";
  }

  function* wrapperCloses(block: Block): Grammar {
    const head = yield* tag();
    if (head.ok) return accepted(block);
    if (head.ended && block.mends) closerCut(block);
    return yield* somethingElse(block, head);
  }

  function accepted(block: Block): Verdict {
    if (!block.wrapped) {
      block.repair("wrapper-open-missing");
      block.sawSyntax();
    }
    return "accepted";
  }

  function closerCut(block: Block) {
    block.repair("closer-cut");
    block.passed();
  }

  /** The end of the reply has cut a call: it is dropped if one before it is out, else the block is no call (E1, T2). */
  function cutSibling(block: Block): Verdict {
    if (!block.announced) return "broken";
    block.bad(undefined);
    block.cut();
    block.repair("wrapper-close-missing");
    return "unclosed";
  }
}

function* oneOf(words: readonly string[], skip: "blanks" | "anything" = "blanks"): Part<OneOf> {
  const scan = new OneOf(words, skip);
  yield scan;
  return scan;
}

function* tag(): Part<TagRest> {
  const scan = new TagRest();
  yield scan;
  return scan;
}
