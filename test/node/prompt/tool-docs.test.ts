import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TOOL_LISTS } from "../../../bench/prompt-tools.ts";
import type { Tool } from "../../../src/conversation.ts";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { createQuoting } from "../../../src/prompt/quoting.ts";
import { describeTools, type ToolDocs, type ToolDocsSettings } from "../../../src/prompt/tool-docs.ts";
import { parseToolCalls } from "../../../src/sieve/index.ts";
import { estimateTokens } from "../../../src/tokens.ts";
import { tools as someTools, weather } from "./conversations.ts";

const quoting = createQuoting(DIALECTS);
const describeAll = (tools: readonly Tool[], settings: ToolDocsSettings) => describeTools(tools, settings, quoting);
const long = TOOL_LISTS["20 tools, long"] ?? [];
const whole = estimateTokens(describeAll(long, { form: "signatures" }).list);

const settings: fc.Arbitrary<ToolDocsSettings> = fc.record({
  form: fc.constantFrom("signatures", "schema"),
  budget: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
});

const grep: Tool = {
  name: "Grep",
  description:
    "Search file contents. Uses ripgrep.\n\nUsage:\n- Never use grep.\n- Prefer a narrow path. It is quicker.",
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "Regular expression" },
      limit: { type: "integer", default: 50, minimum: 1, description: "Most results. The rest is left out." },
    },
    required: ["pattern"],
  },
};

describe("from the most to the least", () => {
  const list = (budget?: number, form: ToolDocsSettings["form"] = "signatures") =>
    describeAll([grep], { form, budget });

  test("JSON Schema, a line a tool", () => {
    const { level, heading, list: lines } = describeAll([grep, { name: "now", parameters: {} }], { form: "schema" });
    expect([level, heading]).toEqual(["schema", expect.stringContaining("JSON Schema")]);
    expect(lines).toBe(
      `${JSON.stringify({ name: "Grep", description: grep.description, parameters: grep.parameters })}\n` +
        '{"name":"now","description":"","parameters":{}}',
    );
  });

  test("signatures, where a schema is too long", () => {
    expect(list(undefined, "schema").level).toBe("schema");
    expect(list(80, "schema")).toEqual(list());
    expect(list().heading).toContain("as signatures");
  });

  test("descriptions cut at the ends of their sentences, the longest first", () => {
    expect(list(60)).toMatchObject({
      level: "shortened",
      list: `// Search file contents. Uses ripgrep.
//
// Usage:
// - Never use grep.
Grep(
  pattern: string // Regular expression
  limit?: int = 50 // >=1; Most results. The rest is left out.
)`,
    });
    expect(list(40).list).toBe(`// Search file contents.
Grep(
  pattern: string // Regular expression
  limit?: int = 50 // >=1; Most results.
)`);
  });

  test("a line each; too long or not, it is there", () => {
    const brief = { level: "brief", list: "Grep(pattern: string, limit?: int = 50) // Search file contents." };
    expect(list(25)).toMatchObject({ ...brief, fits: true });
    expect(list(1)).toMatchObject({ ...brief, fits: false });
  });
});

describe("whatever the list", () => {
  test("each tool is in it, and it is within the budget or says that it is not", () => {
    fc.assert(
      fc.property(someTools, settings, (tools, asked) => {
        const { list, fits } = describeAll(tools, asked);
        for (const { name } of tools) expect(list).toContain(name);
        expect(fits).toBe(estimateTokens(list) <= (asked.budget ?? Number.POSITIVE_INFINITY));
      }),
    );
  });

  test("the same list has the same bytes, known or not", () => {
    fc.assert(
      fc.property(someTools, settings, (tools, asked) => {
        const again = describeTools(structuredClone(tools), { ...asked }, { ...quoting });
        expect(again).toEqual(describeAll(tools, asked));
      }),
    );
  });

  test("nothing in it is live: what has to be quoted is", () => {
    fc.assert(
      fc.property(someTools, settings, (tools, asked) => {
        const { list } = describeAll(tools, asked);
        // Each mark has its `~` by now, so quoting once more changes no mark that has none.
        for (const { bracket, rest, anyCase, whole } of quoting.marks) {
          const pieces = (anyCase ? list.toLowerCase() : list).split(bracket + rest).slice(1);
          expect(pieces.filter((behind) => !whole || !/^[\w:.-]/.test(behind))).toEqual([]);
        }
      }),
    );
  });

  test("a line of it is JSON with the client's own texts, quoted", () => {
    fc.assert(
      fc.property(someTools, (tools) => {
        const lines = describeAll(tools, { form: "schema" }).list.split("\n");
        expect(lines.map((line) => JSON.parse(line).description)).toEqual(
          tools.map(({ description = "" }) => quoting.quote(description)),
        );
      }),
    );
  });
});

test("more budget never tells less", () => {
  let before: ToolDocs | undefined;
  for (let budget = 100; budget <= whole + 20; budget += 20) {
    const now = describeAll(long, { form: "signatures", budget });
    if (before) expect(now.list.length).toBeGreaterThanOrEqual(before.list.length);
    // What is left over is less than the next sentences would take.
    if (now.level === "shortened") expect(budget - estimateTokens(now.list)).toBeLessThan(150);
    before = now;
  }
  expect(before?.level).toBe("signatures");
});

test.each(["signatures", "schema"] as const)("a model that repeats %s calls nothing", (form) => {
  // A signature without parameters is a call in Python to the letter.
  const tools = form === "schema" ? [...long, { name: "now", parameters: {} }] : long;
  for (const budget of form === "schema" ? [undefined] : [undefined, 1_000, 1]) {
    const { heading, list } = describeAll(tools, { form, budget });
    for (const text of [list, `${heading}\n\n${list}`, ...list.split("\n")]) {
      for (const pins of [[], DIALECTS.map(({ id }) => id)]) {
        expect([text, parseToolCalls(text, { tools, dialects: pins })]).toEqual([text, []]);
      }
    }
  }
});

test("descriptions may be far longer than the budget", () => {
  const description = "A sentence of some words. ".repeat(20_000);
  const tools = Array.from({ length: 8 }, (_, index) => ({ ...weather, name: `tool${index}`, description }));
  expect(describeAll(tools, { form: "signatures", budget: 2_000 })).toMatchObject({ level: "shortened", fits: true });
});
