import { describe, expect, test } from "vitest";
import { createChoice, type Unmet } from "../../src/choice.ts";
import type { ToolChoice } from "../../src/conversation.ts";
import type { StageEvent } from "../../src/reply.ts";

const call: StageEvent[] = [
  { type: "call-start", name: "other" },
  { type: "call-arguments", json: "{}" },
  { type: "call-end" },
];
const answer: StageEvent[] = [
  { type: "text", text: "No." },
  { type: "reasoning", text: "r" },
];
const ends: StageEvent[] = [
  { type: "usage", usage: { input: 1, output: 1 } },
  { type: "finish", reason: "stop" },
];

describe("what the client's tool_choice makes of a reply", () => {
  test.each<[choice: ToolChoice, reply: "text" | "call", missing: boolean]>([
    [{ mode: "auto" }, "text", false],
    [{ mode: "auto" }, "call", false],
    [{ mode: "auto", only: ["a"] }, "text", false],
    [{ mode: "none" }, "text", false],
    [{ mode: "required" }, "text", true],
    [{ mode: "required" }, "call", false],
    [{ mode: "required", only: ["a"] }, "text", true],
    [{ mode: "required", only: ["a"] }, "call", false],
  ])("%j, %s: a call is missing: %s", (toolChoice, reply, missing) => {
    const events = [...answer, ...(reply === "call" ? call : []), ...ends];
    const { stage, out } = choose(toolChoice, events);
    expect(stage.unmet() === "call-missing").toBe(missing);
    expect(out, "nothing is held back or made up").toEqual(events);
  });

  test("a call that has only begun is one", () => {
    expect(choose({ mode: "required" }, [...call.slice(0, 1), ...ends]).stage.unmet()).toBeUndefined();
  });

  test("where calls are forbidden none goes out, all else does", () => {
    const { out } = choose({ mode: "none" }, [...call, ...answer, ...call, ...ends]);
    expect(out).toEqual([...answer, ...ends]);
  });
});

describe("where only one call is allowed", () => {
  const one = (events: readonly StageEvent[]) => choose({ mode: "auto" }, events, false).out;

  test("the reply ends behind it", () => {
    expect(one([...answer, ...call, ...call, ...answer, ...ends])).toEqual([
      ...answer,
      ...call,
      { type: "finish", reason: "tool" },
    ]);
  });

  test.each<[what: string, events: StageEvent[]]>([
    ["no call", [...answer, ...ends]],
    ["a call that stays open", [...answer, ...call.slice(0, 2), ...ends]],
  ])("it ends by itself with %s", (_what, events) => {
    expect(one(events)).toEqual(events);
  });
});

describe("what of the choice is not kept", () => {
  const unmet = (toolChoice: ToolChoice, events: readonly StageEvent[]) => choose(toolChoice, events).stage.unmet();

  test.each<[choice: ToolChoice, reply: StageEvent[], unmet: Unmet | undefined]>([
    [{ mode: "auto" }, [...call, ...ends], undefined],
    [{ mode: "auto" }, [...answer, ...ends], undefined],
    [{ mode: "required" }, [...call, ...ends], undefined],
    [{ mode: "required" }, [...answer, ...ends], "call-missing"],
    [{ mode: "required" }, [...answer, { type: "error", error: { kind: "upstream-timeout" } }], undefined],
    [{ mode: "required", only: ["other", "a"] }, [...call, ...ends], undefined],
    [{ mode: "required", only: ["a"] }, [...call, ...ends], "other-tool"],
    [{ mode: "auto", only: ["a"] }, [...call, ...ends], "other-tool"],
    [{ mode: "none" }, [...answer, ...ends], undefined],
    [{ mode: "none" }, [...call, ...ends], "call-forbidden"],
  ])("%j, %j: %s", (toolChoice, events, expected) => {
    expect(unmet(toolChoice, events)).toBe(expected);
  });
});

function choose(toolChoice: ToolChoice, events: readonly StageEvent[], parallelToolCalls = true) {
  const out: StageEvent[] = [];
  const stage = createChoice({ toolChoice, parallelToolCalls }, (event) => out.push(event));
  for (const event of events) stage.push(event);
  return { stage, out };
}
