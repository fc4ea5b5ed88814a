import { ElementTag } from "../element-tag.ts";
import { Matcher } from "../matcher.ts";
import type { Scan } from "../scan.ts";
import type { Triggers } from "../triggers.ts";
import type { Member, Sink } from "../values/sinks.ts";
import { Pieces } from "./pieces.ts";

/**
 * The value of an element in a notation that puts a special token before each of its tags: a tag without one is text, so
 * nothing has to be escaped and nothing looked at twice. Elements inside the value are counted, and their tags kept
 * without the token.
 */
export class SentinelValue implements Scan {
  readonly data = true;
  done = false;
  back = "";
  again = 0;
  /** `other`: a closing tag came that is none of the value's, and goes back. */
  ending: "closed" | "other" | "cut" | undefined;

  readonly #name: string;
  readonly #sentinel: Triggers<unknown>;
  readonly #matcher: Matcher<unknown>;
  readonly #sink: Sink;
  readonly #pieces = new Pieces();
  #depth = 0;
  /** Behind a token, and all that was read from it on. */
  #tag: ElementTag | undefined;
  #held = "";

  constructor(sentinel: Triggers<unknown>, name: string, member: Member) {
    this.#name = name;
    this.#sentinel = sentinel;
    this.#matcher = new Matcher(sentinel);
    this.#sink = member.begin("bare");
  }

  get held(): number {
    return this.#matcher.held.length + this.#held.length;
  }

  /** The sink could not hold all of it: what it has got is not the value. */
  get overflowed(): boolean {
    return this.#sink.full;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      if (!this.#tag && this.#matcher.held === "") {
        const to = this.#sentinel.skip(s, i);
        this.#data(s.slice(i, to));
        i = to;
        if (i === s.length) break;
      }
      this.#step(s.charCodeAt(i++));
    }
    this.#pieces.flush(this.#sink);
    return i;
  }

  finish() {
    this.ending = "cut";
    this.done = true;
  }

  #step(code: number) {
    if (this.#tag) return this.#inTag(this.#tag, code);
    this.#data(this.#matcher.step(code));
    if (this.#matcher.hit === undefined) return;
    this.#held = this.#matcher.take();
    this.#tag = new ElementTag(() => true);
  }

  #inTag(tag: ElementTag, code: number) {
    const character = String.fromCharCode(code);
    this.#held += character;
    tag.eat(character, 0);
    if (!tag.done) return;
    const held = this.#held;
    this.#tag = undefined;
    this.#held = "";
    if (!tag.ok) {
      this.#data(held.slice(0, held.length - tag.back.length));
      this.again += tag.back.length;
      for (let i = 0; i < tag.back.length; i++) this.#step(tag.back.charCodeAt(i));
    } else if (tag.closes && this.#depth === 0) this.#end(tag.name === this.#name, held);
    else this.#element(tag);
  }

  #element({ name, closes, rest }: ElementTag) {
    if (closes) this.#depth -= 1;
    else if (!rest.selfClosing) this.#depth += 1;
    const written = `<${closes ? "/" : ""}${name}${rest.selfClosing ? "/" : ""}>`;
    this.#pieces.write(written, written);
  }

  #end(own: boolean, held: string) {
    this.ending = own ? "closed" : "other";
    this.back = own ? "" : held;
    this.done = true;
    this.#pieces.flush(this.#sink);
    this.#sink.close();
  }

  /** Marked so that what looks like a tag in it is none to whoever reads the elements of the value. */
  #data(piece: string) {
    if (piece !== "") this.#pieces.write(piece, /[<&]/.test(piece) ? escapeMarkup(piece) : undefined);
  }
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
