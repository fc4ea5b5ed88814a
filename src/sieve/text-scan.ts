import { CARRIAGE_RETURN, isBlank, isHighSurrogate, LINE_FEED } from "./characters.ts";
import type { FencedExamples } from "./fenced-examples.ts";
import { Markdown } from "./markdown.ts";
import { type Found, LongestMatch } from "./matcher.ts";
import { type Anchor, type Channels, type Hit, isFraming, type Opening } from "./notation.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";
import { trimBlanks } from "./values/value.ts";

/** Stop tokens and blanks held at what may be the end of the reply; beyond it they are text. */
const LONGEST_TAIL = 256;

/**
 * What the next visible thing is the first one behind (sieve.md A4, W2 to W4): the start of the reply, a call or its
 * block, another channel; or nothing any more, once something visible came.
 */
export type Behind = "start" | "call" | "channel" | "visible";

/** What a spelling means where it stands. */
export type Meaning =
  | { does: "call" | "closer"; opening: Opening }
  /** Absent: it closes what was never opened. */
  | { does: "reasoning"; opens?: Channels | undefined }
  | { does: "results" | "visible" | "strip" };

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
  back = "";
  done = false;
  behind: Behind = "start";
  readonly markdown = new Markdown();

  readonly #triggers: Triggers<Hit>;
  readonly #observer: TextObserver;
  /** What may begin without a trigger where the reply begins; and whether that was tried here. */
  readonly #unmarked: Opening | undefined;
  #tried = false;
  /** Counts what stands in fences. */
  readonly #examples: FencedExamples | undefined;
  /** What may be the beginning of a trigger. */
  readonly #matcher: LongestMatch<Hit, Meaning>;
  #found: Found<Meaning> | undefined;
  /** Nothing but blanks came since the line began. */
  #lineBlank = true;
  /** A mark of the notation's channels was seen: its marks are no text wherever they stand (sieve.md W4). */
  #framed = false;
  /** Stop tokens and blanks behind them: dropped if nothing visible follows. */
  #tail = "";
  /** Half a surrogate pair at the end of what was to go out (sieve.md P6). */
  #half = "";
  /** Characters from the first visible one on, as long as they may be the beginning of a trigger. */
  #seen = 0;
  /** Nothing visible has come in the whole reply. */
  #blankSoFar = true;
  #silent = false;
  #ended = false;

  /** @param triggers compiled so that `skip` stops at whatever Markdown has to see */
  constructor(triggers: Triggers<Hit>, observer: TextObserver, unmarked?: Opening, examples?: FencedExamples) {
    this.#triggers = triggers;
    this.#matcher = new LongestMatch(triggers);
    this.#observer = observer;
    this.#unmarked = unmarked;
    this.#examples = examples;
  }

  get held(): number {
    return this.#matcher.held.length + this.#half.length + this.#tail.length;
  }

  /** A channel may begin here: nothing visible stands between here and the reply's start, a block or a channel. */
  get beginsChannel(): boolean {
    return this.behind !== "visible" || this.#framed;
  }

  eat(s: string, at: number): number {
    const carried = this.#matcher.held;
    let i = at;
    while (i < s.length && !this.#ended) {
      if (this.#skips) {
        const to = this.#triggers.skip(s, i);
        if (to > i) {
          this.#lineBlank = false;
          if (!this.#silent) this.#examples?.skipped(s, i, to, this.markdown.fence);
        }
        i = to;
        if (i === s.length) break;
      }
      const code = s.charCodeAt(i);
      if (this.#unmarked && this.#beginsUnmarked(code)) {
        this.#tried = true;
        this.#send(carried, s, at, i);
        this.#stopAt({ meaning: { does: "call", opening: this.#unmarked }, before: "", matched: "", back: "" });
        return i;
      }
      // The character that a longer spelling does not have is no part of the shorter one.
      if (!this.#matcher.endsBefore(code)) {
        this.#step(code);
        i += 1;
        if (!this.#matcher.complete) continue;
      }
      this.#send(carried, s, at, i);
      this.#stopAt(this.#matcher.takeFound());
      return i;
    }
    this.#send(carried, s, at, i);
    return i;
  }

  /** The reply has ended: stop tokens at its very end are no text. */
  finish() {
    if (this.#matcher.held === "") this.#tail = "";
    this.release();
  }

  /** What is held can be no beginning of a block any more. */
  release() {
    const held = this.#matcher.take();
    if (held !== "" && this.behind !== "visible") this.#visible();
    if (!this.#ended) this.#emit(held);
    this.#flushTail();
    this.#sendHalf();
  }

  /** What was found, how it was written, and what was read beyond it. */
  take(): Found<Meaning> | undefined {
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
      this.#tell(code);
      if (this.behind !== "visible" && !isBlank(code)) this.#visible();
    }
    if (!this.#ended) this.#emit(text);
  }

  /** A stop token, or what closes a channel (sieve.md W4). */
  strip(written: string) {
    this.#seen = 0;
    if (this.behind === "call") return;
    if (this.#framed) this.behind = "channel";
    else this.#holdTail(written);
  }

  /** What follows is said; marks of channels are no text from now on. */
  beginVisible() {
    this.#framed = true;
    this.resume("channel");
  }

  /** What follows is reasoning, which a mark of these channels has opened. */
  beginReasoning(channels: Channels | undefined) {
    if (channels && isFraming(channels)) this.#framed = true;
  }

  /** Behind a call or a channel that left no text. Reasoning behind a call is not visible: the call is still the last. */
  resume(behind: "call" | "channel") {
    if (this.behind !== "call") this.behind = behind;
    this.#seen = 0;
    this.#tried = false;
    this.#lineBlank = true;
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

  #beginsUnmarked(code: number): boolean {
    if (this.#tried || this.#anchor !== "start" || isBlank(code)) return false;
    return this.#matcher.held === "" && this.#observer.mayCall();
  }

  #step(code: number) {
    // Markdown must not see a trigger that is taken out of the text: it is told when it turns out as text.
    if (this.#silent || !this.markdown.live) {
      const held = this.#matcher.take();
      for (let i = 0; i < held.length; i++) this.#inCode(held.charCodeAt(i));
      this.#inCode(code);
    } else this.#tellMarkdown(this.#matcher.step(code));
    if (this.behind !== "visible") this.#watch(code);
    const { hit } = this.#matcher;
    const meaning = hit && this.#means(hit, this.#matcher.beforeHit);
    if (meaning) this.#matcher.find(meaning);
  }

  #stopAt(found: Found<Meaning> | undefined) {
    if (found) this.pass(found.before);
    if (found?.meaning.does !== "strip") this.#flushTail();
    this.#sendHalf();
    this.#found = found;
    this.done = true;
  }

  #tellMarkdown(text: string) {
    for (let i = 0; i < text.length; i++) this.#tell(text.charCodeAt(i));
  }

  /** Where no trigger is live. */
  #inCode(code: number) {
    this.#tell(code);
    if (!this.#silent) this.#examples?.step(code, this.markdown.fence);
  }

  #tell(code: number) {
    this.markdown.step(code);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) this.#lineBlank = true;
    else if (!isBlank(code)) this.#lineBlank = false;
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

  /**
   * What the spelling means where it stands; undefined where it is text.
   * @param before what is held before it and would be text
   */
  #means({ call, closer, results, reasoning, visible, channels, strip }: Hit, before: string): Meaning | undefined {
    const isFirst = trimBlanks(before) === "";
    const isBehindCall = isFirst && this.behind === "call";
    const isFramed = this.#framed && channels !== undefined && isFraming(channels);
    const beginsChannel = isFramed || (isFirst && this.behind !== "visible");
    const opening = call?.[isFirst ? this.#anchor : "anywhere"];
    if (opening && this.#observer.mayCall()) return { does: "call", opening };
    if (isBehindCall && closer) return { does: "closer", opening: closer };
    if (isBehindCall && results) return { does: "results" };
    if (visible && beginsChannel) return { does: "visible" };
    if (reasoning === "opens" && beginsChannel) return { does: "reasoning", opens: channels };
    if (reasoning === "closes" && isFirst && this.#blankSoFar) return { does: "reasoning" };
    return strip && { does: "strip" };
  }

  get #anchor(): Anchor {
    if (this.#blankSoFar && (this.behind === "start" || this.behind === "channel")) return "start";
    return this.#lineBlank ? "line" : "anywhere";
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
    if (this.#tail !== "") {
      if (trimBlanks(text) === "") return this.#holdTail(text);
      out = this.#tail + text;
      this.#tail = "";
    }
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

  #holdTail(text: string) {
    this.#tail += text;
    if (this.#tail.length > LONGEST_TAIL) this.#flushTail();
  }

  #flushTail() {
    const tail = this.#tail;
    this.#tail = "";
    if (tail === "") return;
    this.#visible();
    this.#emit(tail);
  }

  /** Half a pair whose other half did not come. */
  #sendHalf() {
    if (this.#half !== "") this.#observer.text(this.#half);
    this.#half = "";
  }
}
