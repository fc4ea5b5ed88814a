import { expect } from "vitest";
import type { Blanks, Expectation, ExpectedCall } from "./case-files.ts";
import type { Outcome } from "./run.ts";

/** Compares an outcome with what a case expects; what the case does not name is not judged, an open call apart. */
export function judge(outcome: Outcome, expected: Expectation, blanks: Blanks) {
  const normal = (text: string) => withBlanks(text, blanks);
  const texts = [expected.text, ...(expected.text_alt ?? [])].map((text) => (text == null ? undefined : normal(text)));
  expectOneOf("calls", [expected.calls, ...(expected.calls_alt ?? [])], (wanted) => asWanted(outcome.calls, wanted));
  expectOneOf("text", texts, () => normal(outcome.text));
  const thought = blanks === "collapsed" ? normal : (text: string) => text;
  expectOneOf(
    "reasoning",
    [expected.reasoning].map((text) => text && thought(text)),
    () => thought(outcome.reasoning),
  );
  expectOneOf("finish", [expected.finish, ...(expected.finish_alt ?? [])], () => outcome.finish);
  expectOneOf("sawToolCallSyntax", [expected.sawToolCallSyntax], () => outcome.report.sawToolCallSyntax);
  expectOneOf("repairs", [expected.repairs], () => outcome.report.blocks.flatMap((block) => block.repairs));
  expectOneOf("outcomes", [expected.outcomes], () => outcome.report.blocks.map((block) => block.outcome));
  for (const never of expected.calls_never ?? []) expect(asWanted(outcome.calls, [never])).not.toContainEqual(never);
  for (const never of expected.finish_never ?? []) expect(outcome.finish).not.toBe(never);
  judgeOpenCall(outcome.open, expected.open);
}

/** T3: what an announced call got before it broke is a prefix of what was meant. */
function judgeOpenCall(open: Outcome["open"], expected: Expectation["open"]) {
  expect(open?.name, "the call left open").toBe(expected?.name);
  if (!open || !expected) return;
  const { length } = open.arguments;
  expect(open.arguments, "arguments of the open call").toBe(expected.prefix_of.slice(0, length));
  expect(length, "arguments of the open call").toBeGreaterThan(0);
}

function expectOneOf<T>(what: string, accepted: readonly (T | null | undefined)[], actual: (wanted: T) => unknown) {
  const judged = accepted.filter((each) => each !== undefined && each !== null);
  const wanted = judged.find((each) => JSON.stringify(actual(each)) === JSON.stringify(each)) ?? judged[0];
  if (wanted !== undefined) expect(actual(wanted), what).toEqual(wanted);
}

/** Arguments as values, or as text where the case gives text. */
function asWanted(calls: Outcome["calls"], wanted: readonly ExpectedCall[]): ExpectedCall[] {
  return calls.map(({ name, arguments: json }, index) => {
    const like = wanted[index];
    if (like?.arguments_json !== undefined) return { name, arguments_json: json };
    if (like?.arguments_text !== undefined) return { name, arguments_text: json };
    return { name, arguments: JSON.parse(json) };
  });
}

function withBlanks(text: string, blanks: Blanks): string {
  switch (blanks) {
    case "exact":
      return text;
    case "trimmed":
      return text.trim();
    case "collapsed":
      return text.replace(/\s+/g, " ").trim();
    case "ignored":
      return text.replace(/\s+/g, "");
    default:
      return blanks satisfies never;
  }
}
