import { SIEVE_LIMITS } from "../../limits.ts";
import { isBlank } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import { LONGEST_NAME, NameCharacters } from "../name-scan.ts";
import type { Triggers } from "../triggers.ts";

/** How the arguments of a call go on behind a value, and how the text goes on behind the call. Each character counts. */
export interface ArgumentStructure {
  /** Stands between a key and its value. */
  readonly assign: string;
  /** Closes the arguments. */
  readonly close: string;
  /** What may stand behind the closed arguments. */
  readonly behind: string;
  /** Another call behind them: what stands before its name, which may be nothing, and what opens its arguments. */
  readonly next?: { readonly separator: string; readonly open: string } | undefined;
  /**
   * Marks right behind a value: one that ends it even if nothing closed the arguments, or one that means nothing. Behind
   * a string in quotes there must be no quotes in them.
   */
  readonly marks?: Triggers<"end" | "nothing"> | undefined;
}

/** Looks behind a quote that may close a string. */
export interface LookBehind {
  /** All that was read, as written. */
  readonly held: string;
  /** The part of it that stands behind the value. */
  readonly back: string;
  /** What was read is enough where the reply ends behind it. */
  readonly closed: boolean;
  step(code: number): "more" | "end" | "no";
}

type Stage =
  | "value"
  | "comma"
  | "key"
  | "behind-key"
  | "assigned"
  | "closed"
  | "separated"
  | "name"
  | "behind-name"
  | "mark";

/**
 * Judges what stands behind a value: another argument, or the end of the arguments with structure behind it. Without one
 * of them the value has not ended, and a quote or comma in front of it is data (R22). Holds two names with their blanks
 * at most, and no quote; so nothing in it can begin another end, and only the character that did not fit is read again.
 */
export class ArgumentEnd implements LookBehind {
  held = "";
  readonly #structure: ArgumentStructure;
  #stage: Stage = "value";
  #blanks = 0;
  #name: NameCharacters | undefined;
  #nameLength = 0;
  /** Characters of marks that mean nothing. */
  #skipped = 0;
  readonly #marks: Matcher<"end" | "nothing"> | undefined;

  constructor(structure: ArgumentStructure) {
    this.#structure = structure;
    this.#marks = structure.marks && new Matcher(structure.marks);
  }

  get back(): string {
    return this.held.slice(this.#skipped);
  }

  get closed(): boolean {
    return ["closed", "separated", "name", "behind-name"].includes(this.#stage);
  }

  step(code: number): "more" | "end" | "no" {
    const character = String.fromCharCode(code);
    const { assign, close, behind, next } = this.#structure;
    this.held += character;
    // Before blanks are skipped: a line break may be what stands behind a call.
    if ((this.#stage === "closed" || this.#stage === "separated") && behind.includes(character)) return "end";
    if (isBlank(code)) return this.#blank();
    switch (this.#stage) {
      case "value":
        if (character === ",") return this.#next("comma");
        return close.includes(character) ? this.#next("closed") : this.#mark(code);
      case "comma":
        return close.includes(character) ? this.#next("closed") : this.#inName("key", code);
      case "key":
      case "behind-key":
        if (assign.includes(character)) return this.#next("assigned");
        return this.#stage === "key" ? this.#inName("key", code) : "no";
      case "assigned":
        // A comparison assigns nothing.
        return character === "=" ? "no" : "end";
      case "closed":
        if (next?.separator === "") return this.#inName("name", code);
        return character === next?.separator ? this.#next("separated") : "no";
      case "separated":
        return this.#inName("name", code);
      case "name":
      case "behind-name":
        if (next?.open.includes(character)) return "end";
        return this.#stage === "name" ? this.#inName("name", code) : "no";
      case "mark":
        return this.#mark(code);
      default:
        return this.#stage satisfies never;
    }
  }

  #next(stage: Stage): "more" {
    this.#stage = stage;
    return "more";
  }

  #blank(): "more" | "end" | "no" {
    if (this.#stage === "assigned") return "end";
    if (this.#stage === "mark") return "no";
    if (this.#stage === "key") this.#stage = "behind-key";
    if (this.#stage === "name") this.#stage = "behind-name";
    return ++this.#blanks > SIEVE_LIMITS.blanks ? "no" : "more";
  }

  #inName(stage: "key" | "name", code: number): "more" | "no" {
    if (this.#stage !== stage) {
      this.#name = new NameCharacters(stage === "key" ? "key" : "tool");
      this.#stage = stage;
    }
    this.#nameLength += 1;
    return this.#name?.step(code) === "no" || this.#nameLength > LONGEST_NAME ? "no" : "more";
  }

  #mark(code: number): "more" | "end" | "no" {
    if (this.#marks?.step(code) !== "") return "no";
    const { hit } = this.#marks;
    if (hit === undefined) return this.#next("mark");
    this.#marks.take();
    if (hit === "end") return "end";
    this.#skipped = this.held.length;
    return this.#next("value");
  }
}

/** Judges what stands behind a string inside a list, a tuple or a dict: what may come next there, or another string. */
export class MemberEnd implements LookBehind {
  readonly closed = false;
  held = "";

  /** Only a quote may follow the letter that stands before a string. */
  #prefixed = false;

  get back(): string {
    return this.held;
  }

  step(code: number): "more" | "end" | "no" {
    const character = String.fromCharCode(code);
    this.held += character;
    if (`'"`.includes(character)) return "end";
    if (this.#prefixed) return "no";
    if (isBlank(code)) return this.held.length > SIEVE_LIMITS.blanks ? "no" : "more";
    this.#prefixed = "rRuU".includes(character);
    return this.#prefixed ? "more" : ",:]})".includes(character) ? "end" : "no";
  }
}
