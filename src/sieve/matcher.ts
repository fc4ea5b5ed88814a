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

  /** How much of the held text comes before that spelling. */
  get hitStart(): number {
    return this.held.length - this.#triggers.hitLength(this.#state);
  }

  /** A longer spelling may begin with the held text. */
  get extends(): boolean {
    return this.#triggers.extends(this.#state);
  }

  /** How much of the held text could be no part of a match any more with one more character. */
  released(code: number): number {
    return this.held.length + 1 - this.#triggers.depth(this.#triggers.step(this.#state, code));
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

/** What was found: what it means, how it is written, and what was read before and beyond it. */
export interface Found<Meaning> {
  readonly meaning: Meaning;
  /** The beginning of a longer spelling that did not come. */
  readonly before: string;
  readonly matched: string;
  readonly back: string;
}

/** Of several matches the one that begins first counts, and then the longest: it is kept until no such one can follow. */
export class LongestMatch<Hit, Meaning = Hit> {
  readonly #matcher: Matcher<Hit>;
  #found: { meaning: Meaning; start: number; end: number } | undefined;

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

  /** What is held before it: it has begun inside of what may be a longer spelling. */
  get beforeHit(): string {
    return this.held.slice(0, this.#matcher.hitStart);
  }

  /** Something was found, and the next character, or the end, is no part of a longer one. */
  endsBefore(code?: number): boolean {
    const found = this.#found;
    return found !== undefined && (code === undefined || this.#matcher.released(code) > found.start);
  }

  /** One more character; returns what can be no part of a match any more. */
  step(code: number): string {
    const released = this.#matcher.step(code);
    if (this.#found) {
      this.#found.start -= released.length;
      this.#found.end -= released.length;
    }
    return released;
  }

  /** What ends with the last character is a match where it stands, and means this. */
  find(meaning: Meaning) {
    const start = this.#matcher.hitStart;
    if (this.#found && this.#found.start < start) return;
    this.#found = { meaning, start, end: this.held.length };
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
    if (!found) return undefined;
    const { meaning, start, end } = found;
    return { meaning, before: held.slice(0, start), matched: held.slice(start, end), back: held.slice(end) };
  }
}

/** Words that mean themselves: heads of tags, and exact marks. */
export function compileWords(tags: readonly string[], marks: readonly string[] = []): Triggers<string> {
  return new Triggers<string>([...tags.map((tag) => word(tag, true)), ...marks.map((mark) => word(mark, false))]);
}

function word(spelling: string, tag: boolean): Trigger<string> {
  return { spelling, tag, meaning: spelling };
}
