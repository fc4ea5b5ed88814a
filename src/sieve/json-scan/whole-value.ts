import { SIEVE_LIMITS } from "../../limits.ts";
import type { Scan } from "../scan.ts";
import { Text } from "../values/sinks.ts";
import { JsonSource } from "./source.ts";
import type { JsonToken } from "./token.ts";

/** One whole value, held to its end, since what it is worth is known only then. */
export class WholeValue implements Scan {
  readonly data = true;
  readonly again = 0;
  readonly text = new Text(SIEVE_LIMITS.value);
  readonly #source: JsonSource;

  /** @param first the value's first token, which is read already */
  constructor(first: JsonToken) {
    this.#source = new JsonSource(this.text, first);
  }

  get done(): boolean {
    return this.#source.done;
  }

  get back(): string {
    return this.#source.back;
  }

  get held(): number {
    return this.#source.held + this.text.value.length;
  }

  get ending(): JsonSource["ending"] {
    return this.#source.ending;
  }

  eat(s: string, at: number): number {
    return this.#source.eat(s, at);
  }

  finish() {
    this.#source.finish();
  }
}
