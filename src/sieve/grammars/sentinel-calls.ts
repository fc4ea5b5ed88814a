import type { Block } from "../block.ts";
import { mark, type Opener, tag } from "../notation.ts";
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

/** Calls in such tags, with their arguments as elements. */
export function sentinelCalls({ sentinel, wrapper, call: callTags }: SentinelTags): Opener {
  const token = compileHeads([mark(sentinel)]);
  const open = compileHeads([tag(wrapper.open)], { peeks: [tag(callTags.open)] });
  const callOpen = compileHeads([tag(callTags.open)], { passes: [sentinel] });
  const form: CallForm = { leads: [tag(callTags.open)], passes: [sentinel], read };
  const wrapped = wrappedCalls({ open: tag(wrapper.open), closes: [tag(wrapper.close)] }, form);
  const bare = wrappedCalls({ open: tag(wrapper.open), closes: [] }, form);

  return {
    ...mark(sentinel),
    evidence: "complete",
    leads: [wrapper.open, callTags.open].map(tag),
    *read(block) {
      const next = yield* readOneOf(open);
      if (next.found === wrapper.open) return (yield* readHead()).ok ? yield* wrapped(block, undefined) : "misfit";
      block.repaired("wrapper-open-missing");
      return yield* bare(block, undefined);
    },
  };

  function* read(block: Block): Part<CallEnd> {
    const next = yield* readOneOf(callOpen);
    const head = next.found === undefined ? undefined : yield* readHead();
    const call = head?.ok && head.name !== undefined ? block.begin(head.name) : undefined;
    if (!head || !call) return (next.ended || head?.ended) && block.maybeCut ? "cut" : "none";
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
