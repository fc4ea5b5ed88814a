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
  /** Once it has ended the call is complete, its closer seen or not (sieve.md T4). */
  readonly whole?: true;
  /** Reads from the lead on; false where it is bad. Parameters or the call's closer may follow. */
  read(block: Block, call: TentativeCall): Part<boolean>;
}

/** What a spelling means between the values of a block. */
export type Tag =
  | (Head & { readonly is: "parameter" | "call" | "cut-call" | "call-end" | "wrapper" | "wrapper-end" })
  | { readonly is: "body"; readonly body: CallBody };

/** The tags of a notation in one of the wrappers that it may stand in, with what is looked for at each place. */
export class TagSet {
  readonly tags: ParameterTags;
  readonly wrapper: Wrapper;
  readonly inWrapper: Heads;
  readonly betweenCalls: Heads;
  readonly inCall: Heads;
  /** In what is read over. */
  readonly anywhere: Heads;
  /** Between the members of a value that consists of parameters. */
  readonly inValue: Heads;
  readonly values: ValueMarks;
  readonly #meanings = new Map<string, Tag>();

  constructor(tags: ParameterTags, wrapper: Wrapper) {
    const { call, parameter, cutOpens = [], bodies = [] } = tags;
    this.tags = tags;
    this.wrapper = wrapper;
    this.inWrapper = compileHeads([...call.opens, ...cutOpens]);
    this.betweenCalls = compileHeads([...call.opens, ...wrapper.closes]);
    this.inCall = compileHeads([...parameter.opens, ...call.closes], { peeks: bodies.flatMap(({ leads }) => leads) });
    this.inValue = compileHeads([...parameter.opens, ...parameter.closes]);
    const marked = [...parameter.opens, ...call.opens, ...call.closes, wrapper.open, ...wrapper.closes];
    this.anywhere = compileHeads(marked, { skips: "anything" });
    this.values = compileMarks({
      opens: parameter.opens,
      closes: parameter.closes,
      callOpens: call.opens,
      callCloses: call.closes,
      wrapperCloses: wrapper.closes,
      style: tags.style,
    });
    this.#mean("parameter", parameter.opens);
    this.#mean("call", call.opens);
    this.#mean("cut-call", cutOpens);
    this.#mean("call-end", call.closes);
    this.#mean("wrapper", [wrapper.open]);
    this.#mean("wrapper-end", wrapper.closes);
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
