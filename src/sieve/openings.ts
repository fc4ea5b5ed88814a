import { once } from "../once.ts";
import type { Block } from "./block.ts";
import { nestedWrappers } from "./grammars/nested-wrappers.ts";
import { soleFence } from "./grammars/sole-fence.ts";
import { lookAhead, readHead, readOneOf } from "./grammars/tags.ts";
import {
  type Anchor,
  type Body,
  type Kind,
  type Lead,
  type Mark,
  mark,
  markOf,
  type Notation,
  type Opener,
  type Opening,
  type Read,
  spellingsOf,
  type Wrapper,
} from "./notation.ts";
import { compileHeads, type Heads, NAME } from "./one-of.ts";
import type { Channel } from "./plan.ts";
import type { Grammar, Part } from "./scan.ts";

/** One way to go on behind an opener. */
interface Way {
  readonly kind: Kind;
  readonly leads: readonly Lead[] | undefined;
  readonly read: Read;
}

/** All ways to go on behind one mark. */
interface Spelled {
  readonly tag: boolean;
  /** By what they are where case does not count. */
  readonly spellings: Map<string, string>;
  readonly ways: { readonly at: Anchor; readonly pinned: boolean; readonly way: Way }[];
  /** The way that a lead belongs to, by what the lead is spelled like; `ANYTHING` for the one that has none. */
  readonly taken: Map<string, { readonly dialect: string; readonly pinned: boolean }>;
}

/** A place that allows what another one does, and more. */
const ALLOWS: Readonly<Record<Anchor, readonly Anchor[]>> = {
  anywhere: ["anywhere"],
  line: ["anywhere", "line"],
  start: ["anywhere", "line", "start"],
};

type Places = Readonly<Record<Anchor, Opening | undefined>>;

/**
 * Openers × leads: what may begin a block, and what has to follow so that it does. The opener alone never decides, as
 * many notations share one; two that agree in the lead, too, are an error.
 */
export function compileOpenings({ notations: armed, pinned, strips, soleFence }: OpeningOptions): OpeningTable {
  // Where two are read in the same way, the one that was asked for names it.
  const notations = [...armed].sort((one, other) => Number(pinned.has(other)) - Number(pinned.has(one)));
  const table = new OpeningTable(compileHeads(strips.map(mark)));
  const wrappers: { wrapper: Wrapper; kind: Kind }[] = [];
  for (const notation of notations) {
    const isArmed = (part: { readonly pinned?: boolean }) =>
      (part.pinned ?? pinned.has(notation)) === pinned.has(notation);
    for (const opener of notation.openers?.filter(isArmed) ?? []) {
      table.add(opener, kindOf(notation, pinned, opener), opener);
    }
    for (const wrapper of notation.wrappers?.filter(isArmed) ?? []) {
      const kind = kindOf(notation, pinned);
      wrappers.push({ wrapper, kind });
      for (const body of notation.bodies ?? []) table.addBody(wrapper, kind, body);
    }
  }
  // What is written in a wrapper need not be what it was made for: models mix notations (sieve.md T4).
  const roaming = new Set(notations.flatMap(({ bodies = [] }) => bodies.filter(({ roams }) => roams)));
  for (const { wrapper, kind } of wrappers) for (const body of roaming) table.addForeign(wrapper, kind, body);
  for (const outer of wrappers.filter(({ wrapper }) => wrapper.nests)) table.nest(outer.wrapper, outer.kind, wrappers);
  if (soleFence) table.addSoleFence();
  return table;
}

/** What may begin a block without an opener: all that is pinned is tried, one after the other. */
export function compileUnmarked(notations: readonly Notation[], pinned: ReadonlySet<Notation>): Opening | undefined {
  const ways = notations.flatMap((notation) => {
    const { unmarked } = notation;
    if (!unmarked || !pinned.has(notation)) return [];
    return [{ kind: kindOf(notation, pinned, { evidence: "weak" }), read: unmarked }];
  });
  const [first] = ways;
  if (!first) return undefined;
  return {
    tag: false,
    kind: first.kind,
    *read(block) {
      for (const way of ways) {
        const verdict = yield* take(way)(block, undefined);
        if (verdict !== "misfit") return verdict;
      }
      return "misfit";
    },
  };
}

interface OpeningOptions {
  readonly notations: readonly Notation[];
  readonly pinned: ReadonlySet<Notation>;
  /** What may stand behind a block that has to be the whole reply. */
  readonly strips: readonly string[];
  readonly soleFence: boolean;
}

