import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";

const callOf = (input: JsonObject) => canonical.write.calls([{ name: "x", input }]);
const callWith = (parameters: string) => `<tool_calls>\n<invoke name="x">\n${parameters}\n</invoke>\n</tool_calls>`;

describe("calls", () => {
  test("stand in one block: strings in CDATA, everything else as JSON", () => {
    const calls = [
      { name: "Read", input: { file_path: "/srv/a.ts", limit: 80 } },
      { name: "List", input: {} },
      { name: "Edit", input: { edits: [{ old: "a", new: null }], all: true, note: "" } },
    ];
    expect(canonical.write.calls(calls)).toBe(`<tool_calls>
<invoke name="Read">
<parameter name="file_path"><![CDATA[/srv/a.ts]]></parameter>
<parameter name="limit">80</parameter>
</invoke>
<invoke name="List">
</invoke>
<invoke name="Edit">
<parameter name="edits">[{"old":"a","new":null}]</parameter>
<parameter name="all">true</parameter>
<parameter name="note"><![CDATA[]]></parameter>
</invoke>
</tool_calls>`);
  });

  test.each([
    ["an end of a section", "a]]>b", "<![CDATA[a]]]]><![CDATA[>b]]>"],
    [
      "an end that closes the parameter",
      "]]></parameter>\n</invoke>",
      "<![CDATA[]]]]><![CDATA[></parameter>\n</invoke>]]>",
    ],
    ["brackets at the end", "a]]", "<![CDATA[a]]]]>"],
    ["a section in the section", "<![CDATA[a]]>", "<![CDATA[<![]]><![CDATA[CDATA[a]]]]><![CDATA[>]]>"],
    ["blanks and line breaks at both ends", "\r\n a \n", "<![CDATA[\r\n a \n]]>"],
    ["what looks like JSON", "null", "<![CDATA[null]]>"],
  ])("keep a string that is %s", (_what, text, written) => {
    expect(callOf({ k: text })).toBe(callWith(`<parameter name="k">${written}</parameter>`));
  });

  test("spell a bare value so that it holds no tag and no entity", () => {
    const written = callWith('<parameter name="k">["\\u003c/parameter>","\\u0026lt;"]</parameter>');
    expect(callOf({ k: ["</parameter>", "&lt;"] })).toBe(written);
  });

  test("escape names and keys where the notation would read them otherwise", () => {
    const written = callOf({ 'a"<b>&\r\n\t': 1, " c d ": 2 });
    expect(written).toContain('name="a&quot;&lt;b&gt;&amp;&#13;&#10;&#9;"');
    expect(written).toContain('name="&#32;c d&#32;"');
  });

  test("pass on every own key but the empty one, which the notation cannot hold", () => {
    const input = JSON.parse('{"__proto__":{"a":1},"constructor":"x","":"y"}');
    expect(callOf(input)).toBe(
      callWith(
        '<parameter name="__proto__">{"a":1}</parameter>\n<parameter name="constructor"><![CDATA[x]]></parameter>',
      ),
    );
  });
});

describe("results", () => {
  test("stand in one frame, numbered as their calls", () => {
    const results = canonical.write.results([
      { ordinal: 1, name: "Read", status: "ok", text: "one\ntwo" },
      { ordinal: 2, name: "Grep", status: "error", text: "rg: unrecognized flag" },
      { ordinal: 3, name: "List", status: "missing", text: "" },
      { name: 'odd"', status: "ok", text: "late" },
      { name: "", status: "ok", text: "" },
    ]);
    expect(results).toBe(`<tool_results>
<result n="1" tool="Read">
one
two
</result>
<result n="2" tool="Grep" status="error">
rg: unrecognized flag
</result>
<result n="3" tool="List" status="missing">
</result>
<result n="?" tool="odd&quot;">
late
</result>
<result n="?">
</result>
</tool_results>`);
  });
});

describe("the teaching text", () => {
  const fixed = canonical.teach.before + canonical.teach.after;

  test("is small", () => {
    // Some 240 tokens in o200k, about four characters each: no tokenizer is needed to notice growth.
    expect(fixed.length).toBeLessThanOrEqual(1_150);
  });

  test("shows the one form with names that are none, and not the tag of results", () => {
    expect(fixed).toContain('<invoke name="$TOOL">');
    expect(fixed).not.toContain("tool_results");
  });
});
