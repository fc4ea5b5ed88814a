import { expect, test } from "vitest";
import { metricsText } from "../../../src/telemetry/metrics-text.ts";
import type { Count, Tally } from "../../../src/tenants/count-keeper.ts";
import { missesPromtool, promtool } from "../ops/promtool.ts";

const count = (series: string, labels: string[], value: number): Count => ({ series, labels, value });
const blocks = (source: string, dialect: string, outcome: string, value: number, rollout = "none") =>
  count("toolcall_blocks_total", [rollout, source, dialect, outcome], value);

const TALLIES: readonly Tally[] = [
  {
    model: "qwen3*",
    wire: "anthropic",
    counts: [
      count("toolcall_replies_total", ["feature_match", "none", "tool"], 3),
      blocks("xml", "qwen3_coder", "call", 6, "in"),
      blocks("xml", "qwen3_coder", "call", 1, "out"),
      blocks("xml", "qwen3_coder", "malformed", 1),
      blocks("json", "hermes", "truncated", 2),
      count("toolcall_repaired_blocks_total", ["in", "xml", "qwen3_coder"], 4),
      count("toolcall_repairs_total", ["in", "xml", "qwen3_coder", "trailing-comma"], 3),
      count("toolcall_repairs_total", ["out", "xml", "qwen3_coder", "trailing-comma"], 1),
      count("toolcall_held_characters_bucket", ["10"], 2),
      count("toolcall_held_characters_bucket", ["+Inf"], 1),
      count("toolcall_held_characters_sum", [], 2_000_013.5),
      count("of_an_older_version_total", ["x"], 9),
    ],
  },
  { model: 'a "b"\\\n', wire: "gemini", counts: [blocks("native", "native", "call", 1)] },
];

const LINES = [
  `toolcall_replies_total{tenant="acme",model="qwen3*",wire="anthropic",mode="feature_match",rollout="none",outcome="tool"} 3`,
  `toolcall_blocks_total{tenant="acme",model="a \\"b\\"\\\\\\n",wire="gemini",rollout="none",source="native",dialect="native",outcome="call"} 1`,
  `toolcall_held_characters_bucket{tenant="acme",model="qwen3*",wire="anthropic",le="0"} 0`,
  `toolcall_held_characters_bucket{tenant="acme",model="qwen3*",wire="anthropic",le="10"} 2`,
  `toolcall_held_characters_bucket{tenant="acme",model="qwen3*",wire="anthropic",le="1000000"} 2`,
  `toolcall_held_characters_bucket{tenant="acme",model="qwen3*",wire="anthropic",le="+Inf"} 3`,
  `toolcall_held_characters_sum{tenant="acme",model="qwen3*",wire="anthropic"} 2000013.5`,
  `toolcall_held_characters_count{tenant="acme",model="qwen3*",wire="anthropic"} 3`,
  `toolcall_parse_source{tenant="acme",model="qwen3*",wire="anthropic",source="xml",dialect="qwen3_coder"} 8`,
  `toolcall_parse_source{tenant="acme",model="qwen3*",wire="anthropic",source="json",dialect="hermes"} 2`,
  `toolcall_parse_success_rate{tenant="acme",model="qwen3*",wire="anthropic",source="xml",dialect="qwen3_coder"} 0.875`,
  `toolcall_parse_success_rate{tenant="acme",model="qwen3*",wire="anthropic",source="json",dialect="hermes"} 0`,
  `toolcall_malformed_rate{tenant="acme",model="qwen3*",wire="anthropic",source="xml",dialect="qwen3_coder"} 0.125`,
  `toolcall_malformed_rate{tenant="acme",model="qwen3*",wire="anthropic",source="json",dialect="hermes"} 0`,
  `toolcall_repair_rate{tenant="acme",model="qwen3*",wire="anthropic",source="xml",dialect="qwen3_coder",repair="any"} 0.5`,
  `toolcall_repair_rate{tenant="acme",model="qwen3*",wire="anthropic",source="xml",dialect="qwen3_coder",repair="trailing-comma"} 0.5`,
  `toolcall_repair_rate{tenant="acme",model="qwen3*",wire="anthropic",source="json",dialect="hermes",repair="any"} 0`,
];

test("each count is a line, with the labels of its series; the four numbers are made of them", () => {
  const lines = metricsText("acme", TALLIES).split("\n");
  for (const line of LINES) expect(lines).toContain(line);
  expect(lines.filter((line) => line.includes("older_version"))).toEqual([]);
});

test("what a series is stands before it once, and only where it has samples", () => {
  const lines = metricsText("acme", TALLIES).split("\n");
  const types = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.replace("# TYPE ", ""));
  expect(types).toEqual([
    "toolcall_replies_total counter",
    "toolcall_blocks_total counter",
    "toolcall_repaired_blocks_total counter",
    "toolcall_repairs_total counter",
    "toolcall_held_characters histogram",
    "toolcall_parse_source gauge",
    "toolcall_parse_success_rate gauge",
    "toolcall_malformed_rate gauge",
    "toolcall_repair_rate gauge",
  ]);
  expect(lines.filter((line) => line.startsWith("# HELP"))).toHaveLength(types.length);
  expect(metricsText("acme", [])).toBe("");
});

test.skipIf(missesPromtool)("Prometheus' own parser takes it and has nothing to say", () => {
  expect(promtool(["check", "metrics"], metricsText("acme", TALLIES))).toEqual({ status: 0, told: "" });
});
