import type { Block } from "./block.ts";
import { nestedWrappers } from "./grammars/nested-wrappers.ts";
import { soleFence } from "./grammars/sole-fence.ts";
import { readHead, readOneOf } from "./grammars/tags.ts";
import {
  type Anchor,
  type Body,
  type Kind,
  type Lead,
  type Mark,
  mark,
  type Notation,
  type Opener,
  type Opening,
  type Read,
  type Wrapper,
} from "./notation.ts";
import { compileHeads, type Heads, NAME } from "./one-of.ts";
import type { Channel } from "./plan.ts";
import type { Grammar } from "./scan.ts";

/** One way to go on behind an opener. */
interface Way {
  readonly kind: Kind;
  readonly leads: readonly Lead[] | undefined;
  readonly read: Read;
}

/** All ways to go on behind one spelling. */
interface Spelled {
  readonly mark: Mark;
  readonly ways: { readonly at: Anchor; readonly way: Way }[];
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
    for (const opener of notation.openers.filter(isArmed)) table.add(opener, kindOf(notation, pinned, opener), opener);
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

interface OpeningOptions {
  readonly notations: readonly Notation[];
  readonly pinned: ReadonlySet<Notation>;
  /** What may stand behind a block that has to be the whole reply. */
  readonly strips: readonly string[];
  readonly soleFence: boolean;
}

function kindOf(notation: Notation, pinned: ReadonlySet<Notation>, opener?: Opener): Kind {
  const { id, source, suspendsReasoning } = notation;
  return {
    dialect: id,
    source,
    evidence: opener?.evidence ?? "complete",
    meant: opener?.meant ?? false,
    suspendsReasoning: suspendsReasoning === "always" || (suspendsReasoning === "pinned" && pinned.has(notation)),
  };
}

/** What each opener means, by the place where it stands. */
export class OpeningTable {
  readonly #spelled = new Map<string, Spelled>();
  readonly #strips: Heads;

  constructor(strips: Heads) {
    this.#strips = strips;
  }

  *in(channel: Channel): Iterable<[Mark, Places]> {
    for (const spelled of this.#spelled.values()) {
      const places = {
        anywhere: this.#compile(spelled, "anywhere"),
        line: this.#compile(spelled, "line"),
        // Reasoning is never the whole reply.
        start: this.#compile(spelled, channel === "text" ? "start" : "line"),
      };
      if (Object.values(places).some((opening) => opening !== undefined)) yield [spelled.mark, places];
    }
  }

  add(mark: Mark, kind: Kind, { at = "anywhere", leads, read }: Pick<Opener, "at" | "leads" | "read">) {
    const { ways } = this.#at(mark);
    const clash = ways.find((other) => agree(other.way.leads, leads));
    if (clash) throw new Error(`${kind.dialect} and ${clash.way.kind.dialect} begin alike: ${mark.spelling}`);
    ways.push({ at, way: { kind, leads, read } });
  }

  addBody(wrapper: Wrapper, kind: Kind, { source, leads, in: inside }: Body) {
    // Two notations may share a wrapper and what stands in it: the first one names it.
    const known = this.#at(wrapper.open).ways.some(({ way }) => way.leads === leads);
    if (!known) this.add(wrapper.open, { ...kind, source }, { leads, read: inside(wrapper) });
  }

  /** Only with those leads that the wrapper's own bodies leave. */
  addForeign(wrapper: Wrapper, kind: Kind, { source, leads, in: inside }: Body) {
    const { ways } = this.#at(wrapper.open);
    const left = leads.filter((lead) => !ways.some(({ way }) => agree(way.leads, [lead])));
    if (left.length > 0) this.add(wrapper.open, { ...kind, source }, { leads: left, read: inside(wrapper) });
  }

