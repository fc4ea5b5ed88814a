import type { Emit } from "../reply.ts";
import type { Block } from "./block.ts";
import type { EndedBy } from "./report.ts";

/** Where an engine's results go. */
export interface Outlet {
  text(text: string): void;
  /** Events of calls that are announced. */
  event: Emit;
  /** A block is over and its calls stand; in reasoning they wait elsewhere (sieve.md A4). */
  stands(block: Block): void;
  /** Nothing but text is open any more. */
  settled(): void;
  /** The reply ends here (sieve.md W2, W3, parallel calls). */
  ends(by: EndedBy): void;
}
