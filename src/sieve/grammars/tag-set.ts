import type { Block } from "../block.ts";
import type { Head, Lead, Mark, Wrapper } from "../notation.ts";
import { compileHeads, type Heads, NAME, type OneOf } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TagRest } from "../tag-rest.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { compileMarks, type TextStyle, type ValueMarks } from "../value-scan/marks.ts";
import type { Member } from "../values/sinks.ts";

/** How calls are written in a notation such as `<calls><call name=…><parameter name=…>…`. */
export interface ParameterTags {
  readonly call: TagPair;
  readonly parameter: TagPair;
  /** Heads of a call that have lost their first character; they mean something at the beginning of a wrapper alone. */
  readonly cutOpens?: readonly Head[];
  /** Behind a parameter the wrapper's closer ends the call, too: models leave out the one before it (sieve.md T4). */
  readonly wrapperEndsCall?: true;
  /** What text without CDATA is taken for. */
  readonly style: TextStyle;
  /** What a parameter's tag says of its value; undefined where it says nothing. */
  readonly typeOf?: (head: TagRest) => ValueType | undefined;
  /** Other ways to write the arguments of a call. */
  readonly bodies?: readonly CallBody[];
}

/** Spellings of what opens and of what closes; the first closer is the usual one. */
export interface TagPair {
  readonly opens: readonly Head[];
  readonly closes: readonly Mark[];
}

/**
 * What is known of a value before it is read: text, JSON, or further parameters, named in an object and nameless in an
 * array.
 */
export type ValueType = "string" | "literal" | "object" | "array";

/** Arguments of a call that do not stand in parameters, such as one JSON object. */
export interface CallBody {
  readonly leads: readonly Lead[];
  /** Reads from the lead on; `none` where no argument stands there. */
  read(block: Block, call: TentativeCall): Part<BodyEnd | "none">;
}

/**
 * How it came to its end.
 * - `part`: what stands there was read, and more of the arguments may follow.
 * - `whole`: these were all arguments, so that the call is complete, its closer seen or not (sieve.md T4).
 * - `open`: only the call's closer can still complete them (T4).
 * - `bad`: they are none.
 */
export type BodyEnd = "part" | "whole" | "open" | "bad";

/** What a spelling means between the values of a block. */
export type Tag =
  | (Head & { readonly is: "parameter" | "call" | "cut-call" | "call-end" | "wrapper" | "wrapper-end" })
  | { readonly is: "body"; readonly body: CallBody };

/** The tags of a notation in one of the wrappers that it may stand in, with what is looked for at each place. */
export class TagSet {
  readonly tags: ParameterTags;
  /** What closes the wrapper. */
  readonly closes: readonly Mark[];
  readonly inWrapper: Heads;
  readonly betweenCalls: Heads;
  readonly inCall: Heads;
  /** In what is read over. */
  readonly anywhere: Heads;
  /** Between the members of a value that consists of parameters. */
  readonly inValue: Heads;
  readonly values: ValueMarks;
  /** Of the members of such a value: what closes that one may stand behind them. */
  readonly members: ValueMarks;
  readonly #meanings = new Map<string, Tag>();

  constructor(tags: ParameterTags, wrapper: Wrapper | undefined) {
    const { call, parameter, cutOpens = [], bodies = [] } = tags;
    const around = wrapper ? { opens: [wrapper.open], closes: wrapper.closes } : { opens: [], closes: [] };
    this.tags = tags;
    this.closes = around.closes;
    this.inWrapper = compileHeads([...call.opens, ...cutOpens]);
    this.betweenCalls = compileHeads([...call.opens, ...around.closes]);
    this.inCall = compileHeads([...parameter.opens, ...call.closes], {
      peeks: [...bodies.flatMap(({ leads }) => leads), ...(tags.wrapperEndsCall ? around.closes : [])],
    });
    this.inValue = compileHeads([...parameter.opens, ...parameter.closes]);
    const marked = [...parameter.opens, ...call.opens, ...call.closes, ...around.opens, ...around.closes];
    this.anywhere = compileHeads(marked, { skips: "anything" });
    const own = { opens: parameter.opens, closes: parameter.closes, callOpens: call.opens, style: tags.style };
    this.values = compileMarks({ ...own, callCloses: call.closes, wrapperCloses: around.closes });
    this.members = compileMarks({ ...own, wrapperCloses: parameter.closes });
    this.#mean("parameter", parameter.opens);
    this.#mean("call", call.opens);
    this.#mean("cut-call", cutOpens);
    this.#mean("call-end", call.closes);
    this.#mean("wrapper", around.opens);
    this.#mean("wrapper-end", around.closes);
    for (const body of bodies)
      for (const lead of body.leads) this.#meanings.set(spellingOf(lead), { is: "body", body });
  }

  /** What was found; undefined where nothing was. */
  meaningOf({ found }: OneOf): Tag | undefined {
    return found === undefined ? undefined : this.#meanings.get(found);
  }

  #mean(is: Exclude<Tag["is"], "body">, heads: readonly Head[]) {
    for (const head of heads) this.#meanings.set(head.spelling, { ...head, is });
  }
}

/** What a tag says of its value holds for all but CDATA, which is a string whatever stands around it. */
export function claimed(member: Member, type: "string" | "literal" | undefined): Member {
  return type === undefined ? member : { begin: (origin) => member.begin(origin === "bare" ? type : origin) };
}

function spellingOf(lead: Lead): string {
  return lead === NAME ? NAME : lead.spelling;
}
