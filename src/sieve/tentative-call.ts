import type { StageEvent } from "../reply.ts";
import type { ResolvedTool } from "../tools.ts";
import { Arguments } from "./values/arguments.ts";

/** What a call tells the block it stands in. */
export interface CallObserver {
  certain(call: TentativeCall): void;
  repaired(name: string): void;
  uncoercible(): void;
}

/**
 * One call of a block. Until it is announced it keeps what it would have said; from then on everything goes out as it
 * comes. Announcement is a state of the call and not of the block: a bad sibling can still be dropped after the first
 * call went out (sieve.md G3).
 */
export class TentativeCall {
  readonly tool: ResolvedTool;
  readonly arguments: Arguments;
  state: "tentative" | "announced" | "dropped" = "tentative";
  /** Its own closer was seen. */
  ended = false;
  /** Characters of arguments that wait for the announcement. */
  waiting = 0;

  readonly #emit: (event: StageEvent) => void;
  #json: string[] = [];

  constructor(tool: ResolvedTool, emit: (event: StageEvent) => void, observer: CallObserver) {
    this.tool = tool;
    this.#emit = emit;
    this.arguments = new Arguments(tool.shape, {
      write: (json) => this.#write(json),
      certain: () => observer.certain(this),
      repaired: (name) => observer.repaired(name),
      uncoercible: () => observer.uncoercible(),
    });
  }

  get onWire(): boolean {
    return this.state === "announced";
  }

  end() {
    this.arguments.end();
    this.ended = true;
    if (this.onWire) this.#emit({ type: "call-end" });
  }

  announce() {
    this.state = "announced";
    this.#emit({ type: "call-start", name: this.tool.name });
    // One fragment, however many there were: what was held goes out whole (sieve.md E).
    if (this.#json.length > 0) this.#emit({ type: "call-arguments", json: this.#json.join("") });
    if (this.ended) this.#emit({ type: "call-end" });
    this.#forget();
  }

  drop() {
    this.state = "dropped";
    this.#forget();
  }

  #write(json: string) {
    if (this.state === "announced") this.#emit({ type: "call-arguments", json });
    else if (this.state === "tentative") {
      this.#json.push(json);
      this.waiting += json.length;
    }
  }

  #forget() {
    this.#json = [];
    this.waiting = 0;
  }
}
