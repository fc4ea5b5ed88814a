import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FinishEvent, ReplyEvent, StageEvent, UpstreamEvent } from "../../../src/reply.ts";
import { createReduce } from "../../../src/reply.ts";
import { createSieveStage } from "../../../src/sieve/index.ts";
import { createSpacing } from "../../../src/sieve/spacing.ts";
import { LEVELS, MODES } from "./case-files.ts";
import { CLOSE, finish, HALF, MACHINE_CASES, native, OPEN, reasoning, text, usage } from "./machine-cases.ts";
import { PING } from "./rules/rule-case.ts";
import type { SieveOptions } from "./run.ts";
import { modelText, options as someOptions } from "./soup.ts";

/** Everything that an upstream sends, through the sieve and what stands behind it. */

const tools = [{ name: "a", parameters: { type: "object", properties: { b: { type: "string" } } } }, { name: "ping" }];

for (const [title, rows] of Object.entries(MACHINE_CASES)) {
  describe(title, () => {
    for (const { rule, events, gives, off = gives, options, modes = MODES } of rows) {
      test.each(modes)(`${rule}, %s`, (mode) => {
        for (const earlyEmit of LEVELS) {
          const given = { tools, mode, earlyEmit, ...options };
          expect(run(events, given), `early emission ${earlyEmit}`).toEqual(earlyEmit === "off" ? off : gives);
          expectSameForEverySplit(events, given);
        }
      });
    }
  });
}

describe("what is held at this moment", () => {
  const WRAPPER = "<tool_calls>";
  const held: [what: string, events: UpstreamEvent[], after: number[]][] = [
    ["nothing of text", [text("So"), text(" be it")], [0, 0]],
    ["the beginning of an opener", [text("So <tool"), text("s>")], [5, 0]],
    ["a block", [text(WRAPPER), text(PING.slice(WRAPPER.length))], [WRAPPER.length, 0]],
    ["a block in reasoning", [reasoning(WRAPPER), text("So")], [WRAPPER.length, 0]],
    ["a call parked in reasoning", [reasoning(PING), text("So")], [PING.length, 0]],
    ["reasoning beside an open call", [text(OPEN), reasoning("Hm"), text(CLOSE)], [0, 2, 0]],
  ];
  test.each(held)("%s", (_, events, after) => {
    const sieve = createSieveStage({ tools, mode: "canonical" }, () => {});
    const seen = events.map((event) => {
      sieve.push(event);
      return sieve.held();
    });
    expect(seen).toEqual(after);
    expect(sieve.report().heldMax).toBe(Math.max(...after));
  });
});

describe("what the sieve says of the end", () => {
  const lastOf = (events: UpstreamEvent[]) => {
    const out: StageEvent[] = [];
    const sieve = createSieveStage({ tools, mode: "canonical", earlyEmit: "off" }, (event) => out.push(event));
    for (const event of events) sieve.push(event);
    return { last: out.at(-1), ended: sieve.report().ended };
  };
  const stop: FinishEvent = { type: "finish", reason: "stop", stopSequence: "END" };

  test("the upstream's finish passes as it is", () => {
    expect(lastOf([text(PING), stop])).toEqual({ last: stop, ended: false });
  });

  test("a cut block is marked on it (T5)", () => {
    expect(lastOf([text(OPEN), stop]).last).toEqual({ ...stop, cutBlock: true });
  });

  test("its own finish is `tool`, and it has ended", () => {
    expect(lastOf([text(`${PING}<tool_results>`), stop])).toEqual({ last: finish("tool"), ended: true });
  });
});

test("whatever stands between its pieces, the text may be cut anywhere (P1)", () => {
  const between = fc.constantFrom<UpstreamEvent[]>(
    native,
    [usage],
    [reasoning("r")],
    [reasoning(HALF)],
    [reasoning(PING)],
  );
  const event = fc.oneof(
    { weight: 2, arbitrary: modelText.map((input) => [text(input)]) },
    { weight: 1, arbitrary: between },
  );
  const events = fc.array(event, { minLength: 1, maxLength: 5 }).map((all) => all.flat());
  const law = fc.property(events, someOptions, fc.constantFrom(...LEVELS), (some, chosen, earlyEmit) => {
    const options = { ...chosen, earlyEmit };
    const all = [...some, finish("stop")];
    expect(
      run(
        all.flatMap((event) => inUnits(event)),
        options,
      ),
    ).toEqual(run(all, options));
  });
  fc.assert(law, { numRuns: 300 });
});

/** A line for each part of the reply: fragments joined, as they may be cut in any way. */
function run(events: readonly UpstreamEvent[], options: SieveOptions): string[] {
  const lines: string[] = [];
  let last = "";
  const add = (type: string, start: string, more: string) => {
    if (type === last) lines.push((lines.pop() ?? "") + more);
    else lines.push(start + more);
    last = type;
  };
  const reduce = createReduce({ newId: String }, (event: ReplyEvent) => {
    switch (event.type) {
      case "text":
      case "reasoning":
        return add(event.type, `${event.type} `, event.text);
      case "call-start":
        return add(`call ${event.index}`, `open ${event.name} `, "");
      case "call-arguments":
        return add(`call ${event.index}`, "", event.json);
      case "call-end":
        lines.push((lines.pop() ?? "").replace("open ", ""));
        last = "";
        return;
      case "finish":
        return add("finish", "finish ", event.reason);
      case "error":
        return add("error", "error ", event.error.kind);
      case "usage":
        return add("usage", "usage", "");
      default:
        event satisfies never;
    }
  });
  const sieve = createSieveStage(options, createSpacing(reduce.push).push);
  for (const event of events) sieve.push(event);
  return lines;
}

function expectSameForEverySplit(events: readonly UpstreamEvent[], options: SieveOptions) {
  const whole = JSON.stringify(run(events, options));
  expect(JSON.stringify(run(events.flatMap(inUnits), options)), "one character at a time").toBe(whole);
  events.forEach((event, index) => {
    if (event.type !== "text" && event.type !== "reasoning") return;
    for (let at = 1; at < event.text.length; at++) {
      const halves = [event.text.slice(0, at), event.text.slice(at)].map((text) => ({ ...event, text }));
      const cut = JSON.stringify(run([...events.slice(0, index), ...halves, ...events.slice(index + 1)], options));
      if (cut !== whole) expect(cut, `event ${index} cut at ${at}`).toBe(whole);
    }
  });
}

function inUnits(event: UpstreamEvent): UpstreamEvent[] {
  if (event.type !== "text" && event.type !== "reasoning") return [event];
  return event.text.split("").map((text) => ({ ...event, text }));
}
