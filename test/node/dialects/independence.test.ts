import { describe, expect, test, vi } from "vitest";
import { DIALECTS } from "../../../src/dialects/all.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { type Case, dialects } from "../sieve/case-files.ts";

const sources = import.meta.glob<string>("../../../{src,bin}/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** One of each kind: JSON in tags, a name with JSON behind it, pairs of keys and values. */
const REMOVED = ["hermes", "kimi_k2", "glm45"];

const isOf = ({ id, aliases = [] }: Dialect, { dialect }: Case) => dialect === id || aliases.includes(dialect ?? "");

describe.each(REMOVED)("without the file of %s", (id) => {
  const removed = DIALECTS.find((dialect) => dialect.id === id);

  test("nothing but the list of dialects names it", () => {
    const file = `${id}.ts`;
    const importers = Object.entries(sources).filter(([, source]) => source.includes(`/${file}"`));
    expect(removed).toBeDefined();
    expect(importers.map(([path]) => path.replace(/.*\/(?=src\/)/, ""))).toEqual(["src/dialects/all.ts"]);
  });

  test("all cases but its own give what they gave", async () => {
    const { parseToolCallsDetailed: withAll } = await import("../../../src/sieve/index.ts");
    const others = dialects().filter((given) => removed && !isOf(removed, given));
    const expected = others.map((given) => withAll(given.input, given.options));
    vi.resetModules();
    const left = DIALECTS.filter((dialect) => dialect !== removed);
    vi.doMock("../../../src/dialects/all.ts", () => ({
      DIALECTS: left,
      findDialect: (name: string) => left.find(({ id, aliases = [] }) => id === name || aliases.includes(name)),
    }));
    const { parseToolCallsDetailed: withoutOne } = await import("../../../src/sieve/index.ts");
    for (const [at, given] of others.entries()) {
      const { blocks: _all, ...result } = withoutOne(given.input, given.options);
      const { blocks: _one, ...wanted } = expected[at] ?? {};
      expect(result, given.id).toEqual(wanted);
    }
    vi.doUnmock("../../../src/dialects/all.ts");
    vi.resetModules();
  });
});
