import { describe, expect, test } from "vitest";
import { chunksOf } from "../../../chunking.ts";
import { argumentTrial, type Notation } from "./argument-trial.ts";

const SIZE = 250_000;

/** Demands that of a value which is one piece over and over no character is looked at again more than once. */
export function expectLinear(notation: Notation, pieces: readonly string[]) {
  describe.each(["'", "[", "['", "x"])("a value that begins with %j and is long", (begins) => {
    test.each(pieces)("%j", (piece) => {
      const text = begins + piece.repeat(SIZE / piece.length);
      for (const chunks of [[text], chunksOf(text, 7)]) {
        const { scan } = argumentTrial(notation)();
        let looked = 0;
        for (const chunk of chunks) if (!scan.done) looked += scan.eat(chunk, 0);
        expect(scan.again).toBeLessThanOrEqual(looked);
      }
    });
  });
}
