import { isBlank } from "../characters.ts";
import { TagRest } from "../tag-rest.ts";
import { Triggers } from "../triggers.ts";
import type { ValueMark, ValueMarks } from "./marks.ts";

/**
 * Finds `<parameter …>`, blanks, `<![CDATA[` in the data of a CDATA value that goes by: the only place where a nested
 * section counts (sieve.md V2). Nothing is held for it, so it keeps no text.
 */
export class NestedOpener {
  readonly #words: Triggers<ValueMark>;
  #state = Triggers.ROOT;
  #tag: TagRest | undefined;
  /** Only blanks came behind a complete tag. */
  #behindTag = false;

  constructor(marks: ValueMarks) {
    this.#words = marks.inCdata();
  }

  /** The next character may matter even if it begins no mark. */
  get active(): boolean {
    return this.#state !== Triggers.ROOT || this.#behindTag || this.#tag !== undefined;
  }

  reset() {
    this.#state = Triggers.ROOT;
    this.#tag = undefined;
    this.#behindTag = false;
  }

  /** True when the section's mark is complete. */
  step(code: number): boolean {
    if (this.#tag) return this.#inTag(this.#tag, code);
    const words = this.#words;
    const before = words.depth(this.#state);
    this.#state = words.step(this.#state, code);
    const goesOn = words.depth(this.#state) > before;
    if (!goesOn && !(before === 0 && isBlank(code))) this.#behindTag = false;
    const hit = words.hit(this.#state);
    if (hit === undefined) return false;
    const nested = hit.is === "section" && this.#behindTag;
    this.reset();
    if (hit.is === "open") {
      this.#tag = new TagRest(hit.syntax);
      if (hit.tag) this.#inTag(this.#tag, code);
    }
    return nested;
  }

  #inTag(tag: TagRest, code: number): boolean {
    tag.step(code);
    if (!tag.done) return false;
    this.reset();
    this.#behindTag = tag.ok && !tag.selfClosing;
    // What ends what was no tag may begin one.
    for (let i = 0; i < tag.back.length; i++) this.step(tag.back.charCodeAt(i));
    return false;
  }
}
