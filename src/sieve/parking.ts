import { SIEVE_LIMITS } from "../limits.ts";
import type { Emit } from "../reply.ts";
import type { Block } from "./block.ts";
import type { Tally } from "./report.ts";

/**
 * Calls found in reasoning (sieve.md A4). Each waits, with the reasoning behind it, for what comes first: something
 * visible or a call outside, and it was only thought of; or the end of the reply, and it is what the model meant.
 */
export class Parking {
  readonly #tally: Tally;
  readonly #emit: Emit;
  #parked: (Block | string)[] = [];
  #size = 0;

  constructor(tally: Tally, emit: Emit) {
    this.#tally = tally;
    this.#emit = emit;
  }

  get held(): number {
    return this.#size;
  }

  reasoning(text: string) {
    if (this.#parked.length === 0) this.#reason(text);
    else this.#park(text, text.length);
  }

  call(block: Block) {
    this.#tally.parked += block.calls;
    this.#park(block, block.raw.size);
  }

  /** Something visible or a call came outside. */
  outside() {
    if (this.#parked.length === 0) return;
    for (const item of this.#take()) this.#reason(typeof item === "string" ? item : item.raw.text);
  }

  end() {
    const parked = this.#take();
    for (const item of parked) if (typeof item === "string") this.#reason(item);
    for (const item of parked) {
      if (typeof item === "string") continue;
      this.#tally.fromReasoning += item.calls;
      item.settled("call");
      item.announce();
    }
  }

  #reason(text: string) {
    this.#emit({ type: "reasoning", text });
  }

  #park(item: Block | string, size: number) {
    this.#parked.push(item);
    this.#size += size;
    if (this.#size > SIEVE_LIMITS.parked) this.outside();
  }

  #take(): (Block | string)[] {
    const parked = this.#parked;
    this.#parked = [];
    this.#size = 0;
    this.#tally.parked = 0;
    return parked;
  }
}
