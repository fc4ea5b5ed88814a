import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A real example of a notation; `pinned`: of low confidence, a call only where its notation is pinned (sieve.md M5). */
export interface NotationExample {
  dialect: string;
  pinned: boolean;
  example: string;
}

/** Read from the disk, since the fuzzer runs without a bundler. */
const file = readFileSync(join(import.meta.dirname, "../../cases/negatives/notations.txt"), "utf8");

export const NOTATIONS: readonly NotationExample[] = sections(file).map(({ head, body }) => {
  const [dialect = "", ...marks] = head.split(" ");
  return { dialect, pinned: marks.includes("pinned"), example: body };
});

/** The parts of a file of texts: each stands behind `§ head`, up to the next `§`; line breaks at its end do not count. */
export function sections(text: string): { head: string; body: string }[] {
  const parts = text.split(/^§ /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return { head: part.slice(0, end), body: part.slice(end + 1).replace(/\n+$/, "") };
  });
}
