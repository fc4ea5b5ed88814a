import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "./characters.ts";
import { surplusCloser } from "./grammars/surplus-closer.ts";
import {
  type ChannelEnd,
  type Channels,
  type Hit,
  type Mark,
  mark,
  type Notation,
  type Opening,
  spellingsOf,
} from "./notation.ts";
import { compileOpenings, compileUnmarked, type OpeningTable } from "./openings.ts";
import type { SievePlan } from "./plan.ts";
import { type Trigger, Triggers } from "./triggers.ts";

/** The triggers of a plan. They depend on nothing but on what is armed, so they are compiled once for each set. */
export interface Arms {
  /** What may begin a block where the reply begins, without an opener. */
  readonly unmarked: Opening | undefined;
  triggers(armed: { calls: boolean; reasoningCalls: boolean }): Pick<SievePlan, "triggers" | "channelEnds">;
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
  /** A reply that is one fence and nothing else is read as what stands in it (A5). */
  readonly soleFence: boolean;
}

/** What Markdown has to see, besides whatever begins a trigger. */
const MARKDOWN = [LINE_FEED, CARRIAGE_RETURN, BACKTICK];

export function arm({ notations, pinned, channels, results, soleFence }: Armed): Arms {
  const strips = [...new Set(channels.flatMap(({ strips = [] }) => strips))];
  const openings = compileOpenings({ notations, pinned, strips, soleFence });
  const text = new Table();
  for (const { reasoning = [], visible = [] } of channels) {
    for (const { open, close } of reasoning) {
      if (open !== undefined) text.add(mark(open), { reasoning: "opens" });
      text.add(mark(close), { reasoning: "closes" });
    }
    for (const spelling of visible) text.add(mark(spelling), { visible: true });
  }
  for (const spelling of strips) text.add(mark(spelling), { strip: true });
  const off = { text: text.compile(), reasoning: new Table().compile() };
  const reasoning = new Table();
  for (const [opener, call] of openings.in("text")) text.add(opener, { call });
  for (const [opener, call] of openings.in("reasoning")) reasoning.add(opener, { call });
  for (const { mark, opening } of closersOf(notations))
    for (const table of [text, reasoning]) table.add(mark, { closer: opening });
  for (const spelling of results) text.add(mark(spelling), { results: true });
  const on = { text: text.compile(), reasoning: reasoning.compile() };

  const closes = new Ends(channels);
  const suspends = new Ends(channels, openings);
  return {
    unmarked: compileUnmarked(notations, pinned),
    triggers({ calls, reasoningCalls }) {
      if (!calls) return { triggers: off, channelEnds: closes.triggers };
      if (!reasoningCalls)
        return { triggers: { text: on.text, reasoning: off.reasoning }, channelEnds: closes.triggers };
      return { triggers: on, channelEnds: suspends.triggers };
    },
  };
}

/** A tag's closer is read like a block, up to its `>`: it may hold blanks. */
function closersOf(notations: readonly Notation[]) {
  return notations.flatMap(({ id, source, closers, wrappers = [] }) =>
    [...new Set([...closers, ...wrappers.flatMap(({ closes }) => closes)])].map((closer) => ({
      mark: closer,
      opening: {
        tag: closer.tag,
        read: surplusCloser(closer.tag),
        kind: { dialect: id, source, evidence: "complete", meant: false, suspendsReasoning: false },
        suspendsReasoning: false,
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

/** What ends or interrupts reasoning; the first meaning of a spelling is the one that counts. */
class Ends {
  readonly triggers: Triggers<ChannelEnd>;

  constructor(channels: readonly Channels[], openings?: OpeningTable) {
    const ends = new Map<string, Trigger<ChannelEnd>>();
    for (const { close } of channels.flatMap(({ reasoning = [] }) => reasoning)) {
      ends.set(close.toLowerCase(), { ...mark(close), meaning: { does: "closes" } });
    }
    for (const [{ tag, ...opener }, { anywhere }] of openings?.in("text") ?? []) {
      if (!anywhere?.suspendsReasoning) continue;
      for (const spelling of spellingsOf({ tag, ...opener })) {
        const key = spelling.toLowerCase();
        if (!ends.has(key)) ends.set(key, { spelling, tag, meaning: { does: "suspends", opening: anywhere } });
      }
    }
    this.triggers = new Triggers([...ends.values()]);
  }
}
