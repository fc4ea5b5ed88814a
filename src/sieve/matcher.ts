import { type Trigger, Triggers } from "./triggers.ts";

/** A match in progress: what may still become one of the spellings is held, as it was written. */
export class Matcher<Meaning> {
  /** From the first character of a possible match on. */
  held = "";
  readonly #triggers: Triggers<Meaning>;
  #state = Triggers.ROOT;

  constructor(triggers: Triggers<Meaning>) {
    this.#triggers = triggers;
  }

  /** What the held text means, now that it is a whole spelling. */
  get hit(): Meaning | undefined {
    return this.#triggers.hit(this.#state);
  }

  /** A longer spelling may begin with the held text. */
  get extends(): boolean {
    return this.#triggers.extends(this.#state);
  }

  /** The held text and one more character may be a spelling, or begin one. */
  goesOn(code: number): boolean {
    return this.#triggers.depth(this.#triggers.step(this.#state, code)) > this.held.length;
  }

  /** One more character. Returns the part of the held text, and of it, that can be no part of a match any more. */
  step(code: number): string {
    this.#state = this.#triggers.step(this.#state, code);
    const held = this.held + String.fromCharCode(code);
    const released = held.length - this.#triggers.depth(this.#state);
    this.held = released === 0 ? held : held.slice(released);
    return released === 0 ? "" : held.slice(0, released);
  }

  /** Forgets the match and returns what was held of it. */
  take(): string {
    const { held } = this;
    this.held = "";
    this.#state = Triggers.ROOT;
    return held;
  }
}

/** What was found: what it means, how it is written, and what was read beyond it. */
export interface Found<Meaning> {
  readonly meaning: Meaning;
  readonly matched: string;
  readonly back: string;
}

/** A match of which the longest spelling counts: a shorter one is kept until no longer one can follow. */
export class LongestMatch<Hit, Meaning = Hit> {
  readonly #matcher: Matcher<Hit>;
  #found: { meaning: Meaning; length: number } | undefined;

  constructor(triggers: Triggers<Hit>) {
    this.#matcher = new Matcher(triggers);
  }

  get held(): string {
    return this.#matcher.held;
  }

  /** What ends with the last character. */
  get hit(): Hit | undefined {
    return this.#matcher.hit;
  }

  /** Something was found, and the next character, or the end, is no part of a longer one. */
  endsBefore(code?: number): boolean {
    return this.#found !== undefined && (code === undefined || !this.#matcher.goesOn(code));
  }

  /** One more character; returns what can be no part of a match any more. */
  step(code: number): string {
    return this.#matcher.step(code);
  }

  /** The held text is a match where it stands, and means this. */
  find(meaning: Meaning) {
    this.#found = { meaning, length: this.#matcher.held.length };
  }

  /** Something was found, and nothing longer begins so. */
  get complete(): boolean {
    return this.#found !== undefined && !this.#matcher.extends;
  }

  /** Forgets the match and returns all that was held of it. */
  take(): string {
    this.#found = undefined;
    return this.#matcher.take();
  }

  takeFound(): Found<Meaning> | undefined {
    const found = this.#found;
    const held = this.take();
    return found && { meaning: found.meaning, matched: held.slice(0, found.length), back: held.slice(found.length) };
  }
}

/** Words that mean themselves: heads of tags, and exact marks. */
export function compileWords(tags: readonly string[], marks: readonly string[] = []): Triggers<string> {
  return new Triggers<string>([...tags.map((tag) => word(tag, true)), ...marks.map((mark) => word(mark, false))]);
}

function word(spelling: string, tag: boolean): Trigger<string> {
  return { spelling, tag, meaning: spelling };
}
