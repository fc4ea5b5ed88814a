import type { Block } from "../block.ts";
import { type Body, type Mark, mark, markOf, type Opener, type Wrapper } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { SentinelValue } from "../value-scan/sentinel-value.ts";
import { readElementTag, readHead, readOneOf } from "./tags.ts";
import { type CallEnd, type CallForm, wrappedCalls } from "./wrapped-calls.ts";

/** A notation that puts one special token before each of its tags; heads of tags in lower case. */
export interface SentinelTags {
  readonly sentinel: string;
  readonly wrapper: { readonly open: string; readonly close: string };
  readonly call: { readonly open: string; readonly close: string };
}

interface SentinelCalls {
  readonly wrapper: Wrapper;
  readonly body: Body;
  /** A call without the wrapper. */
  readonly bare: Opener;
}

/** Calls in such tags, with their arguments as elements. */
export function sentinelCalls({ sentinel, wrapper: around, call: callTags }: SentinelTags): SentinelCalls {
  const token = compileHeads([mark(sentinel)]);
  // Some models part the token and the tag.
  const behindToken = (head: string) => ["", " ", "\n"].map((blank) => sentinel + blank + head);
  const headOf = (...spellings: string[]): Mark => ({ ...markOf(spellings), tag: true });
  const callOpen = headOf(...behindToken(callTags.open));
  const opened = compileHeads([callOpen]);
  const form: CallForm = { leads: [callOpen], read };
  // Behind calls that are written in another notation the token may be missing.
  const close = headOf(...behindToken(around.close), around.close);
  const wrapper: Wrapper = { open: headOf(...behindToken(around.open)), closes: [close] };
  const unwrapped = wrappedCalls({ open: wrapper.open, closes: [] }, { ...form, begun: inCall });

  return {
    wrapper,
    body: { source: "xml", leads: [callOpen], in: (wrapper) => wrappedCalls(wrapper, form) },
    bare: {
      ...callOpen,
      evidence: "complete",
      *read(block) {
        block.repaired("wrapper-open-missing");
        return yield* unwrapped(block, undefined);
      },
    },
  };

  function* read(block: Block): Part<CallEnd> {
    const next = yield* readOneOf(opened);
    if (next.found === undefined) return next.ended && block.maybeCut ? "cut" : "none";
    return yield* inCall(block);
  }

  /** From behind the head of a call's opening tag on. */
  function* inCall(block: Block): Part<CallEnd> {
    const head = yield* readHead();
    const call = head.ok && head.name !== undefined ? block.begin(head.name) : undefined;
    if (!call) return head.ended && block.maybeCut ? "cut" : "none";
    const wrong = head.selfClosing ? undefined : yield* members(block, call);
    if (wrong) return wrong;
    block.end(call);
    return "ended";
  }

  /** The arguments of a call, up to its closing tag. */
  function* members(block: Block, call: TentativeCall): Part<"bad" | "cut" | undefined> {
    for (;;) {
      const next = yield* readOneOf(token);
      if (next.found === undefined) return next.ended ? "cut" : "bad";
      const tag = yield* readElementTag((name, closes) => !closes || `</${name.toLowerCase()}` === callTags.close);
      if (!tag.ok) return tag.ended ? "cut" : "bad";
      if (tag.closes) return undefined;
      const member = call.arguments.member(tag.name);
      if (tag.rest.selfClosing) {
        member.begin("bare").close();
        continue;
      }
      const scan = new SentinelValue(token.words, tag.name, member);
      yield scan;
      if (scan.ending === "cut") return "cut";
      if (scan.ending === "other") block.repaired("param-close-missing");
      if (scan.overflowed || call.overflowed) return "bad";
    }
  }
}
