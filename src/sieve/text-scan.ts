import { Markdown } from "./markdown.ts";
import type { Hit } from "./plan.ts";
import { isBlank, isHighSurrogate, type Scan } from "./scan.ts";
import { Triggers } from "./triggers.ts";

/**
 * What the next visible thing is the first one behind (sieve.md A4, W2 to W4): the start of the reply, a call or its
 * block, another channel; or nothing any more, once something visible came.
 */
export type Behind = "start" | "call" | "channel" | "visible";

/** What the text scan tells and asks. */
export interface TextObserver {
  text(text: string): void;
  /** Something visible came behind a call; true means that this ends the reply (sieve.md W3). */
  visibleBehindCall(): boolean;
  /** A further block may begin. */
  mayCall(): boolean;
}

/**
 * The text between blocks: passes everything on at once but what may begin a trigger, and stops where a trigger means
 * something. Plain characters are skipped by a table; Markdown sees every visible character once and in order.
 */
export class TextScan implements Scan {
  looks = 0;
  done = false;
  back = "";
  hit: Hit | undefined;
  /** The trigger as it was written. */
  matched = "";
  behind: Behind = "start";
  readonly markdown = new Markdown();

  readonly #triggers: Triggers<Hit>;
  readonly #observer: TextObserver;
  /** Characters that cannot be skipped, by code. */
  readonly #special = new Uint8Array(128);
  #state = Triggers.ROOT;
  /** What may begin a trigger, as written; and the part of it that came in earlier chunks. */
  #begun = "";
  #held = "";
  /** Half a surrogate pair at the end of what was to go out (sieve.md P6). */
  #half = "";
  /** Characters from the first visible one on, as long as that may be the beginning of a trigger. */
  #seen = 0;
  #silent = false;
  #ended = false;

  constructor(triggers: Triggers<Hit>, observer: TextObserver) {
    this.#triggers = triggers;
    this.#observer = observer;
    for (let code = 0; code < 128; code++) this.#special[code] = triggers.begins(code) ? 1 : 0;
    for (const code of [10, 13, 96]) this.#special[code] = 1;
  }

  get held(): number {
    return this.#held.length + this.#half.length;
  }

  eat(s: string, at: number): number {
    this.done = false;
    let i = at;
    while (i < s.length) {
      i = this.#skip(s, i);
      if (i === s.length) break;
      const hit = this.#step(s.charCodeAt(i));
      i += 1;
      if (this.#ended) break;
      if (hit) {
        this.#found(hit, s, at, i);
        break;
      }
    }
    this.looks += i - at;
    if (!this.done) this.#flush(s, at, i, this.#triggers.depth(this.#state));
    return i;
  }

  finish() {
    const held = this.#held;
    this.#held = this.#begun = "";
    this.#state = Triggers.ROOT;
    if (held !== "" && !this.#ended) this.#send(held);
    this.#sendHalf();
  }

  /** Passes on what is text although it holds triggers: a block that was none. */
  pass(text: string) {
    this.looks += text.length;
    for (let i = 0; i < text.length && !this.#ended; i++) {
      const code = text.charCodeAt(i);
      this.markdown.step(code);
      if (this.behind !== "visible" && !isBlank(code)) this.#visible();
    }
    if (!this.#ended) this.#send(text);
  }

  /** Behind a call or a channel that left no text. */
  resume(behind: "call" | "channel") {
    this.behind = behind;
    this.#seen = 0;
  }

  /** No trigger is live any more: a block grew over its cap, and what follows may be the rest of its data. */
  silence() {
    this.#silent = true;
  }

  #skip(s: string, at: number): number {
    if (this.#state !== Triggers.ROOT || this.behind !== "visible" || !this.markdown.quiet) return at;
    const special = this.#special;
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code < 128 ? special[code] === 1 : this.#triggers.begins(code)) break;
    }
    return i;
  }

  #step(code: number): Hit | undefined {
    const { markdown } = this;
    const triggers = this.#triggers;
    const before = triggers.depth(this.#state);
    this.#state = markdown.live && !this.#silent ? triggers.step(this.#state, code) : Triggers.ROOT;
    const depth = triggers.depth(this.#state);
    if (before > 0 || depth > 0) this.#begin(code, depth);
    else markdown.step(code);
    if (this.behind !== "visible") this.#watch(code, depth);
    const hit = triggers.hit(this.#state);
    return hit && this.#means(hit) ? hit : undefined;
  }

  /** Markdown must not see a trigger that is taken out of the text: it is told of it only when it turns out as text. */
  #begin(code: number, depth: number) {
    this.#begun += String.fromCharCode(code);
    const released = this.#begun.length - depth;
    for (let i = 0; i < released; i++) this.markdown.step(this.#begun.charCodeAt(i));
    this.#begun = this.#begun.slice(released);
  }

  #watch(code: number, depth: number) {
    if (this.#seen > 0 || !isBlank(code)) this.#seen += 1;
    if (this.#seen > depth) this.#visible();
  }

  #visible() {
    const behind = this.behind;
    this.behind = "visible";
    if (behind === "call") this.#ended = this.#observer.visibleBehindCall();
  }

  /** Whether the trigger means anything where it stands. */
  #means(hit: Hit): boolean {
    switch (hit.does) {
      case "call":
        return this.#observer.mayCall();
      case "reasoning":
        return hit.opens ? this.behind !== "visible" : this.behind === "start";
      case "results":
      case "closer":
        return this.behind === "call";
      default:
        return hit satisfies never;
    }
  }

  #found(hit: Hit, s: string, from: number, to: number) {
    const depth = this.#triggers.depth(this.#state);
    this.#flush(s, from, to, depth);
    this.#sendHalf();
    this.matched = this.#held;
    this.#held = this.#begun = "";
    this.#state = Triggers.ROOT;
    this.hit = hit;
    this.done = true;
  }

  /** Sends what was held and `s[from..to)`, but for the last `keep` characters. */
  #flush(s: string, from: number, to: number, keep: number) {
    if (this.#ended) return;
    const length = to - from;
    if (keep <= length) {
      const text = s.slice(from, to - keep);
      this.#send(this.#held === "" ? text : this.#held + text);
      this.#held = s.slice(to - keep, to);
    } else {
      // Then all of the chunk belongs to a marker: both pieces are short.
      const all = this.#held + s.slice(from, to);
      this.#send(all.slice(0, all.length - keep));
      this.#held = all.slice(all.length - keep);
    }
  }

  #send(text: string) {
    if (text === "") return;
    let out = text;
    if (this.#half !== "") {
      out = this.#half + text;
      this.#half = "";
    }
    if (isHighSurrogate(out.charCodeAt(out.length - 1))) {
      this.#half = out.slice(-1);
      out = out.slice(0, -1);
    }
    if (out !== "") this.#observer.text(out);
  }

  /** Half a pair whose other half did not come. */
  #sendHalf() {
    if (this.#half !== "") this.#observer.text(this.#half);
    this.#half = "";
  }
}