function kindOf(notation: Notation, pinned: ReadonlySet<Notation>, opener?: Pick<Opener, "evidence" | "meant">): Kind {
  const { id, source, suspendsReasoning, channels } = notation;
  const evidence = opener?.evidence ?? "complete";
  // What has to be looked at twice to be a call may well be a thought.
  const certain = evidence !== "weak" && evidence !== "whole";
  const suspends = suspendsReasoning === "always" || (suspendsReasoning === "pinned" && pinned.has(notation));
  const meant = opener?.meant ?? false;
  return { dialect: id, source, evidence, meant, suspendsReasoning: certain && suspends, channels };
}

/** What each opener means, by the place where it stands. */
export class OpeningTable {
  readonly #spelled = new Map<string, Spelled>();
  readonly #strips: Heads;

  constructor(strips: Heads) {
    this.#strips = strips;
  }

  *in(channel: Channel): Iterable<[Mark, Places]> {
    for (const spelled of new Set(this.#spelled.values())) {
      const places = {
        anywhere: this.#compile(spelled, "anywhere"),
        line: this.#compile(spelled, "line"),
        // Reasoning is never the whole reply.
        start: this.#compile(spelled, channel === "text" ? "start" : "line"),
      };
      if (Object.values(places).some((opening) => opening !== undefined)) yield [markOfAll(spelled), places];
    }
  }

  add(mark: Mark, kind: Kind, opener: Pick<Opener, "at" | "leads" | "read" | "pinned">) {
    checkPlace(mark, kind, opener);
    const { at = "anywhere", leads, read, pinned = false } = opener;
    const { ways, taken } = this.#at(mark);
    const spellings = leads?.flatMap(allOf) ?? [ANYTHING];
    const shared = spellings.find((spelling) => taken.has(spelling));
    const clash = shared === undefined ? undefined : taken.get(shared);
    // Some notations differ in nothing but what they make of a value: of several that are asked for the first one counts.
    if (clash?.pinned && pinned) return;
    if (clash) {
      const behind = shared === ANYTHING ? "whatever follows" : `followed by ${shared}`;
      throw new Error(`${kind.dialect} and ${clash.dialect} begin alike: ${mark.spelling}, ${behind}`);
    }
    for (const spelling of spellings) taken.set(spelling, { dialect: kind.dialect, pinned });
    ways.push({ at, pinned, way: { kind, leads, read } });
  }

  addBody(wrapper: Wrapper, kind: Kind, { source, leads, in: inside }: Body) {
    // Two notations may share a wrapper and what stands in it: the first one names it.
    const known = this.#at(wrapper.open).ways.some(({ way }) => way.leads === leads);
    if (!known) this.add(wrapper.open, { ...kind, source }, { leads, read: inside(wrapper) });
  }

  /** Only with those leads that the wrapper's own bodies leave. */
  addForeign(wrapper: Wrapper, kind: Kind, { source, leads, in: inside }: Body) {
    const { taken } = this.#at(wrapper.open);
    const left = leads.filter((lead) => isFree(lead, taken));
    if (left.length > 0) this.add(wrapper.open, { ...kind, source }, { leads: left, read: inside(wrapper) });
  }

  nest(outer: Wrapper, kind: Kind, inner: readonly { wrapper: Wrapper }[]) {
    const { taken } = this.#at(outer.open);
    const marks = new Set(inner.map(({ wrapper }) => this.#at(wrapper.open)));
    marks.delete(this.#at(outer.open));
    const all = [...marks].map(markOfAll);
    const leads = all.filter((lead) => isFree(lead, taken));
    const openings = new Map<string, Opening | undefined>();
    const opening = (spelling: string) => {
      const known = openings.get(spelling);
      if (known) return known;
      const found = leads.find((lead) => lead.spelling === spelling);
      const compiled = found && this.#compile(this.#at(found), "anywhere");
      openings.set(spelling, compiled);
      return compiled;
    };
    if (leads.length > 0) this.add(outer.open, kind, { leads, read: nestedWrappers(outer, leads, opening) });
  }

  /** Last of all, as whatever else may begin a block may stand in the fence. */
  addSoleFence() {
    const openings = new Map<string, Opening>();
    for (const [mark, { start }] of this.in("text")) if (start) openings.set(mark.spelling, start);
    const marks = [...new Set(this.#spelled.values())].map(markOfAll);
    for (const fence of ["```", "~~~"]) {
      const read = soleFence(fence, marks, (spelling) => openings.get(spelling));
      // To a notation the beginning of the info string may be a part of its opener.
      const begun = marks.filter(({ spelling }) => spelling.startsWith(fence) && spelling !== fence);
      for (const opener of [mark(fence), ...begun]) this.add(opener, SOLE_FENCE, { at: "start", read });
    }
  }

  /** Marks that share a spelling are one, with all that they are spelled like. */
  #at({ tag, ...mark }: Mark): Spelled {
    const keys = new Map(spellingsOf({ tag, ...mark }).map((spelling) => [keyOf(spelling, tag), spelling]));
    const [known, another] = new Set([...keys.keys()].flatMap((key) => this.#spelled.get(key) ?? []));
    if (another) throw new Error(`two marks that are told apart elsewhere: ${mark.spelling}`);
    const spelled = known ?? { tag, spellings: new Map(), ways: [], taken: new Map() };
    for (const [key, spelling] of keys) {
      this.#spelled.set(key, spelled);
      if (!spelled.spellings.has(key)) spelled.spellings.set(key, spelling);
    }
    return spelled;
  }

  #compile({ tag, ways }: Spelled, place: Anchor): Opening | undefined {
    const allowed = ways.filter(({ at }) => ALLOWS[place].includes(at)).map(({ way }) => way);
    const [first] = allowed;
    if (!first) return undefined;
    const read = reading(tag, allowed);
    return {
      tag,
      kind: first.kind,
      read: (block, head) => this.#whole(block, read(block, head)),
    };
  }

  /** A form that has to be the whole reply: nothing but stop tokens may stand behind it. */
  *#whole(block: Block, grammar: Grammar): Grammar {
    const verdict = yield* grammar;
    if (!block.whole || block.inFence || (verdict !== "accepted" && verdict !== "unclosed")) return verdict;
    for (;;) {
      const next = yield* readOneOf(this.#strips);
      // Half a stop token at the end is something else.
      if (next.found === undefined) return next.ended && next.rest === "" ? "accepted" : "broken";
    }
  }
}

const SOLE_FENCE: Kind = {
  dialect: "fence",
  source: "json",
  evidence: "whole",
  meant: false,
  suspendsReasoning: false,
};

/**
 * In the middle of a sentence a letter begins a word (sieve.md M5); where a notation is pinned its own words may stand
 * there, but it has to say so.
 */
function checkPlace(mark: Mark, { dialect }: Kind, { at, pinned }: Pick<Opener, "at" | "pinned">) {
  const word = spellingsOf(mark).find((spelling) => /^\p{L}/u.test(spelling));
  const placed = pinned ? at !== undefined : at === "line" || at === "start";
  if (word !== undefined && !placed) throw new Error(`${dialect}: ${word} begins with a letter, so it needs \`at\``);
}

/** What follows decides. */
function reading(tag: boolean, ways: readonly Way[]): Read {
  const direct = ways.find(({ leads }) => leads === undefined);
  if (direct && ways.length === 1) return take(direct);
  const byLead = new Map<string, Way>();
  for (const way of ways) for (const lead of way.leads ?? []) byLead.set(nameOf(lead), way);
  const meant = ways.some(({ kind }) => kind.meant);
  // No reply makes use of more than a few openers, so the leads of each are compiled when it is first met.
  const heads = once(() => compileHeads([], { peeks: ways.flatMap(({ leads = [] }) => leads) }));

  return function* (block) {
    const head = tag ? yield* readHead() : undefined;
    if (head && (!head.ok || head.selfClosing)) return "misfit";
    if (meant) block.sawSyntax();
    // What has no lead begins right behind the opener, blanks included.
    if (direct && !(yield* lookAhead(comesNext(heads())))) return yield* take(direct)(block, head);
    const next = yield* readOneOf(heads());
    const way = next.found === undefined ? undefined : byLead.get(next.found);
    if (way) return yield* take(way)(block, head);
    return next.ended && (meant || block.maybeCut) ? "cut" : "misfit";
  };
}

function* comesNext(heads: Heads): Part<boolean> {
  return (yield* readOneOf(heads)).found !== undefined;
}

function take({ kind, read }: Pick<Way, "kind" | "read">): Read {
  return function* (block: Block, head): Grammar {
    block.identify(kind);
    return yield* read(block, head);
  };
}

function isFree(lead: Lead, taken: Spelled["taken"]): boolean {
  return !allOf(lead).some((spelling) => taken.has(spelling));
}

/** No lead is spelled so. */
const ANYTHING = "";

/** What a lead is known by, and all that it is spelled like. */
const nameOf = (lead: Lead) => (lead === NAME ? NAME : lead.spelling);
const allOf = (lead: Lead) => (lead === NAME ? [NAME] : spellingsOf(lead));

const keyOf = (spelling: string, tag: boolean) => `${spelling.toLowerCase()}${tag ? " " : ""}`;
const markOfAll = ({ spellings, tag }: Spelled): Mark => ({ ...markOf([...spellings.values()]), tag });
