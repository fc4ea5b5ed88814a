import { SIEVE_LIMITS } from "../../limits.ts";
import { CLOSE_BRACKET, GREATER } from "../characters.ts";
import { CDATA_CLOSE } from "../markup.ts";
import { Matcher } from "../matcher.ts";
import type { ValueMark, ValueMarks } from "./marks.ts";

/** A CDATA section inside a bare value (sieve.md V2): unwrapped when it closes before the next tag of a value, else data. */
export class Section {
  /** The opening mark, as written. */
  readonly mark: string;
  /** Characters held. */
  held = 0;
  readonly #matcher: Matcher<ValueMark>;
  readonly #pieces: string[] = [];
  #brackets = 0;

  constructor(marks: ValueMarks, mark: string) {
    this.mark = mark;
    this.#matcher = new Matcher(marks.inSection());
  }

  step(code: number): "more" | "unwrapped" | "data" {
    this.held += 1;
    const released = this.#matcher.step(code);
    if (released !== "") this.#pieces.push(released);
    if (code === GREATER && this.#brackets >= 2) return "unwrapped";
    this.#brackets = code === CLOSE_BRACKET ? this.#brackets + 1 : 0;
    return this.#matcher.hit === undefined && this.held <= SIEVE_LIMITS.section ? "more" : "data";
  }

  /** All that was read behind the opening mark. */
  get behindMark(): string {
    return this.#pieces.join("") + this.#matcher.held;
  }

  /** Text between the marks of an unwrapped section. */
  get content(): string {
    return this.behindMark.slice(0, -CDATA_CLOSE.length);
  }

  get written(): string {
    return this.mark + this.behindMark;
  }
}
