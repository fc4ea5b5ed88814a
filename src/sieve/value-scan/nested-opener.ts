import { isBlank } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import { TagRest } from "../scans.ts";
import type { ValueMarks } from "./marks.ts";

/**
 * Finds `<parameter …>`, blanks, `<![CDATA[` in the data of a CDATA value that goes by: the only place where a nested
 * section counts (sieve.md V2).
 */
export class NestedOpener {
  readonly #marks: ValueMarks;
  readonly #matcher: Matcher<string>;
  #tag: TagRest | undefined;
  /** Only blanks came behind a complete tag. */
  #behindTag = false;

  constructor(marks: ValueMarks) {
    this.#marks = marks;
    this.#matcher = new Matcher(marks.inCdata);
  }

  /** The next character may matter even if it begins no mark. */
  get active(): boolean {
    return this.#behindTag || this.#tag !== undefined || this.#matcher.held !== "";
  }

  reset() {
    this.#matcher.take();
    this.#tag = undefined;
    this.#behindTag = false;
  }

  /** True when the section's mark is complete. */
  step(code: number): boolean {
    if (this.#tag) {
      this.#tag.step(code);
      if (!this.#tag.done) return false;
      const { ok, selfClosing, back } = this.#tag;
      this.reset();
      this.#behindTag = ok && !selfClosing;
      if (back === "") return false;
    }
    const released = this.#matcher.step(code);
    for (let i = 0; i < released.length; i++) if (!isBlank(released.charCodeAt(i))) this.#behindTag = false;
    const { hit } = this.#matcher;
    if (hit === undefined) return false;
    const nested = hit !== this.#marks.open && this.#behindTag;
    this.reset();
    if (hit === this.#marks.open) {
      this.#tag = new TagRest();
      this.#tag.step(code);
    }
    return nested;
  }
}
