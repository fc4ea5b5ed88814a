import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "./characters.ts";
import { surplusCloser } from "./grammars/surplus-closer.ts";
import type { Channel, Hit, Notation } from "./plan.ts";
import { type Trigger, Triggers } from "./triggers.ts";

/** Marks that are known whatever notation is armed. */
export interface CommonMarks {
  readonly reasoning: readonly { readonly open: string; readonly close: string }[];
  /** Openers of tool results in notations that are not armed. */
  readonly results: readonly string[];
}

/** The triggers of a plan. They depend on nothing but on what is armed, so they are compiled once for each set. */
export interface Arms {
  readonly channelEnds: Triggers<true>;
  triggers(armed: { calls: boolean; reasoningCalls: boolean }): Readonly<Record<Channel, Triggers<Hit>>>;
}

/** What Markdown has to see, besides whatever begins a trigger. */
const MARKDOWN = [LINE_FEED, CARRIAGE_RETURN, BACKTICK];

export function arm(notations: readonly Notation[], marks: CommonMarks): Arms {
  const compile = (triggers: readonly Trigger<Hit>[]) => new Triggers(triggers, MARKDOWN);
  const calls = [...openers(notations), ...closers(notations)];
  const channels = channelMarks(marks);
  const text = { off: compile(channels), on: compile([...channels, ...calls, ...results(notations, marks)]) };
  const reasoning = { off: compile([]), on: compile(calls) };
  return {
    channelEnds: new Triggers(marks.reasoning.map(({ close }) => exact<true>(close, true))),
    triggers: (armed) => ({
      text: armed.calls ? text.on : text.off,
      reasoning: armed.calls && armed.reasoningCalls ? reasoning.on : reasoning.off,
    }),
  };
}

function openers(notations: readonly Notation[]): Trigger<Hit>[] {
  return notations.flatMap(({ id, source, openers }) =>
    openers.map((opener) => ({
      spelling: opener.spelling,
      tag: opener.tag,
      meaning: { does: "call", opening: { ...opener, dialect: id, source } },
    })),
  );
}

/** A closer is read like a block, up to its `>`: it may hold blanks. */
function closers(notations: readonly Notation[]): Trigger<Hit>[] {
  return notations.flatMap(({ id, source, closers }) =>
    closers.map((spelling) => ({
      spelling,
      tag: true,
      meaning: {
        does: "closer",
        opening: { spelling, tag: true, evidence: "complete", read: surplusCloser, dialect: id, source },
      },
    })),
  );
}

function results(notations: readonly Notation[], marks: CommonMarks): Trigger<Hit>[] {
  const spellings = [...notations.flatMap((notation) => notation.results), ...marks.results];
  return spellings.map((opener) => exact<Hit>(opener, { does: "results" }));
}

function channelMarks({ reasoning }: CommonMarks): Trigger<Hit>[] {
  return reasoning.flatMap(({ open, close }) => [
    exact<Hit>(open, { does: "reasoning", opens: true }),
    exact<Hit>(close, { does: "reasoning", opens: false }),
  ]);
}

function exact<Meaning>(spelling: string, meaning: Meaning): Trigger<Meaning> {
  return { spelling, tag: false, meaning };
}
