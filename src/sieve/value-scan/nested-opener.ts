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
    if (this.#tag) return this.#inTag(this.#tag, code);
    const released = this.#matcher.step(code);
    for (let i = 0; i < released.length; i++) if (!isBlank(released.charCodeAt(i))) this.#behindTag = false;
    const { hit } = this.#matcher;
    if (hit === undefined) return false;
    const nested = hit !== this.#marks.open && this.#behindTag;
    this.reset();
    if (hit === this.#marks.open) {
      this.#tag = new TagRest();
      this.#inTag(this.#tag, code);
    }
    return nested;
  }

  #inTag(tag: TagRest, code: number): boolean {
    tag.step(code);
    if (!tag.done) return false;
    this.reset();
    this.#behindTag = tag.ok && !tag.selfClosing;
    // A raw `<` ends what was no tag, and may begin one.
    return tag.back !== "" && this.step(code);
  }
}
