import { SIEVE_LIMITS } from "../../limits.ts";
import { endsTagName, foldAscii, isBlank } from "../scan.ts";
import type { ValueMarks } from "./marks.ts";

type Stage = "head" | "tag-end" | "structure";

/**
 * Judges a possible end of a value: the closing tag's head, blanks, `>`, and then *structure*, without which a closer
 * is only a look-alike (sieve.md V2, V3). It may begin in front of the head, behind a `]]>`, where a `<![CDATA[` joins
 * two sections instead. Holds one closer with its blanks and the head behind it, never more.
 */
export class Lookahead {
  /** All that was read, as written. */
  held = "";
  /** The token at the end of `held` that is being read: what goes back when the value ends before it. */
  token = "";
  readonly #marks: ValueMarks;
  #stage: Stage;
  #folded = "";
  #blanks = 0;

  private constructor(marks: ValueMarks, stage: Stage, held: string) {
    this.#marks = marks;
    this.#stage = stage;
    this.held = held;
  }

  /** Behind a `]]>`: the closing tag's head is still to come. */
  static behindSection(marks: ValueMarks, held: string): Lookahead {
    return new Lookahead(marks, "head", held);
  }

  /** Behind the head of a closing tag. */
  static behindHead(marks: ValueMarks, held: string): Lookahead {
    return new Lookahead(marks, "tag-end", held);
  }

  /** The closing tag is complete: at the end of the reply that is as good as structure. */
  get closed(): boolean {
    return this.#stage === "structure";
  }

  step(code: number): "more" | "end" | "join" | "no" {
    const character = String.fromCharCode(code);
    this.held += character;
    if (this.#folded === "" && isBlank(code)) return ++this.#blanks > SIEVE_LIMITS.blanks ? "no" : "more";
    this.token += character;
    switch (this.#stage) {
      case "head":
        return this.#head(code);
      case "tag-end":
        if (code !== 62) return "no";
        this.#next("structure");
        return "more";
      case "structure":
        return this.#structure(code);
      default:
        return this.#stage satisfies never;
    }
  }

  #head(code: number): "more" | "join" | "no" {
    const { close, cdata } = this.#marks;
    if (this.#folded === close && endsTagName(code)) {
      this.#next("tag-end");
      if (code === 62) this.#next("structure");
      return code === 47 ? "no" : "more";
    }
    this.#folded += String.fromCharCode(foldAscii(code));
    if (this.#folded === cdata) return "join";
    return close.startsWith(this.#folded) || cdata.startsWith(this.#folded) ? "more" : "no";
  }

  #structure(code: number): "more" | "end" | "no" {
    const { structure } = this.#marks;
    if (structure.includes(this.#folded) && endsTagName(code)) return "end";
    this.#folded += String.fromCharCode(foldAscii(code));
    if (this.#folded === "<!--") return "end";
    return "<!--".startsWith(this.#folded) || structure.some((word) => word.startsWith(this.#folded)) ? "more" : "no";
  }

  #next(stage: Stage) {
    this.#stage = stage;
    this.#folded = this.token = "";
    this.#blanks = 0;
  }
}
