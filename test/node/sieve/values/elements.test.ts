import { describe, expect, test } from "vitest";
import { readElements } from "../../../../src/sieve/values/elements.ts";
import type { Element } from "../../../../src/sieve/values/value.ts";

/** Each element as `[name, its elements]`, or `[name, text, origin]` where it has none. */
const outline = (elements: readonly Element[] | undefined): unknown =>
  elements?.map(({ name, value }) =>
    value.elements ? [name, outline(value.elements)] : [name, value.text, value.origin],
  );

describe("elements", () => {
  test.each<[rule: string, source: string, read: unknown]>([
    [
      "side by side",
      "<a>1</a><b>2</b>",
      [
        ["a", "1", "bare"],
        ["b", "2", "bare"],
      ],
    ],
    [
      "blanks between them",
      "\n  <a>1</a>\r\n\t<a>2</a> \n",
      [
        ["a", "1", "bare"],
        ["a", "2", "bare"],
      ],
    ],
    [
      "nested",
      "<a> <b>1</b> <c><d>2</d></c> </a>",
      [
        [
          "a",
          [
            ["b", "1", "bare"],
            ["c", [["d", "2", "bare"]]],
          ],
        ],
      ],
    ],
    ["of the same name", "<a><a>1</a></a>", [["a", [["a", "1", "bare"]]]]],
    [
      "empty",
      "<a></a><b/><c />",
      [
        ["a", "", "bare"],
        ["b", "", "bare"],
        ["c", "", "bare"],
      ],
    ],
    ["blanks in tags", "<a >1</a\n>", [["a", "1", "bare"]]],
    ["names of any script", "<größe_1.x-y:z>1</größe_1.x-y:z>", [["größe_1.x-y:z", "1", "bare"]]],
    ["names of the prototype", "<__proto__>1</__proto__>", [["__proto__", "1", "bare"]]],
    ["a section is verbatim", "<a><![CDATA[ <b>&amp;</a> ]]></a>", [["a", " <b>&amp;</a> ", "string"]]],
    ["blanks around a section", "<a>\n<![CDATA[x]]>\n</a>", [["a", "x", "string"]]],
    ["sections join", "<a><![CDATA[x]]]]><![CDATA[>y]]></a>", [["a", "x]]>y", "string"]]],
    ["an empty section", "<a><![CDATA[]]></a>", [["a", "", "string"]]],
    ["a section in text is unwrapped", "<a>x <![CDATA[<b>]]> &amp;</a>", [["a", "x <b> &amp;", "bare"]]],
    ["entities", "<a>x &lt;b&gt; &#65;&#x42; &amp;amp;</a>", [["a", "x <b> AB &amp;", "bare"]]],
    ["a bad entity: none is decoded", "<a>&lt; & &gt;</a>", [["a", "&lt; & &gt;", "bare"]]],
    ["an unknown one, too", "<a>&lt;&nbsp;&#0;</a>", [["a", "&lt;&nbsp;&#0;", "bare"]]],
    ["a raw < in text, too", "<a>1 < 2 &amp;& 3 <= 4</a>", [["a", "1 < 2 &amp;& 3 <= 4", "bare"]]],
    ["text beside elements is all text", "<a>see <b>this</b> &amp;</a>", [["a", "see <b>this</b> &amp;", "bare"]]],
    ["a tag with attributes is text", '<a><b x="1"></a>', [["a", '<b x="1">', "bare"]]],
    [
      "a line break at both ends",
      "<a>\n  x\n</a><b>\r\ny\r\n\r\n</b>",
      [
        ["a", "  x", "bare"],
        ["b", "y\r\n", "bare"],
      ],
    ],
    [
      "a line break at one end",
      "<a>x\n</a><b>\nx</b>",
      [
        ["a", "x\n", "bare"],
        ["b", "x", "bare"],
      ],
    ],
  ])("%s", (_rule, source, read) => {
    expect(outline(readElements(source))).toEqual(read);
  });

  test.each<[rule: string, source: string]>([
    ["nothing", ""],
    ["blanks", " \n"],
    ["prose", "see <b>this</b>"],
    ["prose behind", "<b>this</b> is it"],
    ["a section", "<![CDATA[x]]>"],
    ["a section between", "<a>1</a><![CDATA[x]]>"],
    ["a tag that is not closed", "<a>1<br></a>"],
    ["the end of the text in an element", "<a>1"],
    ["a closer too many", "<a>1</a></a>"],
    ["another closer", "<a>1</b>"],
    ["another case", "<a>1</A>"],
    ["attributes", '<a x="1">1</a>'],
    ["no name", "<>1</>"],
    ["a closer that is empty", "<a>1</a/>"],
    ["a name that is a number", "<1>1</1>"],
    ["a section that does not end", "<a><![CDATA[x</a>"],
    ["a comment", "<a>1</a><!-- x -->"],
    ["a declaration", "<?xml version='1.0'?><a>1</a>"],
  ])("%s: none", (_rule, source) => {
    expect(readElements(source)).toBeUndefined();
  });

  test("deep nesting: none", () => {
    const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);
    expect(readElements(nested(64))).toBeDefined();
    expect(readElements(nested(65))).toBeUndefined();
  });
});
