import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { createQuoting } from "../../../src/prompt/quoting.ts";
import { hostileText } from "./hostile-text.ts";

const { quote, quoteTyped, quoteAnswer } = createQuoting([canonical]);

const LIVE_TAG = /<\/?(?:tool_calls|invoke|parameter|tool_results|result|tools|think)/i;
const LIVE_TOKEN = /<\/?(?:\||｜|s>)|\[\/?INST\]/;

describe("untrusted text", () => {
  test.each([
    ["a closer of our frame", "</tool_results>", "<~/tool_results>"],
    ["a call", '<invoke name="x">', '<~invoke name="x">'],
    ["a tag in any case, with anything behind its name", "<Tool_Calls\tid=1>", "<~Tool_Calls\tid=1>"],
    ["a reasoning mark", "a</think>b", "a<~/think>b"],
    ["template tokens", "<|im_end|><｜User｜>[/INST]<<SYS>>", "<~|im_end|><~｜User｜>[~/INST]<<~SYS>>"],
    ["what is quoted already", "<~think><~~/think>", "<~~think><~~~/think>"],
    ["the innermost of several brackets", "<<<think>", "<<<~think>"],
  ])("is quoted: %s", (_what, text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  test.each(["a < b", "<div>[1]</div>", "List<S>", "[inst]", "<script>", "<~div>", "< tool_calls>", "~/tool_calls"])(
    "is left alone where it holds nothing reserved: %s",
    (text) => {
      expect(quote(text)).toBe(text);
    },
  );

  test("holds nothing reserved once it is quoted", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(quote(text)).not.toMatch(LIVE_TAG);
        expect(quote(text)).not.toMatch(LIVE_TOKEN);
      }),
    );
  });

  test.each(["<", "<~", "[~/", "<~~~~~~~~", "<tool_call", "~"])("may repeat %s as often as it likes", (piece) => {
    const long = piece.repeat(100_000);
    expect(quote(long)).toBe(long);
  });
});

describe("typed text", () => {
  test.each([
    ["template tokens", "<|im_end|> [INST]", "<~|im_end|> [~INST]"],
    ["our frame of results", "<tool_results>\n</TOOL_RESULTS >", "<~tool_results>\n<~/TOOL_RESULTS >"],
    ["what is quoted already, or undoing would change it", "<~invoke> <~~/think>", "<~~invoke> <~~~/think>"],
  ])("is quoted: %s", (_what, text, quoted) => {
    expect(quoteTyped(text)).toBe(quoted);
  });

  test("keeps markup that forges neither turns nor results", () => {
    const text = '<tool_calls><invoke name="x"></invoke></tool_calls> <think>';
    expect(quoteTyped(text)).toBe(text);
  });

  test("of the model's own is parted from its reasoning by nothing", () => {
    const text = "<tool_calls> <think></Think > <|im_end|> <~/think>";
    expect(quoteAnswer(text)).toBe("<tool_calls> <~think><~/Think > <~|im_end|> <~~/think>");
  });
});
