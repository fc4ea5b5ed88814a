import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Part, Turn } from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import { repairHistory } from "../../../src/prompt/history-repair.ts";
import { assistant, call, dialogue, result, text, user, weather } from "./conversations.ts";
import { hostileText } from "./hostile-text.ts";

const options = { tools: [weather], dialects: ["hermes"] } as const;
const repair = (...turns: Turn[]) => repairHistory(turns, options).turns;
/** What becomes of an answer before which nothing was said. */
const repaired = (said: string | Part[], ...behind: Part[]) => {
  const parts = typeof said === "string" ? [text(said)] : said;
  return repair(assistant(...parts), user(...behind, text("Go on.")))[0]?.parts;
};

const asked = { name: "get_weather", input: { city: "Rome" } };
const written = canonical.write.calls([asked]);
const hermes = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';

describe("a call that leaked", () => {
  const leaked = `Let me see.\n\n${written}`;

  test.each<[string, string, Part[], Part[]]>([
    ["with a result is a call", leaked, [result("c9", "sun")], [text("Let me see."), call("c9", ...of(asked))]],
    ["in another notation, too", hermes, [result("c9", "sun")], [text(""), call("c9", ...of(asked))]],
    [
      "with a result that says nothing but its name has an id of its own",
      leaked,
      [result("", "sun", { name: "get_weather" })],
      [text("Let me see."), call("leaked_0_0", ...of(asked))],
    ],
    ["whose result is another tool's was not run", leaked, [result("", "x", { name: "b" })], [text("Let me see.")]],
    ["without a result goes", leaked, [], [text("Let me see.")]],
    ["goes from the midst of a text", `One.\n\n${written}\n\nTwo.`, [], [text("One.\n\n\n\nTwo.")]],
    ["of no declared tool goes like any other", canonical.write.calls([{ name: "x", input: {} }]), [], [text("")]],
    [
      "in a fence is code",
      `So:\n\`\`\`xml\n${written}\n\`\`\``,
      [result("c9", "sun")],
      [text(`So:\n\`\`\`xml\n${written}\n\`\`\``)],
    ],
  ])("%s", (_rule, said, results, parts) => {
    expect(repaired(said, ...results)).toEqual(parts);
  });

  test("that the turn has as a call as well is that call", () => {
    const parts = repaired([text(leaked), call("c1", ...of(asked))], result("c1", "sun"), result("c9", "x"));
    expect(parts).toEqual([text("Let me see."), call("c1", ...of(asked))]);
  });

  test("takes no result that belongs to a call of an earlier turn", () => {
    const turns = [assistant(call("c1", "a")), user(text("wait")), assistant(text(leaked)), user(result("c1", "late"))];
    expect(repair(...turns)[2]?.parts).toEqual([text("Let me see.")]);
  });

  test("may be parted over many pieces of text", () => {
    const pieces = leaked.match(/.{1,7}/gs) ?? [];
    expect(repaired(pieces.map(text), result("c9", "sun"))).toEqual([text("Let me see."), call("c9", ...of(asked))]);
  });

  test("keeps every digit of a number", () => {
    const id = '<tool_call>{"name": "get_weather", "arguments": {"id": 12345678901234567890}}</tool_call>';
    const [, part] = repaired(id, result("c9", "sun")) ?? [];
    expect(JSON.stringify(part)).toContain("12345678901234567890");
  });
});

describe("markup that is no call", () => {
  test.each<[string, string, string]>([
    ["a call that was cut goes with its arguments", `Writing.\n${written.slice(0, -40)}`, "Writing."],
    ["a closer alone", "All done.\n</tool_calls>", "All done."],
    ["tags around words", "Now\n<tool_call>\nthis.\n</tool_call>\nDone.", "Now\nthis.\nDone."],
    ["a stop token in the midst", "Done.<|im_end|>\nMore.", "Done.\nMore."],
    ["a stop token at the end", "Done.<|im_end|>", "Done."],
    ["tags and tokens in a fence stay", "~~~\n<tool_calls>\n<|im_end|>\n~~~", "~~~\n<tool_calls>\n<|im_end|>\n~~~"],
    ["so do those in a code span", "It begins with `<tool_calls>`.", "It begins with `<tool_calls>`."],
    [
      "so do those in the midst of a line",
      "It says <tool_calls> or <|im_end|> there.",
      "It says <tool_calls> or <|im_end|> there.",
    ],
    ["so does an answer that is data", '{"tool_calls": {"get_weather": 3}}', '{"tool_calls": {"get_weather": 3}}'],
    ["so does the XML of others", "<config><item/></config> a < b </s> c", "<config><item/></config> a < b </s> c"],
  ])("%s", (_rule, said, left) => {
    expect(repaired(said)).toEqual([text(left)]);
  });

  test("reasoning that is marked in the text is reasoning", () => {
    expect(repaired("<think>Hm.</think>Yes.")).toEqual([text("Yes."), { type: "reasoning", text: "Hm." }]);
  });

  test("is not left where taking out a call has joined it", () => {
    const nested = `<tool_${"<tool_\n".repeat(20)}call>${"\n</tool_call>".repeat(20)}`;
    expect(repaired(`${written.repeat(20)}${nested}`)).toEqual([text(expect.not.stringContaining("</tool_call>"))]);
  });
});

describe("what is left alone", () => {
  test("the last message, where the model goes on", () => {
    const turns = [user(text("go")), assistant(text(written))];
    expect(repair(...turns)).toEqual(turns);
  });

  test("a history without anything to repair is the very same", () => {
    const turns = [user(text(written)), assistant(text(" Fine. \n")), user(result("c1", written))];
    expect(repairHistory(turns, options)).toEqual({ turns, repaired: 0 });
    expect(repairHistory(turns, options).turns).toBe(turns);
  });
});

describe("laws", () => {
  const markup = fc.oneof(
    hostileText,
    fc.constantFrom(
      written,
      hermes,
      "```\n",
      "`",
      "<tool_call>",
      "\n<|im_end|>",
      "\n\n",
      "</tool_call>",
      "<invoke name=",
    ),
  );
  const said = fc.array(markup, { maxLength: 8 }).map((pieces) => pieces.join(""));

  test("what was repaired is not repaired again", () => {
    fc.assert(
      fc.property(said, fc.boolean(), (answer, ran) => {
        const behind = user(...(ran ? [result("c9", "sun")] : []), text("Go on."));
        const once = repair(assistant(text(answer)), behind);
        expect(repair(...once)).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  test("a message keeps its bytes as the conversation goes on", () => {
    fc.assert(
      fc.property(said, dialogue, (answer, rounds) => {
        const turns = [user(text("go")), assistant(text(`.${answer}`)), ...rounds.flat()];
        const whole = repair(...turns);
        for (let length = 3; length < turns.length; length += 1) {
          const now = repair(...turns.slice(0, length));
          expect(now.slice(0, length - 1)).toEqual(whole.slice(0, length - 1));
        }
      }),
    );
  });

  test("fenced text is untouched", () => {
    fc.assert(
      fc.property(said, (code) => {
        const fence = `~~~~~~xml\n${code.replaceAll("~", "")}\n~~~~~~`;
        const answer = `Look:\n\n${fence}\n\nThat is it. ${written}`;
        expect(JSON.stringify(repaired(answer))).toContain(JSON.stringify(fence).slice(1, -1));
      }),
    );
  });
});

function of({ name, input }: typeof asked): [string, typeof input] {
  return [name, input];
}
