import { expect, test } from "vitest";
import type { Effort } from "../../../src/conversation.ts";
import { capabilitiesOf, type UpstreamKind } from "../../../src/upstreams/capabilities.ts";
import { buildBody } from "../../../src/upstreams/chat-body.ts";
import { nearestEffort } from "../../../src/upstreams/effort.ts";

test.each<[Effort, Effort[] | undefined, Effort | undefined]>([
  ["max", undefined, "max"],
  ["none", undefined, "none"],
  ["minimal", ["none", "low", "high"], "low"],
  ["max", ["none", "low", "high"], "high"],
  ["medium", ["low", "high"], "low"],
  ["low", ["none", "high"], "high"],
  ["none", ["low", "high"], undefined],
  ["low", ["none"], undefined],
])("%s, where %j are taken, is %s", (effort, taken, nearest) => {
  expect(nearestEffort(effort, taken)).toBe(nearest);
});

/** What of a request to a server of this kind is about thinking. */
function asked(kind: UpstreamKind, effort: Effort, ...lessons: string[]) {
  const request = { model: "m", clientNamed: true, messages: [], sampling: {}, stop: [], effort };
  const { reasoning_effort, thinking, reasoning, chat_template_kwargs } = buildBody(
    request,
    capabilitiesOf(kind),
    new Set(lessons),
  );
  return { reasoning_effort, thinking, reasoning, chat_template_kwargs };
}

test.each<[UpstreamKind, Effort, object]>([
  ["generic", "none", { reasoning_effort: "none" }],
  ["generic", "xhigh", { reasoning_effort: "xhigh" }],
  ["vllm", "none", { reasoning_effort: "none" }],
  ["vllm", "max", { reasoning_effort: "max" }],
  ["sglang", "minimal", { reasoning_effort: "minimal" }],
  ["llamacpp", "none", { chat_template_kwargs: { enable_thinking: false } }],
  ["llamacpp", "high", { reasoning_effort: "high" }],
  ["ollama", "none", { reasoning_effort: "none" }],
  ["ollama", "minimal", { reasoning_effort: "low" }],
  ["ollama", "xhigh", { reasoning_effort: "high" }],
  ["lmstudio", "max", { reasoning_effort: "high" }],
  ["openrouter", "xhigh", { reasoning_effort: "xhigh" }],
  ["deepseek", "none", { thinking: { type: "disabled" } }],
  ["deepseek", "max", { reasoning_effort: "max" }],
  ["mistral", "none", { reasoning_effort: "none" }],
  ["mistral", "medium", { reasoning_effort: "high" }],
  ["together", "none", { reasoning: { enabled: false } }],
  ["together", "xhigh", { reasoning_effort: "high" }],
  ["groq", "minimal", { reasoning_effort: "low" }],
  ["fireworks", "xhigh", { reasoning_effort: "high" }],
])("%s is told of %s in its own words", (kind, effort, fields) => {
  expect(asked(kind, effort)).toEqual(fields);
});

test("a level that was refused is not sent, another one is", () => {
  expect(asked("generic", "none", "reasoning_effort none")).toEqual({});
  expect(asked("generic", "low", "reasoning_effort none")).toEqual({ reasoning_effort: "low" });
  // By the name that it goes upstream with.
  expect(asked("ollama", "minimal", "reasoning_effort low")).toEqual({});
});

test("a field that tells of no thinking is dropped like any other", () => {
  expect(asked("deepseek", "none", "thinking")).toEqual({});
});
