/** Backtick runs that stand open on a line, by their lengths. What it tells costs nothing, however many there are. */
export class OpenRuns {
  /** In the order in which they were opened, each with the length of the longest up to it. */
  readonly #runs: { readonly length: number; readonly longest: number }[] = [];
  readonly #lengths = new Set<number>();

  constructor(lengths: readonly number[] = []) {
    for (const length of lengths) this.open(length);
  }

  get size(): number {
    return this.#runs.length;
  }

  get longest(): number {
    return this.#runs.at(-1)?.longest ?? 0;
  }

  get lengths(): number[] {
    return this.#runs.map(({ length }) => length);
  }

  has(length: number): boolean {
    return this.#lengths.has(length);
  }

  open(length: number) {
    this.#runs.push({ length, longest: Math.max(length, this.longest) });
    this.#lengths.add(length);
  }

  /** Closes the run of this length, and with it whatever was opened inside. */
  close(length: number) {
    for (let inner = this.#runs.pop(); inner; inner = this.#runs.pop()) {
      this.#lengths.delete(inner.length);
      if (inner.length === length) return;
    }
  }

  clear() {
    if (this.size === 0) return;
    this.#runs.length = 0;
    this.#lengths.clear();
  }
}
