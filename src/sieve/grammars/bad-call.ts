import { SIEVE_LIMITS } from "../../limits.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { ignored } from "../values/sinks.ts";
import type { Tag, TagSet } from "./tag-set.ts";
import { readHead, readOneOf } from "./tags.ts";

/** The value of a call that is none. It is data all the same, so no repair may end it early and run what it holds. */
export function forgotten({ values }: TagSet, missed: (name: string) => boolean): Delimited {
  return new Delimited(values, { missed, callCloses: false }, ignored);
}

/**
 * Reads on behind what did not fit, to the end of a bad call or of the block: values as values, comments and CDATA
 * whole, so that no example in it can execute (sieve.md G3).
 */
export function* readOver(
  set: TagSet,
  call: TentativeCall | undefined,
  until: "call" | "block",
): Part<"call" | "block" | "ended"> {
  const given = new Set<string>();
  for (let depth = 1; ; ) {
    const tag = set.meaningOf(yield* readOneOf(set.anywhere));
    if (!tag || tag.is === "body") return "ended";
    const head = hasRest(tag) ? yield* readHead(tag.syntax) : undefined;
    if (head && !head.ok) continue;
    const outermost = depth === 1;
    if (tag.is === "parameter") {
      const name = head?.name;
      if (outermost && name !== undefined && given.size < SIEVE_LIMITS.parameters) given.add(name);
      const missed = (name: string) => outermost && !given.has(name) && call?.arguments.expects(name) === true;
      if (!head?.selfClosing) yield forgotten(set, missed);
    } else if (tag.is === "call" || tag.is === "wrapper") {
      if (!head?.selfClosing) depth += 1;
    } else if (!outermost) depth -= 1;
    else if (tag.is === "wrapper-end") return "block";
    else if (until === "call") return "call";
  }
}

function hasRest(tag: Exclude<Tag, { is: "body" }>): boolean {
  return tag.tag || tag.syntax !== undefined;
}
