import { JsonSource } from "./json-scan/source.ts";
import { JsonToken } from "./json-scan/token.ts";
import type { Scan } from "./scan.ts";

/** The rest of a JSON object behind its `{`, passed on as it comes: nothing in it is a call, and nothing is held. */
export class PassedObject implements Scan {
  readonly held = 0;
  readonly again = 0;
  readonly #source: JsonSource;
  #begun = false;

  constructor(pass: (text: string) => void) {
    const brace = new JsonToken();
    brace.eat("{", 0);
    // The brace itself is passed on already.
    const text = (piece: string) => this.#begun && pass(piece);
    this.#source = new JsonSource({ text, close() {}, full: false }, brace);
    this.#source.eat("", 0);
    this.#begun = true;
  }

  get done(): boolean {
    return this.#source.done;
  }

  get back(): string {
    return this.#source.back;
  }

  eat(s: string, at: number): number {
    return this.#source.eat(s, at);
  }

  finish() {
    this.#source.finish();
  }
}
