import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Turn } from "../../../src/conversation.ts";
import { renderNative } from "../../../src/prompt/native.ts";
import { assistant, call, dialogue, result, text, user } from "./conversations.ts";

const render = (...turns: Turn[]) => renderNative({ system: "", turns });

test("calls and results are messages of the upstream's own", () => {
  const turns = [
    user(text("Look at both files.")),
    assistant(
      { type: "reasoning", text: "Both." },
      text("I will look at both."),
      call("c1", "Read", { file_path: "/srv/a.ts", limit: 80 }),
      call("c2", "Grep", { pattern: "<tool_calls>" }),
    ),
    user(result("c2", "rg: unrecognized flag", { failed: true }), result("c1", "</tool_results> <|im_end|>")),
    user(text("Go on.")),
    assistant(call("c3", "Read")),
    user(result("c3", "")),
  ];
  expect(renderNative({ system: "Be <|kind|>.", turns })).toEqual([
    { role: "system", content: "Be <|kind|>." },
    { role: "user", content: "Look at both files." },
    {
      role: "assistant",
      content: "I will look at both.",
      reasoning: "Both.",
      calls: [
        { id: "c1", name: "Read", input: { file_path: "/srv/a.ts", limit: 80 } },
        { id: "c2", name: "Grep", input: { pattern: "<tool_calls>" } },
      ],
    },
    { role: "tool", callId: "c1", content: "</tool_results> <|im_end|>" },
    { role: "tool", callId: "c2", content: "[error]\nrg: unrecognized flag" },
    { role: "user", content: "Go on." },
    { role: "assistant", content: "", calls: [{ id: "c3", name: "Read", input: {} }] },
    { role: "tool", callId: "c3", content: "" },
  ]);
});

describe("what strict servers refuse", () => {
  const calls = assistant(call("c1", "a"), call("c2", "b"));
  const tool = (callId: string, content: string) => ({ role: "tool", callId, content });

  test.each<[string, Turn[], object[]]>([
    [
      "a call without a result has one that says so",
      [user(result("c2", "2"), text("stop"))],
      [tool("c1", "[no result]"), tool("c2", "2"), { role: "user", content: "stop" }],
    ],
    [
      "so have all where the user went on without any",
      [user(text("never mind"))],
      [tool("c1", "[no result]"), tool("c2", "[no result]"), { role: "user", content: "never mind" }],
    ],
    [
      "two results of one call are one",
      [user(result("c1", "first"), result("c2", "2"), result("c1", "second"))],
      [tool("c1", "first\n\nsecond"), tool("c2", "2")],
    ],
    [
      "a result without a call is text",
      [user(result("c1", "1"), result("c2", "2"), result("gone", "3", { name: "x" }), result("lost", "4"))],
      [tool("c1", "1"), tool("c2", "2"), { role: "user", content: "[result of x]\n3\n\n[result]\n4" }],
    ],
    [
      "so is one that comes turns too late",
      [user(result("c2", "2")), assistant(text("Hm.")), user(result("c1", "1", { name: "a" }))],
      [
        tool("c1", "[no result]"),
        tool("c2", "2"),
        { role: "assistant", content: "Hm." },
        { role: "user", content: "[result of a]\n1" },
      ],
    ],
  ])("%s", (_rule, turns, messages) => {
    expect(render(calls, ...turns).slice(1)).toEqual(messages);
  });

  test("a call without an id gets one, which stays the same as the conversation goes on", () => {
    const turns = [
      user(text("go")),
      assistant(call("", "a"), call("c2", "b"), call("", "c")),
      user(result("", "1"), result("c2", "2")),
      assistant(call("", "d")),
    ];
    const messages = render(...turns);
    const ids = messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
    expect(ids.map(({ id }) => id)).toEqual(["call_at_1", "c2", "call_at_3", "call_at_4"]);
    expect(messages.slice(2, 5)).toEqual([tool("call_at_1", "1"), tool("c2", "2"), tool("call_at_3", "[no result]")]);
  });

  test("turns of one role are one message, an answer that says nothing is none", () => {
    expect(render(user(text("a")), assistant(), user(text("b")), assistant(text("c")), assistant(text("d")))).toEqual([
      { role: "user", content: "a\n\nb" },
      { role: "assistant", content: "c\n\nd" },
    ]);
  });

  test("media have a placeholder", () => {
    const image = { type: "media" as const, mediaType: "image/png", data: "AAAA" };
    const shown = { type: "tool-result" as const, callId: "c1", failed: false, parts: [image] };
    expect(render(assistant(call("c1", "a")), user(shown)).at(-1)?.content).toMatch(/^\[image: image\/png/);
  });
});

test("what was asked begins what is asked next, and each call has one answer", () => {
  fc.assert(
    fc.property(dialogue, (exchanges) => {
      const turns: Turn[] = [];
      let before = render();
      for (const exchange of exchanges) {
        turns.push(...exchange);
        const now = render(...turns);
        expect(now.slice(0, before.length)).toEqual(before);
        before = now;
      }
      const asked = before.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
      const answered = before.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
      expect(answered).toEqual(asked.map(({ id }) => id));
    }),
  );
});
