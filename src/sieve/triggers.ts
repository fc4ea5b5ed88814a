import { foldAscii } from "./characters.ts";

/** A spelling that means something, and what it means to the one who compiled it. */
export interface Trigger<Meaning> {
  readonly spelling: string;
  /** The head of a tag: counts only with a blank, `/` or `>` behind it, which then belongs to the match (sieve.md A7). */
  readonly tag: boolean;
  readonly meaning: Meaning;
}

const TAG_ENDS = [" ", "\t", "\r", "\n", "/", ">"];
const ASCII = 128;

/** More than any code of a character. */
const CODES = 65_536;

/**
 * Many spellings in one automaton (Aho–Corasick), so that no character is ever read again however many there are.
 * ASCII case is folded, other letters are not (sieve.md A7, G1).
 *
 * Only the edges of the trie are kept, and the fallback of each state: thousands of states by all characters would be
 * megabytes for every set of notations. A step falls back no more often than characters were matched before it.
 */
export class Triggers<Meaning> {
  static readonly ROOT = 0;

  /** State × character → state. */
  readonly #edges = new Map<number, number>();
  /** The state of the longest other beginning of a spelling that ends here. */
  readonly #fallbacks: number[] = [Triggers.ROOT];
  readonly #depths: number[] = [0];
  readonly #hits: (Meaning | undefined)[] = [undefined];
  readonly #hitLengths: number[] = [0];
  /** States with a longer spelling behind them. */
  readonly #extended = new Set<number>();
  /** Characters at which `skip` stops: one look tells for ASCII. */
  readonly #stops = new Uint8Array(ASCII);
  readonly #wideStops = new Set<number>();

  /** @param stops codes of further ASCII characters that `skip` must not pass over */
  constructor(triggers: readonly Trigger<Meaning>[], stops: readonly number[] = []) {
    for (const { spelling, tag, meaning } of triggers) {
      for (const word of withBreaks(spelling)) {
        if (tag) for (const end of TAG_ENDS) this.#add(word + end, meaning);
        else this.#add(word, meaning);
      }
    }
    this.#link();
    for (let code = 0; code < ASCII; code++) this.#stops[code] = this.#begins(code) || stops.includes(code) ? 1 : 0;
  }

  /** The state behind one more character. */
  step(state: number, code: number): number {
    const folded = foldAscii(code);
    for (let from = state; ; from = this.#fallbacks[from] ?? Triggers.ROOT) {
      const to = this.#edges.get(from * CODES + folded);
      if (to !== undefined) return to;
      if (from === Triggers.ROOT) return Triggers.ROOT;
    }
  }

  /** What the spelling that ends here means. */
  hit(state: number): Meaning | undefined {
    return this.#hits[state];
  }

  /** How long the spelling is that ends here: shorter than what the state stands for where it began inside of that. */
  hitLength(state: number): number {
    return this.#hitLengths[state] ?? 0;
  }

  /** A longer spelling may begin with what the state stands for. */
  extends(state: number): boolean {
    return this.#extended.has(state);
  }

  /** How many characters the state stands for: so many must be held. */
  depth(state: number): number {
    return this.#depths[state] ?? 0;
  }

  /** From `s[at]` on, the first character with which a match may begin, or that must not be passed over. */
  skip(s: string, at: number): number {
    const stops = this.#stops;
    const wide = this.#wideStops.size > 0;
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code < ASCII ? stops[code] === 1 : wide && this.#wideStops.has(code)) break;
    }
    return i;
  }

  #begins(code: number): boolean {
    return this.#edges.has(foldAscii(code));
  }

  #add(word: string, meaning: Meaning) {
    let state = Triggers.ROOT;
    for (let i = 0; i < word.length; i++) {
      const code = foldAscii(word.charCodeAt(i));
      const known = this.#edges.get(state * CODES + code);
      this.#extended.add(state);
      if (state === Triggers.ROOT && code >= ASCII) this.#wideStops.add(code);
      state = known ?? this.#addState(state, code, i + 1);
    }
    if (this.#hits[state] !== undefined) throw new Error(`Two meanings for the trigger ${JSON.stringify(word)}`);
    this.#hits[state] = meaning;
    this.#hitLengths[state] = word.length;
  }

  #addState(from: number, code: number, depth: number): number {
    const state = this.#depths.push(depth) - 1;
    this.#hits.push(undefined);
    this.#hitLengths.push(0);
    this.#fallbacks.push(Triggers.ROOT);
    this.#edges.set(from * CODES + code, state);
    return state;
  }

  /** Fallbacks, a shorter state always before a longer one: what a state means may be what its fallback means. */
  #link() {
    const edges = [...this.#edges].sort(([, one], [, other]) => this.depth(one) - this.depth(other));
    for (const [edge, state] of edges) {
      const from = Math.floor(edge / CODES);
      const fallback = from === Triggers.ROOT ? Triggers.ROOT : this.step(this.#fallbacks[from] ?? 0, edge % CODES);
      this.#fallbacks[state] = fallback;
      if (this.#hits[state] !== undefined) continue;
      this.#hits[state] = this.#hits[fallback];
      this.#hitLengths[state] = this.hitLength(fallback);
    }
  }
}

/** A line break in a spelling may be CR LF. */
function withBreaks(spelling: string): readonly string[] {
  return spelling.includes("\n") ? [spelling, spelling.replaceAll("\n", "\r\n")] : [spelling];
}
