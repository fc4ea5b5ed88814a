import { expect } from "vitest";
import type { ArgumentRepair, ArgumentValue } from "../../../../src/sieve/argument-scan/argument-value.ts";
import type { Member } from "../../../../src/sieve/values/sinks.ts";
import type { Claim } from "../../../../src/sieve/values/value.ts";
import { decide, decideAtEnd, holdsLaws, readMark, type Trial } from "../scan-law.ts";

/** What a scan has made of a value. */
export interface ReadArgument {
  ending: ArgumentValue["ending"];
  origin: Claim | undefined;
  text: string;
  /** The sink was told that the value is whole. */
  closed: boolean;
  held: number;
  repairs: ArgumentRepair[];
}

/** Makes the scan of one notation's values. */
export type Notation = (member: Member) => ArgumentValue;

/** A scan with a sink that records. */
export function argumentTrial(notation: Notation): () => Trial<ReadArgument> {
  return () => {
    const read: { origin: Claim | undefined; text: string; closed: boolean } = {
      origin: undefined,
      text: "",
      closed: false,
    };
    const scan = notation({
      begin(origin) {
        read.origin = origin;
        return {
          full: false,
          text(piece) {
            read.text += piece;
          },
          close() {
            read.closed = true;
          },
        };
      },
    });
    return { scan, facts: () => ({ ...read, ending: scan.ending, held: scan.held, repairs: [...scan.repairs] }) };
  };
}

/** Demands what a value gives and what it needs; in `marked` a `|` stands where scanning goes on. */
export function expectArgument(
  notation: Notation,
  marked: string,
  origin: Claim,
  text: string,
  repairs: readonly ArgumentRepair[] = [],
) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, argumentTrial(notation));
  expect(decision.facts).toEqual({ ending: "closed", origin, text, closed: true, held: 0, repairs });
  expect(decision.taken).toBe(taken);
  holdsLaws(input, argumentTrial(notation));
}

/** The same where the reply ends behind it. */
export function expectArgumentAtEnd(notation: Notation, marked: string, origin: Claim, text: string) {
  const { input, taken } = readMark(marked);
  const decision = decideAtEnd(input, argumentTrial(notation));
  expect(decision.facts).toMatchObject({ ending: "closed", origin, text, closed: true });
  expect(decision.taken).toBe(taken);
}

/** Demands that no value stands there, and that what does goes back. */
export function expectStray(notation: Notation, marked: string) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, argumentTrial(notation));
  expect(decision).toMatchObject({
    decided: true,
    taken,
    facts: { ending: "stray", origin: undefined, closed: false },
  });
}

/** Demands that the reply may end there without a whole value. */
export function expectCut(notation: Notation, input: string) {
  const { facts } = decideAtEnd(input, argumentTrial(notation));
  expect(facts).toMatchObject({ ending: "cut", closed: false });
}
