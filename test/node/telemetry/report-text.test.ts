import { expect, test } from "vitest";
import type { ReplyReport } from "../../../src/telemetry/reply-report.ts";
import { reportComment, reportText } from "../../../src/telemetry/report-text.ts";

const report: ReplyReport = {
  requestId: "req_1",
  tenant: "acme",
  key: "abcdefgh",
  route: "/v1/messages",
  wire: "anthropic",
  model: "modèle-*",
  streaming: false,
  mode: "feature_match",
  told: "hermes",
  outcome: "tool",
  calls: 1,
  blocks: [
    { source: "json", dialect: "hermes", outcome: "call", count: 1, calls: 1, repairs: { "trailing-comma": 1 } },
  ],
  sawToolCallSyntax: true,
  cut: false,
  callsFromReasoning: 0,
  brokeOff: false,
  uncoercible: 0,
  fencedExamples: 0,
  heldCharacters: 7,
  upstreamRequests: 1,
  passedOver: 0,
  askedAgain: [],
  droppedFields: [],
  docsOverBudget: false,
  historyRepaired: 0,
  resultsCut: 0,
  ms: { whole: 20 },
};

test("it is the log's line without what is not the client's", () => {
  expect(JSON.parse(reportText(report))).toEqual({
    wire: "anthropic",
    mode: "feature_match",
    told: "hermes",
    outcome: "tool",
    calls: 1,
    blocks: [
      { source: "json", dialect: "hermes", outcome: "call", count: 1, calls: 1, repairs: { "trailing-comma": 1 } },
    ],
    saw_tool_call_syntax: true,
    held_characters: 7,
    upstream_requests: 1,
    ms: { whole: 20 },
  });
  expect(reportComment(report)).toBe(`: toolcall-report ${reportText(report)}\n\n`);
});

test("of a long one the lists are left out", () => {
  const long = reportText({ ...report, blocks: Array.from({ length: 200 }, () => report.blocks).flat() });
  expect(long.length).toBeLessThan(500);
  expect(JSON.parse(long)).toMatchObject({ outcome: "tool", calls: 1, lists_left_out: true });
  expect(JSON.parse(long)).not.toHaveProperty("blocks");
});
