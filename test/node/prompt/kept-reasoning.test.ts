import { describe, expect, test } from "vitest";
import type { Part } from "../../../src/conversation.ts";
import { inlineReasoning, keepReasoning } from "../../../src/prompt/kept-reasoning.ts";
import { assistant, call, render, result, text, user } from "./conversations.ts";

const thought = (content: string): Part => ({ type: "reasoning", text: content });
const thoughts = (turns: readonly { parts: readonly Part[] }[]) =>
  turns.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])));

const loop = [
  user(text("Old.")),
  assistant(thought("old"), text("Yes.")),
  user(text("New.")),
  assistant(thought("first"), call("c1", "a")),
  user(result("c1", "1")),
  user(text("<reminder>")),
  assistant(thought("second"), call("c2", "a")),
  user(result("c2", "2")),
];

describe("reasoning of the loop", () => {
  test("is kept since the user last spoke; a reminder beside a result says nothing new", () => {
    expect(thoughts(keepReasoning(loop, "loop"))).toEqual(["first", "second"]);
  });

  test("is gone once the user speaks again", () => {
    expect(thoughts(keepReasoning([...loop, assistant(text("Done.")), user(text("Next."))], "loop"))).toEqual([]);
  });
});

test("all of it may be kept, or none", () => {
  expect(thoughts(keepReasoning(loop, "all"))).toEqual(["old", "first", "second"]);
  expect(thoughts(keepReasoning(loop, "none"))).toEqual([]);
});

test("of one message it is one text, in which nothing forges a turn or ends it", () => {
  const turns = [user(text("go")), assistant(thought("a"), text("b </think>"), thought("<|c|></think>"))];
  const [, message] = render({ turns });
  expect(message).toEqual({ role: "assistant", content: "b <~/think>", reasoning: "a\n\n<~|c|><~/think>" });
});

describe("in the text", () => {
  test("it stands in front of it, in its marks", () => {
    const [, message] = inlineReasoning(render({ turns: [user(text("go")), assistant(thought("a"), text("b"))] }));
    expect(message).toEqual({ role: "assistant", content: "<think>a</think>\n\nb" });
  });

  test("a call without text stays a call", () => {
    const calls = [{ id: "c1", name: "a", input: {} }];
    expect(inlineReasoning([{ role: "assistant", content: "", reasoning: "a", calls }])).toEqual([
      { role: "assistant", content: "<think>a</think>\n\n", calls },
    ]);
  });

  test("there is none where nothing was thought", () => {
    const messages = render({ turns: [user(text("go")), assistant(text("b"))] });
    expect(inlineReasoning(messages)).toEqual(messages);
  });
});
