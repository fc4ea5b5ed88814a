import { SIEVE_LIMITS } from "../../limits.ts";
import { once } from "../../once.ts";
import { LESS } from "../characters.ts";
import { compileWords, Matcher } from "../matcher.ts";
import { TagRest } from "../tag-rest.ts";
import type { Triggers } from "../triggers.ts";
import { trimBlanks } from "../values/value.ts";

/** Heads of the tags around a key, in lower case. */
export interface KeyTags {
  readonly open: string;
  readonly close: string;
}

export interface KeyMarks extends KeyTags {
  /** What ends a key. */
  readonly end: () => Triggers<string>;
}

export function compileKey(tags: KeyTags): KeyMarks {
  return { ...tags, end: once(() => compileWords([tags.close])) };
}

/** A key in a tag pair of its own, `<key>name</key>`, from behind the head of its opening tag on. */
export class KeyElement {
  readonly selfClosing = false;
  done = false;
  /** It was complete. */
  ok = false;
  /** The token that did not fit. */
  back = "";
  readonly #matcher: Matcher<string>;
  #tag: TagRest | undefined = new TagRest();
  #close: TagRest | undefined;
  #text = "";

  constructor({ end }: KeyMarks) {
    this.#matcher = new Matcher(end());
  }

  get name(): string | undefined {
    return trimBlanks(this.#text) || undefined;
  }

  step(code: number) {
    const tag = this.#tag ?? this.#close;
    if (tag) this.#inTag(tag, code);
    else this.#inText(code);
  }

  #inTag(tag: TagRest, code: number) {
    tag.step(code);
    if (!tag.done) return;
    if (!tag.ok || this.#close) this.#decide(tag.ok, tag.back);
    this.#tag = undefined;
  }

  #inText(code: number) {
    const released = this.#matcher.step(code);
    // Another tag, which may mean something.
    if (released.charCodeAt(0) === LESS) return this.#decide(false, released + this.#matcher.held);
    this.#text += released;
    if (this.#text.length > SIEVE_LIMITS.tag) return this.#decide(false, this.#matcher.held);
    if (this.#matcher.hit === undefined) return;
    this.#close = new TagRest();
    this.#inTag(this.#close, code);
  }

  #decide(ok: boolean, back: string) {
    this.ok = ok;
    this.back = back;
    this.done = true;
  }
}
