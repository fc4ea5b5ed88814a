import { SIEVE_LIMITS } from "../../limits.ts";
import { GREATER, isBlank } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import type { Follow, ValueMarks } from "./marks.ts";

/**
 * Judges a possible end of a value: the closing tag's head, blanks, `>`, and then *structure*, without which a closer
 * is only a look-alike (sieve.md V2, V3). It may begin in front of the head, behind a `]]>`, where a `<![CDATA[` joins
 * two sections instead. Holds one closer with its blanks and the head behind it, never more.
 */
export class Lookahead {
  /** All that was read, as written. */
  held: string;
  /** The token at the end of `held`: what goes back when the value ends before it, or when it did not fit. */
  token = "";
  readonly #marks: ValueMarks;
  #stage: "head" | "tag-end" | "structure";
  /** Of what the stage looks for; none where that is the end of the tag. */
  #matcher: Follow | undefined;
  #blanks = 0;

  private constructor(marks: ValueMarks, held: string, matcher?: Matcher<string>) {
    this.#marks = marks;
    this.held = held;
    this.#matcher = matcher;
    this.#stage = matcher ? "head" : "tag-end";
  }

  /** Behind a `]]>`: the closing tag's head is still to come. */
  static behindSection(marks: ValueMarks, held: string): Lookahead {
    return new Lookahead(marks, held, new Matcher(marks.behindSection()));
  }

  /** Behind the head of a closing tag. */
  static behindHead(marks: ValueMarks, held: string): Lookahead {
    return new Lookahead(marks, held);
  }

  /** The closing tag is complete: at the end of the reply that is as good as structure. */
  get closed(): boolean {
    return this.#stage === "structure";
  }

  step(code: number): "more" | "end" | "join" | "no" {
    const character = String.fromCharCode(code);
    this.held += character;
    if (this.token === "" && isBlank(code)) return ++this.#blanks > SIEVE_LIMITS.blanks ? "no" : "more";
    this.token += character;
    if (!this.#matcher) return this.#tagEnd(code);
    if (this.#matcher.step(code) !== "") return "no";
    const { hit } = this.#matcher;
    if (hit === undefined) return "more";
    if (this.#stage === "structure") return "end";
    if (hit !== this.#marks.close) return "join";
    this.#next("tag-end", undefined);
    return isBlank(code) ? "more" : this.#tagEnd(code);
  }

  #tagEnd(code: number): "more" | "end" | "no" {
    if (code !== GREATER) return "no";
    this.#next("structure", this.#marks.structure?.());
    return this.#matcher ? "more" : "end";
  }

  #next(stage: "tag-end" | "structure", matcher: Follow | undefined) {
    this.#stage = stage;
    this.#matcher = matcher;
    this.token = "";
    this.#blanks = 0;
  }
}
