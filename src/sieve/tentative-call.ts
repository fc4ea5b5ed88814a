import type { Emit } from "../reply.ts";
import type { ResolvedTool } from "../tools.ts";
import type { Repair } from "./repairs.ts";
import { Arguments, type ArgumentsObserver } from "./values/arguments.ts";

/** The block that a call stands in. */
export interface CallHost {
  emit: Emit;
  /** Repairs are allowed (sieve.md T4). */
  readonly mends: boolean;
  /** Characters that may wait for its announcement. */
  readonly mostHeld: number;
  /** The call may be announced, if the block allows it. */
  certain(call: TentativeCall): void;
  repaired(name: Repair): void;
  uncoercible(): void;
}

/**
 * One call of a block. Until it is announced it keeps what it would have said; from then on everything goes out as it
 * comes. Announcement is a state of the call and not of the block: a bad sibling can still be dropped after the first
 * call went out (sieve.md G3).
 */
export class TentativeCall implements ArgumentsObserver {
  readonly tool: ResolvedTool;
  readonly arguments: Arguments;
  onWire = false;
  /** It has come to the place where a call is announced, if the block and the level of early emission allow it. */
  mayBeOut = false;
  /** Its own closer was seen. */
  ended = false;
  /** Characters of arguments that wait for the announcement. */
  waiting = 0;

  readonly #host: CallHost;
  #json: string[] = [];

  constructor(tool: ResolvedTool, host: CallHost) {
    this.tool = tool;
    this.#host = host;
    this.arguments = new Arguments(tool.shape, this);
  }

  /** There was more than may be held: it is no call. */
  get overflowed(): boolean {
    return this.waiting > this.#host.mostHeld || this.arguments.overflowed;
  }

  end() {
    this.arguments.end();
    this.ended = true;
    if (this.onWire) this.#host.emit({ type: "call-end" });
  }

  announce() {
    this.onWire = true;
    this.#host.emit({ type: "call-start", name: this.tool.name });
    // One fragment, however many there were: what was held goes out whole (sieve.md E).
    if (this.#json.length > 0) this.#host.emit({ type: "call-arguments", json: this.#json.join("") });
    if (this.ended) this.#host.emit({ type: "call-end" });
    this.#json = [];
    this.waiting = 0;
  }

  write(json: string) {
    if (this.onWire) this.#host.emit({ type: "call-arguments", json });
    else if (this.waiting <= this.#host.mostHeld) {
      this.#json.push(json);
      this.waiting += json.length;
    }
  }

  get mends(): boolean {
    return this.#host.mends;
  }

  certain() {
    this.mayBeOut = true;
    this.#host.certain(this);
  }

  repaired(name: Repair) {
    this.#host.repaired(name);
  }

  uncoercible() {
    this.#host.uncoercible();
  }
}
