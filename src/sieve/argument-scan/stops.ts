/** ASCII characters at which a reader stops; it passes over all others. */
export class Stops {
  readonly #table = new Uint8Array(128);

  constructor(characters: string) {
    for (let i = 0; i < characters.length; i++) this.#table[characters.charCodeAt(i)] = 1;
  }

  /** From `s[at]` on, the first of the characters. */
  skip(s: string, at: number): number {
    let i = at;
    while (i < s.length && this.#table[s.charCodeAt(i)] !== 1) i++;
    return i;
  }
}
