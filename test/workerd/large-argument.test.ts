import { expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { WRITE_FILE } from "../chat-tools.ts";
import { fill, HOSTILE } from "../hostile-text.ts";
import { says } from "../scripted-upstream/script.ts";
import { client, scriptedModel } from "./gateway.ts";

const SIZE = 100_000;
const DELTA = 64;

const balanced = `<tool_calls><invoke name="x"><parameter name="y"><![CDATA[z]]></parameter></invoke></tool_calls>`;

/** What may stand in a CDATA value as it is: any end of a section there belongs to a section that began in it. */
const tame = ["plain ]]> end", balanced, "😀 天气\r\n", "</parameter></invoke>", `\`\`\`xml\n${balanced}\n\`\`\`\n`];

const byHand = (content: string) =>
  `<tool_calls>\n  <invoke name='write_file'>\n    <parameter name="path">a.md</parameter>\n    ` +
  `<parameter name="content"><![CDATA[${content}]]></parameter>\n  </invoke>\n</tool_calls>\n`;

test.each([
  {
    written: "by our own writer",
    content: fill(HOSTILE, SIZE),
    write: (content: string) => canonical.write.calls([{ name: "write_file", input: { path: "a.md", content } }]),
  },
  { written: "by hand", content: fill(tame, SIZE), write: byHand },
])(
  "an argument of 100 KB, written $written, comes through byte for byte and in many deltas",
  async ({ content, write }) => {
    const model = await scriptedModel(says(`Writing.\n${write(content)}`, { size: DELTA }));
    const stream = client().chat.completions.stream({
      model: model.name,
      messages: [{ role: "user", content: "Write it." }],
      tools: [WRITE_FILE],
    });
    let deltas = 0;
    stream.on("tool_calls.function.arguments.delta", () => {
      deltas += 1;
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "Writing." } });
    const [call, ...more] = choices[0]?.message.tool_calls ?? [];
    expect(more).toEqual([]);
    const given = JSON.parse(call?.type === "function" ? call.function.arguments : "");
    expect(given.content === content, "the content is the same").toBe(true);
    expect(given).toEqual({ path: "a.md", content });
    // Some deltas hold nothing but a marker that is still undecided.
    expect(deltas).toBeGreaterThan(SIZE / DELTA / 2);
  },
);
