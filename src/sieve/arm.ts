import { type ChannelEnd, compileChannelEnds } from "./channel-scan.ts";
import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "./characters.ts";
import { surplusCloser } from "./grammars/surplus-closer.ts";
import { type Channels, type Hit, type Mark, mark, type Notation, type Opening, spellingsOf } from "./notation.ts";
import { compileOpenings, compileUnmarked } from "./openings.ts";
import type { Channel } from "./plan.ts";
import { type Trigger, Triggers } from "./triggers.ts";

/** The triggers of a plan. They depend on nothing but on what is armed, so they are compiled once for each set. */
export interface Arms {
  readonly channelEnds: Triggers<ChannelEnd>;
  /** What may begin a block where the reply begins, without an opener. */
  readonly unmarked: Opening | undefined;
  triggers(armed: { calls: boolean; reasoningCalls: boolean }): Readonly<Record<Channel, Triggers<Hit>>>;
}

export interface Armed {
  /** Whose calls are read. */
  readonly notations: readonly Notation[];
  /** Those of them that the route asks for by name. */
  readonly pinned: ReadonlySet<Notation>;
  /** Whose channels are read; they work in every mode (sieve.md A4). */
  readonly channels: readonly Channels[];
  /** Openers of tool results, those of notations that are not armed included. */
  readonly results: readonly string[];
}

/** What Markdown has to see, besides whatever begins a trigger. */
const MARKDOWN = [LINE_FEED, CARRIAGE_RETURN, BACKTICK];

export function arm({ notations, pinned, channels, results }: Armed): Arms {
  const openings = compileOpenings(notations, pinned);
  const text = new Table();
  for (const { reasoning = [], visible = [], strips = [] } of channels) {
    for (const { open, close, before } of reasoning) {
      if (open !== undefined) text.add(mark(open), { reasoning: "opens" });
      if (!before) text.add(mark(close), { reasoning: "closes" });
    }
    for (const spelling of visible) text.add(mark(spelling), { visible: true });
    for (const spelling of strips) text.add(mark(spelling), { strip: true });
  }
  const off = text.compile();
  const reasoning = new Table();
  for (const table of [text, reasoning]) {
    for (const [opener, call] of openings.in(table === text ? "text" : "reasoning")) table.add(opener, { call });
    for (const closer of closersOf(notations)) table.add(closer.mark, { closer: closer.opening });
  }
  for (const spelling of results) text.add(mark(spelling), { results: true });
  const on = { text: text.compile(), reasoning: reasoning.compile() };
  const silent = new Table().compile();
  return {
    unmarked: compileUnmarked(notations, pinned),
    channelEnds: compileChannelEnds(channels.flatMap(({ reasoning = [] }) => reasoning)),
    triggers: (armed) => ({
      text: armed.calls ? on.text : off,
      reasoning: armed.calls && armed.reasoningCalls ? on.reasoning : silent,
    }),
  };
}

/** A tag's closer is read like a block, up to its `>`: it may hold blanks. */
function closersOf(notations: readonly Notation[]) {
  return notations.flatMap(({ id, source, closers, wrappers = [] }) =>
    [...closers, ...wrappers.flatMap(({ closes }) => closes)].map((closer) => ({
      mark: closer,
      opening: {
        tag: closer.tag,
        read: surplusCloser(closer.tag),
        kind: { dialect: id, source, evidence: "complete", meant: false, suspendsReasoning: false },
      } as const,
    })),
  );
}

/** What each spelling means: notations share many of them, and each adds what it means by it. */
class Table {
  readonly #hits = new Map<string, { mark: Mark; hit: Hit }>();

  add(mark: Mark, hit: Hit) {
    for (const spelling of spellingsOf(mark)) {
      const key = `${spelling.toLowerCase()}${mark.tag ? " " : ""}`;
      // The first one that gives a role to a spelling keeps it: surplus closers and marks mean the same to all.
      this.#hits.set(key, { mark: { spelling, tag: mark.tag }, hit: { ...hit, ...this.#hits.get(key)?.hit } });
    }
  }

  compile(): Triggers<Hit> {
    const triggers: Trigger<Hit>[] = [...this.#hits.values()].map(({ mark, hit }) => ({ ...mark, meaning: hit }));
    return new Triggers(triggers, MARKDOWN);
  }
}
