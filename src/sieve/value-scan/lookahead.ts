import { SIEVE_LIMITS } from "../../limits.ts";
import { GREATER, isBlank } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import type { Follow, ValueMark, ValueMarks } from "./marks.ts";

/**
 * Judges a possible end of a value: the closing mark, of a tag its head, blanks and `>`, and then *structure*, without
 * which a closer is only a look-alike (sieve.md V2, V3). It may begin in front of the mark, behind a `]]>`, where a
 * `<![CDATA[` joins two sections instead. Holds one closer with its blanks and the head behind it, never more.
 */
export class Lookahead {
  /** All that was read, as written. */
  held: string;
  /** The token at the end of `held`: what goes back when the value ends before it, or when it did not fit. */
  token = "";
  readonly #marks: ValueMarks;
  #stage: "head" | "tag-end" | "structure";
  /** Of what the stage looks for: the closing mark, or structure. */
  readonly #closer: Matcher<ValueMark> | undefined;
  #structure: Follow | undefined;
  #blanks = 0;

  private constructor(marks: ValueMarks, stage: "head" | "tag-end" | "structure", held: string) {
    this.#marks = marks;
    this.#stage = stage;
    this.#closer = stage === "head" ? new Matcher(marks.behindSection()) : undefined;
    this.#structure = stage === "structure" ? marks.structure?.() : undefined;
    this.held = held;
  }

  /** Behind a `]]>`: the closing mark is still to come. */
  static behindSection(marks: ValueMarks, held: string): Lookahead {
    return new Lookahead(marks, "head", held);
  }

  /** Behind a closing mark, or behind the head of a closing tag. */
  static behindMark(marks: ValueMarks, held: string, isTag: boolean): Lookahead {
    return new Lookahead(marks, isTag ? "tag-end" : "structure", held);
  }

  /** The closing mark is complete: at the end of the reply that is as good as structure. */
  get closed(): boolean {
    return this.#stage === "structure";
  }

  step(code: number): Judgement {
    const character = String.fromCharCode(code);
    this.held += character;
    if (this.token === "" && isBlank(code)) return ++this.#blanks > SIEVE_LIMITS.blanks ? "no" : "more";
    this.token += character;
    if (this.#closer && this.#stage === "head") return this.#head(this.#closer, code);
    if (this.#stage === "tag-end") return this.#tagEnd(code);
    if (!this.#structure) return "end";
    if (this.#structure.step(code) !== "") return "no";
    return this.#structure.hit === undefined ? "more" : "end";
  }

  #head(closer: Matcher<ValueMark>, code: number): Judgement {
    if (closer.step(code) !== "") return "no";
    const { hit } = closer;
    if (hit === undefined) return "more";
    if (hit.is !== "close") return "join";
    if (!hit.tag) return this.#toStructure();
    this.#next("tag-end");
    return isBlank(code) ? "more" : this.#tagEnd(code);
  }

  #tagEnd(code: number): Judgement {
    return code === GREATER ? this.#toStructure() : "no";
  }

  #toStructure(): Judgement {
    this.#next("structure");
    this.#structure = this.#marks.structure?.();
    return this.#structure ? "more" : "end";
  }

  #next(stage: "tag-end" | "structure") {
    this.#stage = stage;
    this.token = "";
    this.#blanks = 0;
  }
}

/** `join`: another section follows, and what lies between the two is none of the value. */
type Judgement = "more" | "end" | "join" | "no";
