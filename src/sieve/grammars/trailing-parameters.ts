import type { Block } from "../block.ts";
import { type Body, tag, type Wrapper } from "../notation.ts";
import { compileHeads, NAME } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { compileMarks } from "../value-scan/marks.ts";
import { readHead, readName, readOneOf } from "./tags.ts";
import { type CallEnd, wrappedCalls } from "./wrapped-calls.ts";

/** Heads of tags, in lower case. */
export interface TrailingTags {
  readonly callClose: string;
  readonly parameter: { readonly open: string; readonly close: string };
}

/** Calls whose element holds the tool's name and nothing else: the parameters stand behind it. */
export function trailingParameters({ callClose, parameter }: TrailingTags): Body {
  const heads = {
    call: compileHeads([tag(callClose)]),
    parameter: compileHeads([tag(parameter.open)]),
    // Nothing ends such a call, so whatever follows a parameter may be text.
    marks: compileMarks({
      opens: [tag(parameter.open)],
      closes: [tag(parameter.close)],
      style: "lines",
      endsAtOnce: true,
    }),
  };
  // The block ends behind the last parameter, and not at what closes the wrapper.
  const unclosed = ({ open }: Wrapper): Wrapper => ({ open, closes: [] });
  return { source: "xml", leads: [NAME], in: (wrapper) => wrappedCalls(unclosed(wrapper), { leads: [], read }) };

  function* read(block: Block): Part<CallEnd> {
    const { name, ended } = yield* readName();
    const close = yield* readOneOf(heads.call);
    if (close.found === undefined || !(yield* readHead()).ok)
      return (ended || close.ended) && block.maybeCut ? "cut" : "none";
    let next = yield* readOneOf(heads.parameter);
    // A name alone could stand in prose (sieve.md N1).
    const call = next.found !== undefined || block.tools.declares(name) ? block.begin(name) : undefined;
    if (!call) return "none";
    for (; next.found !== undefined; next = yield* readOneOf(heads.parameter)) {
      const wrong = yield* oneParameter(call);
      if (wrong) return wrong;
    }
    // A reply that was cut here may have had more of them.
    if (next.ended && (next.rest !== "" || !block.endedByStop)) return "cut";
    block.end(call);
    return "ended";
  }

  /** From behind the head of its opening tag on. */
  function* oneParameter(call: TentativeCall): Part<"bad" | "cut" | undefined> {
    const head = yield* readHead();
    if (!head.ok || head.name === undefined) return "bad";
    const member = call.arguments.member(head.name);
    if (head.selfClosing) {
      member.begin("bare").close();
      return undefined;
    }
    const scan = new Delimited(heads.marks, { missed: () => false, callCloses: false }, member);
    yield scan;
    if (scan.ending === "cut") return "cut";
    return scan.overflowed || call.overflowed ? "bad" : undefined;
  }
}
