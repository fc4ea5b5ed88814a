import { expect, test } from "vitest";
import type { Part } from "../../../src/conversation.ts";
import { dropReasoning, keepLoopReasoning } from "../../../src/prompt/loop-reasoning.ts";
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

test("reasoning is kept since the user last spoke; a reminder beside a result says nothing new", () => {
  expect(thoughts(keepLoopReasoning(loop))).toEqual(["first", "second"]);
});

test("once the user speaks again it is gone", () => {
  expect(thoughts(keepLoopReasoning([...loop, assistant(text("Done.")), user(text("Next."))]))).toEqual([]);
});

test("none is kept for an upstream that reads none", () => {
  expect(thoughts(dropReasoning(loop))).toEqual([]);
});

test("of one message it is one text, in which nothing forges a turn", () => {
  const [, message] = render({ turns: [user(text("go")), assistant(thought("a"), text("b"), thought("<|c|>"))] });
  expect(message).toEqual({ role: "assistant", content: "b", reasoning: "a\n\n<~|c|>" });
});
