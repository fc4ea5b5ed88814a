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

/**
 * Many spellings in one automaton (Aho–Corasick), so that no character is ever read again however many there are.
 * ASCII case is folded, other letters are not (sieve.md A7, G1).
 */
export class Triggers<Meaning> {
  static readonly ROOT = 0;

  /** Column of a character; 0 for one that no spelling holds. */
  readonly #ascii = new Uint8Array(ASCII);
  readonly #wide = new Map<number, number>();
  #columns = 1;
  readonly #next: Int32Array;
  readonly #extended: Uint8Array;
  readonly #depths: number[] = [0];
  readonly #hits: (Meaning | undefined)[] = [undefined];
  /** Characters at which `skip` stops. */
  readonly #stops = new Uint8Array(ASCII);

  /** @param stops codes of further ASCII characters that `skip` must not pass over */
  constructor(triggers: readonly Trigger<Meaning>[], stops: readonly number[] = []) {
    const words = triggers.flatMap(({ spelling, tag, meaning }) =>
      (tag ? TAG_ENDS.map((end) => spelling + end) : [spelling]).map((word) => ({ word, meaning })),
    );
    for (const { word } of words) for (let i = 0; i < word.length; i++) this.#addColumn(foldAscii(word.charCodeAt(i)));
    const trie = this.#trie(words);
    this.#next = this.#link(trie);
    this.#extended = Uint8Array.from(trie, (children) => (children.length > 0 ? 1 : 0));
    for (let code = 0; code < ASCII; code++) this.#stops[code] = this.#begins(code) || stops.includes(code) ? 1 : 0;
  }

  /** The state behind one more character. */
  step(state: number, code: number): number {
    return this.#next[state * this.#columns + this.#column(code)] ?? Triggers.ROOT;
  }

  /** What the spelling that ends here means. */
  hit(state: number): Meaning | undefined {
    return this.#hits[state];
  }

  /** A longer spelling may begin with what the state stands for. */
  extends(state: number): boolean {
    return this.#extended[state] === 1;
  }

  /** How many characters the state stands for: so many must be held. */
  depth(state: number): number {
    return this.#depths[state] ?? 0;
  }

  /** From `s[at]` on, the first character with which a match may begin, or that must not be passed over. */
  skip(s: string, at: number): number {
    const stops = this.#stops;
    const wide = this.#wide.size > 0;
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code < ASCII ? stops[code] === 1 : wide && this.#begins(code)) break;
    }
    return i;
  }

  #begins(code: number): boolean {
    return this.step(Triggers.ROOT, code) !== Triggers.ROOT;
  }

  #column(code: number): number {
    return code < ASCII ? (this.#ascii[code] ?? 0) : (this.#wide.get(code) ?? 0);
  }

  #addColumn(code: number) {
    if (this.#column(code) > 0) return;
    const column = this.#columns++;
    if (code >= ASCII) this.#wide.set(code, column);
    else {
      this.#ascii[code] = column;
      if (code >= 97 && code <= 122) this.#ascii[code - 32] = column;
    }
  }

  #trie(words: readonly { word: string; meaning: Meaning }[]): number[][] {
    const children: number[][] = [[]];
    for (const { word, meaning } of words) {
      let state = Triggers.ROOT;
      for (let i = 0; i < word.length; i++) {
        const column = this.#column(word.charCodeAt(i));
        const row = children[state] as number[];
        let child = row[column];
        if (child === undefined) {
          child = children.length;
          children.push([]);
          this.#depths.push(i + 1);
          this.#hits.push(undefined);
          row[column] = child;
        }
        state = child;
      }
      if (this.#hits[state] !== undefined) throw new Error(`Two meanings for the trigger ${JSON.stringify(word)}`);
      this.#hits[state] = meaning;
    }
    return children;
  }

  /** Failure links, resolved into one full table; breadth first, so that a shorter state is always done before. */
  #link(children: readonly number[][]): Int32Array {
    const next = new Int32Array(children.length * this.#columns);
    const failure = new Int32Array(children.length);
    const queue = [Triggers.ROOT];
    for (const state of queue) {
      const fallback = failure[state] ?? 0;
      if (state !== Triggers.ROOT) this.#hits[state] ??= this.#hits[fallback];
      for (let column = 0; column < this.#columns; column++) {
        const child = children[state]?.[column];
        const fallen = state === Triggers.ROOT ? 0 : (next[fallback * this.#columns + column] ?? 0);
        next[state * this.#columns + column] = child ?? fallen;
        if (child === undefined) continue;
        failure[child] = fallen;
        queue.push(child);
      }
    }
    return next;
  }
}