  nest(outer: Wrapper, kind: Kind, inner: readonly { wrapper: Wrapper }[]) {
    const { ways } = this.#at(outer.open);
    const marks = new Map(inner.map(({ wrapper }) => [keyOf(wrapper.open), wrapper.open]));
    marks.delete(keyOf(outer.open));
    const leads = [...marks.values()].filter((lead) => !ways.some(({ way }) => agree(way.leads, [lead])));
    const opening = (spelling: string) => {
      const found = leads.find((lead) => lead.spelling.toLowerCase() === spelling.toLowerCase());
      return found && this.#compile(this.#at(found), "anywhere");
    };
    if (leads.length > 0) this.add(outer.open, kind, { leads, read: nestedWrappers(outer, leads, opening) });
  }

  /** Last of all, as whatever else may begin a block may stand in the fence. */
  addSoleFence() {
    const openings = new Map<string, Opening>();
    for (const [mark, { start }] of this.in("text")) if (start) openings.set(mark.spelling, start);
    const marks = [...this.#spelled.values()].map(({ mark }) => mark);
    for (const fence of ["```", "~~~"]) {
      const read = soleFence(fence, marks, (spelling) => openings.get(spelling));
      this.add(mark(fence), SOLE_FENCE, { at: "start", read });
    }
  }

  #at(mark: Mark): Spelled {
    const key = keyOf(mark);
    const known = this.#spelled.get(key);
    if (known) return known;
    const spelled = { mark, ways: [] };
    this.#spelled.set(key, spelled);
    return spelled;
  }

  #compile({ mark, ways }: Spelled, place: Anchor): Opening | undefined {
    const allowed = ways.filter(({ at }) => ALLOWS[place].includes(at)).map(({ way }) => way);
    const [first] = allowed;
    if (!first) return undefined;
    const read = reading(mark, allowed);
    return {
      tag: mark.tag,
      kind: first.kind,
      suspendsReasoning: allowed.some(({ kind }) => kind.suspendsReasoning),
      read: (block, head) => this.#whole(block, read(block, head)),
    };
  }

  /** A form that has to be the whole reply: nothing but stop tokens may stand behind it. */
  *#whole(block: Block, grammar: Grammar): Grammar {
    const verdict = yield* grammar;
    if (block.kind.evidence !== "whole" || block.inFence || (verdict !== "accepted" && verdict !== "unclosed"))
      return verdict;
    for (;;) {
      const next = yield* readOneOf(this.#strips);
      if (next.found === undefined) return next.ended ? "accepted" : "broken";
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

/** What follows decides. */
function reading(mark: Mark, ways: readonly Way[]): Read {
  const direct = ways.find(({ leads }) => leads === undefined);
  if (direct && ways.length === 1) return take(direct);
  const byLead = new Map<string, Way>();
  for (const way of ways) for (const lead of way.leads ?? []) byLead.set(spellingOf(lead), way);
  const meant = ways.some(({ kind }) => kind.meant);
  // No reply makes use of more than a few openers, so the leads of each are compiled when it is first met.
  let heads: Heads | undefined;

  return function* (block) {
    heads ??= compileHeads([], { peeks: ways.flatMap(({ leads = [] }) => leads) });
    const head = mark.tag ? yield* readHead() : undefined;
    if (head && (!head.ok || head.selfClosing)) return "misfit";
    if (meant) block.sawSyntax();
    const next = yield* readOneOf(heads);
    const way = (next.found === undefined ? undefined : byLead.get(next.found)) ?? direct;
    if (way) return yield* take(way)(block, head);
    return next.ended && block.maybeCut ? "cut" : "misfit";
  };
}

function take({ kind, read }: Way): Read {
  return function* (block: Block, head): Grammar {
    block.identify(kind);
    return yield* read(block, head);
  };
}

function agree(some: readonly Lead[] | undefined, others: readonly Lead[] | undefined): boolean {
  if (!some || !others) return some === others;
  const spellings = new Set(some.map(spellingOf));
  return others.some((lead) => spellings.has(spellingOf(lead)));
}

const spellingOf = (lead: Lead) => (lead === NAME ? NAME : lead.spelling);
const keyOf = ({ spelling, tag }: Mark) => `${spelling.toLowerCase()}${tag ? " " : ""}`;
