import { expect, test } from "vitest";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";

const model = (id: string) => ({ type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" });

test.each([
  [[], { data: [], has_more: false, first_id: null, last_id: null }],
  [["a"], { data: [model("a")], has_more: false, first_id: "a", last_id: "a" }],
  [["a", "b/c:7b"], { data: [model("a"), model("b/c:7b")], has_more: false, first_id: "a", last_id: "b/c:7b" }],
])("the list of %j", (names, list) => {
  expect(anthropic.renderModels(names)).toEqual(list);
});

test("one model", () => {
  expect(anthropic.renderModel("a")).toEqual(model("a"));
});

test("a count of tokens", () => {
  expect(anthropic.tokenCount?.render(12)).toEqual({ input_tokens: 12 });
});
