import { SIEVE_LIMITS } from "../../limits.ts";
import { GREATER, isBlank } from "../characters.ts";
import { TagFollows } from "../element-tag.ts";
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
  #stage: "head" | "tag-end" | "structure";
  /** Of the closing mark behind a section, and of what is structure; none where every closer ends the value. */
  readonly #closer: Matcher<ValueMark>;
  #follow: Follow | undefined;
  #blanks = 0;

  private constructor(marks: ValueMarks, stage: "head" | "tag-end" | "structure", held: string, nested = false) {
    this.#stage = stage;
    this.#closer = new Matcher(marks.behindSection());
    const structure = marks.structure?.();
    this.#follow = nested && structure ? new AnyTag(structure) : structure;
    this.held = held;
  }

  /** Behind a `]]>`: the closing mark is still to come. @param nested it may end an example in the data */
  static behindSection(marks: ValueMarks, held: string, nested: boolean): Lookahead {
    return new Lookahead(marks, "head", held, nested);
  }

  /** Behind a closing mark, or behind the head of a closing tag. */
  static behindMark(marks: ValueMarks, held: string, isTag: boolean): Lookahead {
    return new Lookahead(marks, isTag ? "tag-end" : "structure", held);
  }

  /** The closing mark is complete: at the end of the reply that is as good as structure. */
  get closed(): boolean {
    return this.#stage === "structure";
  }

  step(code: number): "more" | "end" | "join" | "no" {
    const character = String.fromCharCode(code);
    this.held += character;
    if (this.token === "" && isBlank(code)) return ++this.#blanks > SIEVE_LIMITS.blanks ? "no" : "more";
    this.token += character;
    switch (this.#stage) {
      case "head":
        return this.#head(code);
      case "tag-end":
        return this.#tagEnd(code);
      case "structure":
        return this.#structure(code);
      default:
        return this.#stage satisfies never;
    }
  }

  #head(code: number): "more" | "end" | "join" | "no" {
    if (this.#closer.step(code) !== "") return "no";
    const { hit } = this.#closer;
    if (hit === undefined) return "more";
    if (hit.is !== "close") return "join";
    if (!hit.tag) return this.#closes();
    this.#next("tag-end");
    return isBlank(code) ? "more" : this.#tagEnd(code);
  }

  #tagEnd(code: number): "more" | "end" | "no" {
    return code === GREATER ? this.#closes() : "no";
  }

  /** The closing mark is complete; where every one ends the value nothing goes back. */
  #closes(): "more" | "end" {
    this.#next("structure");
    return this.#follow ? "more" : "end";
  }

  #structure(code: number): "more" | "end" | "no" {
    if (this.#follow?.step(code) !== "") return "no";
    return this.#follow.hit === undefined ? "more" : "end";
  }

  #next(stage: "tag-end" | "structure") {
    this.#stage = stage;
    this.token = "";
    this.#blanks = 0;
  }
}

/** In an example structure is whatever tag its own notation has: that may be another one than what is read. */
class AnyTag implements Follow {
  #ways: readonly Follow[];

  constructor(structure: Follow) {
    this.#ways = [structure, new TagFollows(() => true)];
  }

  get hit(): unknown {
    return this.#ways.find(({ hit }) => hit !== undefined);
  }

  step(code: number): string {
    this.#ways = this.#ways.filter((way) => way.step(code) === "");
    return this.#ways.length > 0 ? "" : String.fromCharCode(code);
  }
}
