import { once } from "../once.ts";
import type { ChannelEnd } from "./channel-scan.ts";
import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "./characters.ts";
import { surplusCloser } from "./grammars/surplus-closer.ts";
import { type BareNames, type Channels, type Hit, type Mark, mark, type Notation, spellingsOf } from "./notation.ts";
import { compileOpenings, compileUnmarked, type OpeningTable } from "./openings.ts";
import type { SievePlan } from "./plan.ts";
import { type Trigger, Triggers } from "./triggers.ts";

/** The triggers of a plan. They depend on nothing but on what is armed, so they are compiled once for each set. */
export interface Arms {
  /** What may begin a block where the reply begins, without an opener. */
  readonly unmarked: SievePlan["unmarked"];
  readonly bareNames: SievePlan["bareNames"];
  triggers(armed: { calls: boolean; reasoningCalls: boolean }): Pick<SievePlan, "triggers" | "channelEnds">;
}

export interface Armed {
  /** How names are cut. */
  readonly bareNames: readonly BareNames[];
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

export function arm(armed: Armed): Arms {
  const { notations, pinned, channels } = armed;
  const strips = [...new Set(channels.flatMap(({ strips = [] }) => strips))];
  const openings = once(() => compileOpenings({ ...armed, strips }));
  // Each is compiled when a reply first asks for it: few ask for all of them.
  const channelsAlone = once(() => channelTable(channels, strips).compile());
  const nothing = once(() => new Table().compile());
  const text = once(() => textTable(armed, strips, openings()).compile());
  const reasoning = once(() => {
    const table = new Table();
    addBlocks(table, openings().in("reasoning"), notations);
    for (const spelling of strips) table.add(mark(spelling), { strip: true });
    return table.compile();
  });
  const ends = new Map<Channels | undefined, Triggers<ChannelEnd>>();
  const endsOf = (opened?: Channels) => {
    const known = ends.get(opened) ?? compileEnds(opened ? [opened] : channels, notations);
    ends.set(opened, known);
    return known;
  };
  return {
    unmarked: compileUnmarked(notations, pinned),
    bareNames: armed.bareNames,
    triggers({ calls, reasoningCalls }) {
      const triggers = {
        text: calls ? text() : channelsAlone(),
        reasoning: calls && reasoningCalls ? reasoning() : nothing(),
      };
      return { triggers, channelEnds: endsOf };
    },
  };
}

function channelTable(channels: readonly Channels[], strips: readonly string[]): Table {
  const table = new Table();
  for (const each of channels) {
    const { reasoning = [], visible = [] } = each;
    for (const { open, close } of reasoning) {
      if (open !== undefined) table.add(mark(open), { reasoning: "opens", channels: each });
      table.add(mark(close), { reasoning: "closes" });
    }
    for (const spelling of visible) table.add(mark(spelling), { visible: true, channels: each });
  }
  for (const spelling of strips) table.add(mark(spelling), { strip: true });
  return table;
}

function textTable({ notations, channels, results }: Armed, strips: readonly string[], openings: OpeningTable): Table {
  const table = channelTable(channels, strips);
  addBlocks(table, openings.in("text"), notations);
  for (const spelling of results) table.add(mark(spelling), { results: true });
  return table;
}

function addBlocks(table: Table, openings: ReturnType<OpeningTable["in"]>, notations: readonly Notation[]) {
  for (const [opener, call] of openings) table.add(opener, { call });
  for (const { mark, opening } of closersOf(notations)) table.add(mark, { closer: opening });
}

/** A tag's closer is read like a block, up to its `>`: it may hold blanks. */
function closersOf(notations: readonly Notation[]) {
  return notations.flatMap(({ id, source, closers = [], wrappers = [] }) =>
    [...new Set([...closers, ...wrappers.flatMap(({ closes }) => closes)])].map((closer) => ({
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

/** Closers that notations share are taken once. */
function compileEnds(channels: readonly Channels[], notations: readonly Notation[]): Triggers<ChannelEnd> {
  const callClosers = new Set(
    closersOf(notations)
      .flatMap(({ mark }) => spellingsOf(mark))
      .map((closer) => closer.toLowerCase()),
  );
  const closes = new Set(channels.flatMap(({ reasoning = [] }) => reasoning.map(({ close }) => close.toLowerCase())));
  return new Triggers(
    [...closes].map((close) => ({ ...mark(close), meaning: { closesCalls: callClosers.has(close) } })),
  );
}
