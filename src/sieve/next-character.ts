import type { Scan } from "./scan.ts";

/** Looks at the next character, which goes back. */
export class NextCharacter implements Scan {
  readonly held = 0;
  readonly again = 0;
  done = false;
  back = "";

  eat(s: string, at: number): number {
    this.back = s.charAt(at);
    this.done = true;
    return at + 1;
  }

  finish() {
    this.done = true;
  }
}
