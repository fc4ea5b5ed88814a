import { describe, expect, test } from "vitest";
import { mayBeString, onlyString } from "../../src/schema.ts";
import { ToolNames } from "../../src/tools.ts";

const names = (...declared: string[]) => new ToolNames(declared.map((name) => ({ name })));

/** The declared name, `undeclared` with what was written, or no name at all. */
function resolve(tools: ToolNames, written: string): string {
  const tool = tools.resolve(written);
  if (!tool) return "no name";
  return tool.declared ? tool.name : `undeclared ${tool.name}`;
}

describe("a declared name (sieve.md N2)", () => {
  test.each<[rule: string, declared: string[], written: string, resolved: string]>([
    ["an exact match", ["read", "write"], "write", "write"],
    ["a unique match without regard to case, spelt as declared", ["ReadFile"], "readfile", "ReadFile"],
    ["beyond ASCII too", ["Über"], "über", "Über"],
    ["an exact match wins over others that differ in case", ["read", "READ"], "READ", "READ"],
    ["between two that differ in case nothing is guessed", ["read", "READ"], "Read", "undeclared Read"],
    ["nor between three", ["read", "READ", "Read"], "rEAD", "undeclared rEAD"],
    ["a near name is another tool", ["read_file"], "read-file", "undeclared read-file"],
    ["a part of a name", ["read_file"], "read", "undeclared read"],
    ["a name with a prefix", ["read"], "functions.read", "undeclared functions.read"],
    ["blanks around it", ["read"], " read", "no name"],
    ["declared with characters that no other name may hold", ["get $x"], "get $x", "get $x"],
    ["and without regard to case", ["get $X"], "GET $x", "get $X"],
    ["a name of an object's prototype", ["__proto__"], "__proto__", "__proto__"],
    ["no tools at all", [], "read", "undeclared read"],
  ])("%s", (_rule, declared, written, resolved) => {
    expect(resolve(names(...declared), written)).toBe(resolved);
  });
});

describe("an undeclared name (N3)", () => {
  test.each(["zz", "a.b", "a-b", "a_b", "a:b", "a/b", "7", "读取文件", "чтение", "cafe\u0301", "हिन्दी", "𝒳", "tool٣"])(
    "%s is one",
    (name) => {
      expect(resolve(names("read"), name)).toBe(`undeclared ${name}`);
    },
  );

  test.each([
    "",
    " ",
    "$TOOL",
    "$(tool)",
    "a b",
    "a\tb",
    "a\u00a0b",
    "a\u200bb",
    "<tool>",
    "{name}",
    "[x]",
    "a,b",
    "a(b)",
    "a|b",
    "a\\b",
    'a"b',
    "…",
    "...!",
    "tool?",
    "🔧",
    "\ud83d",
  ])("%j is none", (name) => {
    expect(resolve(names("read"), name)).toBe("no name");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is an undeclared name like any other",
    (name) => {
      expect(names("read").resolve(name)).toEqual({ name, declared: false, shape: undefined });
    },
  );
});

describe("tools", () => {
  const text = { type: "object", properties: { p: { type: "string" } } };
  const number = { type: "object", properties: { p: { type: "number" } } };

  test("of two with one name the first counts", () => {
    const tools = new ToolNames([
      { name: "a", parameters: text },
      { name: "a", parameters: number },
    ]);
    expect(tools.size).toBe(1);
    expect(onlyString(tools.resolve("a")?.shape?.property("p"))).toBe(true);
    expect(resolve(tools, "A")).toBe("a");
  });

  test("an undeclared tool has no shape, one declared without a schema one that says nothing", () => {
    const tools = names("a");
    expect(tools.resolve("zz")?.shape).toBeUndefined();
    expect(mayBeString(tools.resolve("a")?.shape?.property("p"))).toBe(true);
  });

  test("a schema is read once", () => {
    const tools = new ToolNames([{ name: "a", parameters: text }]);
    expect(tools.resolve("A")?.shape).toBe(tools.resolve("a")?.shape);
  });

  test.each([
    ["ge", undefined, true],
    ["GET_T", undefined, true],
    ["get_time", undefined, true],
    ["get_time.ca", ".call", true],
    ["get_time.ca", undefined, false],
    ["time", undefined, false],
  ])("%s may go on to a name with %s behind it: %s", (written, suffix, may) => {
    expect(names("get_time").mayDeclare(written, suffix)).toBe(may);
  });

  test.each([
    [names(), 0],
    [names("a", "b", "A"), 3],
  ] as const)("they are counted", (tools, size) => {
    expect(tools.size).toBe(size);
  });
});
