import { SIEVE_LIMITS } from "../limits.ts";
import { CARRIAGE_RETURN, GREATER, isBlank, LESS, LINE_FEED, SLASH } from "./characters.ts";
import { LONGEST_NAME, NameCharacters } from "./name-scan.ts";
import type { Scan } from "./scan.ts";
import { TagRest } from "./tag-rest.ts";
import type { Follow } from "./value-scan/marks.ts";

/** Whether a tag of this name may stand here. */
export type AcceptTag = (name: string, closes: boolean) => boolean;

/** The head of a tag whose name carries data, `<name` or `</name`, up to what ends the name. */
class TagName {
  name = "";
  closes = false;
  readonly #characters = new NameCharacters("element");
  #half = "";
  /** Its `<` was read. */
  #begun: boolean;

  constructor(begun: boolean) {
    this.#begun = begun;
  }

  step(code: number): "more" | "end" | "no" {
    if (!this.#begun) {
      this.#begun = true;
      return code === LESS ? "more" : "no";
    }
    if (code === SLASH && this.name + this.#half === "" && !this.closes) {
      this.closes = true;
      return "more";
    }
    return this.#inName(code);
  }

  #inName(code: number): "more" | "end" | "no" {
    const character = this.#half + String.fromCharCode(code);
    this.#half = "";
    switch (this.#characters.step(code)) {
      case "half":
        this.#half = character;
        return "more";
      case "part":
        this.name += character;
        return this.name.length > LONGEST_NAME ? "no" : "more";
      default:
        // Half a surrogate pair is no name, nor is what stands behind it its end.
        return this.name !== "" && character.length === 1 && endsName(code) ? "end" : "no";
    }
  }
}

function endsName(code: number): boolean {
  return isBlank(code) || code === SLASH || code === GREATER;
}

/** Skips blanks and reads a tag, if one of a name that may stand here comes next; else all that was read goes back. */
export class ElementTag implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** The tag was complete, and may stand here. */
  ok = false;
  /** The reply ended first. */
  ended = false;
  readonly rest = new TagRest();
  /** Blanks before it, or before what stands there instead, in its line. */
  indent = 0;

  readonly #accepts: AcceptTag;
  readonly #name: TagName;
  /** Blanks may stand before it. */
  #skips: boolean;
  #inRest = false;
  #text = "";
  #blanks = 0;

  /** @param begun its `<` was read already */
  constructor(accepts: AcceptTag, { begun = false } = {}) {
    this.#accepts = accepts;
    this.#name = new TagName(begun);
    this.#skips = !begun;
  }

  get name(): string {
    return this.#name.name;
  }

  get closes(): boolean {
    return this.#name.closes;
  }

  get held(): number {
    return this.#text.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    return i;
  }

  finish() {
    this.done = true;
    this.ended = true;
  }

  #step(code: number) {
    if (this.#skips && isBlank(code)) {
      this.indent = code === LINE_FEED || code === CARRIAGE_RETURN ? 0 : this.indent + 1;
      // At the cap scanning goes on behind what was read.
      if (++this.#blanks > SIEVE_LIMITS.between) this.done = true;
      return;
    }
    this.#skips = false;
    this.#text += String.fromCharCode(code);
    if (this.#inRest) return this.#stepRest(code);
    const verdict = this.#name.step(code);
    if (verdict === "more") return;
    if (verdict === "no" || !this.#accepts(this.name, this.#name.closes)) return this.#decide(false);
    this.#inRest = true;
    this.#stepRest(code);
  }

  #stepRest(code: number) {
    this.rest.step(code);
    if (this.rest.done) this.#decide(this.rest.ok);
  }

  #decide(ok: boolean) {
    this.ok = ok;
    this.back = ok ? "" : this.#text;
    this.done = true;
  }
}

/** Tells whether a tag that may stand here comes next; what is looked at is held by whoever asks. */
export class TagFollows implements Follow {
  hit: true | undefined;
  readonly #accepts: AcceptTag;
  readonly #name = new TagName(false);

  constructor(accepts: AcceptTag) {
    this.#accepts = accepts;
  }

  step(code: number): string {
    const verdict = this.#name.step(code);
    if (verdict === "more") return "";
    if (verdict === "no" || !this.#accepts(this.#name.name, this.#name.closes)) return String.fromCharCode(code);
    this.hit = true;
    return "";
  }
}
