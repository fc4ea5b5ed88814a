import { SIEVE_LIMITS } from "../../limits.ts";
import { isBlank } from "../characters.ts";
import type { Scan } from "../scan.ts";
import type { Write } from "../value-scan/marks.ts";
import { Pieces } from "../value-scan/pieces.ts";
import type { Member, Sink } from "../values/sinks.ts";
import { Literal } from "./literal.ts";

/**
 * What a value may need (sieve.md T4). `lenient-quotes`: a string holds its own quotes, or a backslash, without the
 * backslash in front; `string-delimiters`: a string stands between other marks than the notation's, or between none.
 */
export type ArgumentRepair = "lenient-quotes" | "string-delimiters";

/** Takes note of a repair. */
export type Repaired = (repair: ArgumentRepair) => void;

/** One kind of value: reads from behind what it begins with. */
export interface LiteralReader {
  /** Passes over characters that mean nothing, hands them on and returns where it stopped. */
  plain(s: string, at: number): number;
  step(code: number): void;
  /** The reply has ended. */
  finish(): void;
  /** The value's end was seen. */
  readonly closed: boolean;
  /** Was read behind the value. */
  readonly back: string;
  /** Characters held until it is known what they are. */
  readonly held: number;
  readonly again: number;
}

/** How a value begins. */
export interface Beginning {
  readonly held: number;
  /** One more character, the first one no blank; undefined as long as more are needed. */
  step(code: number): Begun | undefined;
}

export type Begun =
  /** No value begins so. */
  | "stray"
  | {
      /** A string goes out as it comes, anything else is a literal once it is whole. */
      kind: "string" | "literal";
      /** What the reader is to read of what was read already. */
      read: string;
      reader: (write: Write, repaired: Repaired) => LiteralReader;
    };

/**
 * The value of one argument, up to what stands behind it. A string is text that is a string wherever one may stand; what
 * else is a literal is JSON, and what is none is bare text.
 */
export class ArgumentValue implements Scan {
  readonly data = true;
  done = false;
  back = "";
  /** `stray`: no value stands there, what does goes back. */
  ending: "closed" | "stray" | "cut" | undefined;
  /** What was needed so far. */
  readonly repairs = new Set<ArgumentRepair>();

  readonly #beginning: Beginning;
  readonly #member: Member;
  readonly #pieces = new Pieces();
  #blanks = 0;
  #reader: LiteralReader | undefined;
  #sink: Sink | undefined;
  #literal: Literal | undefined;
  #again = 0;

  constructor(beginning: Beginning, member: Member) {
    this.#beginning = beginning;
    this.#member = member;
  }

  get held(): number {
    return (this.#reader ?? this.#beginning).held + (this.#literal?.held ?? 0);
  }

  get again(): number {
    return this.#again + (this.#reader?.again ?? 0);
  }

  /** The sink could not hold all of it: what it has got is not the value. */
  get overflowed(): boolean {
    return this.#sink?.full === true;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      const reader = this.#reader;
      const to = reader?.plain(s, i) ?? i;
      if (to > i) i = to;
      else if (reader) this.#step(reader, s.charCodeAt(i++));
      else this.#lead(s.charCodeAt(i++));
    }
    this.#pieces.flush(this.#sink);
    return i;
  }

  finish() {
    if (this.done) return;
    this.#reader?.finish();
    if (this.#reader?.closed) this.#close(this.#reader);
    else this.#end("cut", "");
  }

  #lead(code: number) {
    if (this.#beginning.held === 0 && isBlank(code)) {
      // At the cap scanning goes on behind what was read.
      if (++this.#blanks > SIEVE_LIMITS.between) this.#end("stray", "");
      return;
    }
    const begun = this.#beginning.step(code);
    if (begun === "stray") this.#end("stray", String.fromCharCode(code));
    else if (begun) this.#begin(begun);
  }

  #begin({ kind, read, reader: begin }: Exclude<Begun, "stray">) {
    const repaired: Repaired = (repair) => this.repairs.add(repair);
    if (kind === "literal") this.#literal = new Literal(this.#member, repaired);
    this.#sink = this.#literal ?? this.#member.begin("string");
    const reader = begin(this.#pieces.write, repaired);
    this.#reader = reader;
    this.#again += read.length;
    for (let i = 0; i < read.length; i++) this.#step(reader, read.charCodeAt(i));
  }

  #step(reader: LiteralReader, code: number) {
    reader.step(code);
    if (reader.closed) this.#close(reader);
  }

  #close(reader: LiteralReader) {
    this.#pieces.flush(this.#sink);
    this.#sink?.close();
    this.#end("closed", reader.back);
  }

  #end(ending: "closed" | "stray" | "cut", back: string) {
    this.ending = ending;
    this.back = back;
    this.done = true;
  }
}
