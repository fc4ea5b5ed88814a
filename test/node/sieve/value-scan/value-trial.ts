import { expect } from "vitest";
import { tag } from "../../../../src/sieve/notation.ts";
import { Delimited } from "../../../../src/sieve/value-scan/delimited.ts";
import { compileMarks } from "../../../../src/sieve/value-scan/marks.ts";
import type { Origin } from "../../../../src/sieve/values/value.ts";
import { decide, holdsLaws, readMark, type Trial } from "../scan-law.ts";

/** As the canonical notation has it. */
const CANONICAL = compileMarks({
  opens: [tag("<parameter")],
  closes: [tag("</parameter")],
  callOpens: [tag("<invoke")],
  callCloses: [tag("</invoke")],
  wrapperCloses: [tag("</tool_calls")],
  style: "markup",
});

export interface Rules {
  /** Parameters that are declared and not yet given. */
  missed?: readonly string[];
  callCloses?: boolean;
}

/** What a scan has made of a value. */
export interface ReadValue {
  ending: "closed" | "at-head" | "at-call-close" | "cut" | undefined;
  origin: Origin | undefined;
  text: string;
  /** With the marks of sections that were taken off. */
  written: string;
  /** The sink was told that the value is whole. */
  closed: boolean;
  held: number;
}

/** A value scan from behind the `>` of its opening tag, with a sink that records. */
export function valueTrial({ missed = [], callCloses = false }: Rules = {}, marks = CANONICAL): () => Trial<ReadValue> {
  return () => {
    let origin: Origin | undefined;
    let text = "";
    let written = "";
    let closed = false;
    const sink = {
      full: false,
      text(piece: string, marked = piece) {
        text += piece;
        written += marked;
      },
      close() {
        closed = true;
      },
    };
    const member = {
      begin(how: Origin) {
        origin = how;
        return sink;
      },
    };
    const scan = new Delimited(marks, { missed: (name) => missed.includes(name), callCloses }, member);
    return { scan, facts: () => ({ ending: scan.ending, origin, text, written, closed, held: scan.held }) };
  };
}

/** Demands what a bare value gives; in `marked` a `|` stands where scanning goes on. */
export function expectBare(marked: string, text: string, rules: Rules = {}, ending: ReadValue["ending"] = "closed") {
  expectRead({ marked, origin: "bare", text, rules, ending });
}

/** The same of a CDATA value. */
export function expectCdata(marked: string, text: string) {
  expectRead({ marked, origin: "string", text, rules: {}, ending: "closed" });
}

interface Expected extends Pick<ReadValue, "origin" | "text" | "ending"> {
  marked: string;
  rules: Rules;
}

function expectRead({ marked, rules, origin, text, ending }: Expected) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, valueTrial(rules));
  expect(decision.facts).toMatchObject({ ending, origin, closed: true });
  // Long texts are compared without being printed.
  expect(decision.taken === taken, `goes on behind ${decision.taken.slice(-60)}`).toBe(true);
  expect(decision.facts.text === text, decision.facts.text.slice(0, 200)).toBe(true);
  if (input.length < 200) holdsLaws(input, valueTrial(rules));
}
