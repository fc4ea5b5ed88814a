/** What was made for a key, kept for as many keys as were asked for last: whoever cycles through more pays for it alone. */
export class Recent<V> {
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept for a key, if anything is; that it was asked for so does not count. */
  peek(key: string): V | undefined {
    return this.#kept.get(key);
  }

  get(key: string, make: () => V): V {
    return this.set(key, this.#kept.has(key) ? (this.#kept.get(key) as V) : make());
  }

  /** Keeps this one, whatever was kept before. */
  set(key: string, value: V): V {
    this.#kept.delete(key);
    this.#kept.set(key, value);
    const [oldest = key] = this.#kept.keys();
    if (this.#kept.size > this.#most) this.#kept.delete(oldest);
    return value;
  }

  drop(key: string) {
    this.#kept.delete(key);
  }
}
