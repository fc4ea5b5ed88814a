import { expect, test } from "vitest";
import type { BlockReport } from "../../../src/sieve/index.ts";
import { countBlocks } from "../../../src/telemetry/reply-report.ts";

const block = (part: Partial<BlockReport>): BlockReport => ({
  source: "json",
  dialect: "hermes",
  outcome: "call",
  calls: 1,
  dropped: 0,
  repairs: [],
  ...part,
});

test("blocks that are alike are counted together", () => {
  const blocks = [
    block({}),
    block({ calls: 2, dropped: 1, repairs: ["trailing-comma", "missing-brace", "trailing-comma"] }),
    block({ outcome: "malformed", calls: 0, dropped: 1 }),
    block({ source: "canonical", dialect: "canonical", repairs: ["trailing-comma"] }),
  ];
  expect(countBlocks(blocks)).toEqual([
    {
      ...{ source: "json", dialect: "hermes", outcome: "call", count: 2, calls: 3, dropped: 1, repaired: 1 },
      repairs: { "trailing-comma": 1, "missing-brace": 1 },
    },
    {
      source: "json",
      dialect: "hermes",
      outcome: "malformed",
      count: 1,
      calls: 0,
      dropped: 1,
      repaired: 0,
      repairs: {},
    },
    {
      ...{ source: "canonical", dialect: "canonical", outcome: "call", count: 1, calls: 1, dropped: 0, repaired: 1 },
      repairs: { "trailing-comma": 1 },
    },
  ]);
  expect(countBlocks([])).toEqual([]);
});
