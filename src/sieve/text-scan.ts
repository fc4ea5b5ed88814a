import { isBlank, isHighSurrogate } from "./characters.ts";
import { Markdown } from "./markdown.ts";
import { Matcher } from "./matcher.ts";
import type { Hit } from "./plan.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

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
  readonly again = 0;
  readonly back = "";
  done = false;
  behind: Behind = "start";
  readonly markdown = new Markdown();

  readonly #triggers: Triggers<Hit>;
  readonly #observer: TextObserver;
  /** What may be the beginning of a trigger. */
  readonly #matcher: Matcher<Hit>;
  #found: { hit: Hit; matched: string } | undefined;
  /** Half a surrogate pair at the end of what was to go out (sieve.md P6). */
  #half = "";
  /** Characters from the first visible one on, as long as they may be the beginning of a trigger. */
  #seen = 0;
  /** Nothing visible has come in the whole reply. */
  #blankSoFar = true;
  #silent = false;
  #ended = false;

  /** @param triggers compiled so that `skip` stops at whatever Markdown has to see */
  constructor(triggers: Triggers<Hit>, observer: TextObserver) {
    this.#triggers = triggers;
    this.#matcher = new Matcher(triggers);
    this.#observer = observer;
  }

  get held(): number {
    return this.#matcher.held.length + this.#half.length;
  }

  eat(s: string, at: number): number {
    const carried = this.#matcher.held;
    let i = at;
    while (i < s.length && !this.#ended) {
      if (this.#skips) {
        i = this.#triggers.skip(s, i);
        if (i === s.length) break;
      }
      const hit = this.#step(s.charCodeAt(i++));
      if (!hit) continue;
      this.#send(carried, s, at, i);
      this.#sendHalf();
      this.#found = { hit, matched: this.#matcher.take() };
      this.done = true;
      return i;
    }
    this.#send(carried, s, at, i);
    return i;
  }

  finish() {
    const held = this.#matcher.take();
    if (held !== "" && this.behind !== "visible") this.#visible();
    if (!this.#ended) this.#emit(held);
    this.#sendHalf();
  }

  /** What was found, and how it was written. */
  take(): { hit: Hit; matched: string } | undefined {
    const found = this.#found;
    this.#found = undefined;
    this.done = false;
    // Markdown does not see the trigger, but it ends a run of backticks all the same.
    this.markdown.endRun();
    return found;
  }

  /** Passes on what is text although it holds triggers: a block that was none. */
  pass(text: string) {
    for (let i = 0; i < text.length && !this.#ended; i++) {
      const code = text.charCodeAt(i);
      this.markdown.step(code);
      if (this.behind !== "visible" && !isBlank(code)) this.#visible();
    }
    if (!this.#ended) this.#emit(text);
  }

  /** Behind a call or a channel that left no text. Reasoning behind a call is not visible: the call is still the last. */
  resume(behind: "call" | "channel") {
    if (this.behind !== "call") this.behind = behind;
    this.#seen = 0;
    this.markdown.interrupt();
  }

  /** No trigger is live any more: a block grew over its cap, and what follows may be the rest of its data. */
  silence() {
    this.#silent = true;
  }

  /** Nothing but a trigger, a line break or a backtick could change anything. */
  get #skips(): boolean {
    return this.behind === "visible" && this.#matcher.held === "" && this.markdown.quiet;
  }

  #step(code: number): Hit | undefined {
    // Markdown must not see a trigger that is taken out of the text: it is told when it turns out as text.
    if (this.#silent || !this.markdown.live) {
      this.#tellMarkdown(this.#matcher.take());
      this.markdown.step(code);
    } else this.#tellMarkdown(this.#matcher.step(code));
    if (this.behind !== "visible") this.#watch(code);
    const { hit } = this.#matcher;
    return hit && this.#means(hit) ? hit : undefined;
  }

  #tellMarkdown(text: string) {
    for (let i = 0; i < text.length; i++) this.markdown.step(text.charCodeAt(i));
  }

  #watch(code: number) {
    if (this.#seen > 0 || !isBlank(code)) this.#seen += 1;
    if (this.#seen > this.#matcher.held.length) this.#visible();
  }

  #visible() {
    const { behind } = this;
    this.behind = "visible";
    this.#blankSoFar = false;
    if (behind === "call") this.#ended = this.#observer.visibleBehindCall();
  }

  /** Whether the trigger means anything where it stands. */
  #means(hit: Hit): boolean {
    switch (hit.does) {
      case "call":
        return this.#observer.mayCall();
      case "reasoning":
        return hit.opens ? this.behind !== "visible" : this.#blankSoFar;
      case "results":
      case "closer":
        return this.behind === "call";
      default:
        return hit satisfies never;
    }
  }

  /** Sends what came in earlier chunks and `s[from..to)`, but for what is held now. */
  #send(carried: string, s: string, from: number, to: number) {
    if (this.#ended) return;
    const keep = this.#matcher.held.length;
    const length = to - from;
    if (carried === "" && length === s.length && keep === 0) this.#emit(s);
    else if (keep > length) this.#emit(carried.slice(0, carried.length + length - keep));
    else if (carried === "") this.#emit(s.slice(from, to - keep));
    else this.#emit(carried + s.slice(from, to - keep));
  }

  #emit(text: string) {
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
