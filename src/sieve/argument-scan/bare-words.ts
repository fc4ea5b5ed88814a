import type { Triggers } from "../triggers.ts";
import type { Write } from "../value-scan/marks.ts";
import { ArgumentEnd, type ArgumentStructure } from "./argument-end.ts";
import type { LiteralReader } from "./argument-value.ts";

/** Its marks stop at whatever the end of a value may begin with. */
export type WordsStructure = ArgumentStructure & { readonly marks: Triggers<"end" | "nothing"> };

/** A value without quotes or brackets: up to where the arguments go on, or end with structure behind them (R23). */
export class BareWords implements LiteralReader {
  closed = false;
  back = "";
  again = 0;

  readonly #structure: WordsStructure;
  readonly #write: Write;
  #look: ArgumentEnd | undefined;

  constructor(structure: WordsStructure, write: Write) {
    this.#structure = structure;
    this.#write = write;
  }

  get held(): number {
    return this.#look?.held.length ?? 0;
  }

  plain(s: string, at: number): number {
    if (this.#look) return at;
    const to = this.#structure.marks.skip(s, at);
    if (to > at) this.#write(s.slice(at, to));
    return to;
  }

  step(code: number) {
    if (this.#look) return this.#judge(this.#look, code);
    const character = String.fromCharCode(code);
    if (this.#structure.marks.skip(character, 0) > 0) return this.#write(character);
    this.#look = new ArgumentEnd(this.#structure);
    this.#judge(this.#look, code);
  }

  finish() {
    if (this.#look?.closed) this.#close(this.#look);
  }

  #judge(look: ArgumentEnd, code: number) {
    const verdict = look.step(code);
    if (verdict === "more") return;
    if (verdict === "end") return this.#close(look);
    this.#look = undefined;
    this.#write(look.held.slice(0, -1));
    this.again += 1;
    this.step(code);
  }

  #close(look: ArgumentEnd) {
    this.back = look.back;
    this.closed = true;
    this.#look = undefined;
  }
}
