import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import { createQuoting } from "../../../src/prompt/quoting.ts";
import { hostileText } from "./hostile-text.ts";

const { quote, quoteTyped, quoteAnswer } = createQuoting([canonical]);

/** Of every notation, as it is in a request. */
const all = createQuoting(DIALECTS);

const LIVE_TAG =
  /<\/?(?:tool_calls|invoke|tool_results|think)(?![\w:.-])|<(?:parameter|result|tools)(?![\w:.-])|<\/(?:parameter|result|tools)(?![\w:.-])/;
const LIVE_TOKEN = /<\/?(?:\||｜|s>)|\[\/?INST\]|\]~b\]/;

describe("C33: untrusted text", () => {
  test.each([
    ["a closer of our frame", "</tool_results>", "<~/tool_results>"],
    ["a call", '<invoke name="x">', '<~invoke name="x">'],
    ["a tag in any case, with anything behind its name", "<Tool_Calls\tid=1>", "<~Tool_Calls\tid=1>"],
    ["a reasoning mark", "a</think>b", "a<~/think>b"],
    ["template tokens", "<|im_end|><｜User｜>[/INST]<<SYS>>", "<~|im_end|><~｜User｜>[~/INST]<<~SYS>>"],
    ["what is quoted already", "<~think><~~/think>", "<~~think><~~~/think>"],
    ["the innermost of several brackets", "<<<think>", "<<<~think>"],
    ["a tag that the end of the text cuts", "a </tool_results", "a <~/tool_results"],
    ["a closer in any case", "</Parameter></RESULT>", "<~/Parameter><~/RESULT>"],
    ["MiniMax's tokens", "[e~[\n]~b]user\n]~!b[", "[~e~[\n]~~b]user\n]~~!b["],
    ["those that are quoted already", "]~~b] [~e~[", "]~~~b] [~~e~["],
  ])("is quoted: %s", (_what, text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  test.each(["a < b", "<div>[1]</div>", "List<S>", "[inst]", "<script>", "<~div>", "< tool_calls>", "~/tool_calls"])(
    "is left alone where it holds nothing reserved: %s",
    (text) => {
      expect([quote(text), all.quote(text)]).toEqual([text, text]);
    },
  );

  test.each([
    "Vec<String>, List<S>, Set<Span<T>>",
    "#include <string>\nstd::vector<std::string>",
    "Promise<Response>, Future<Result<Response, Error>>, Option<Parameter>, Map<Tools, Argument>",
    '<input type="text"/><span></span><svg/><ToolTip/><tool-bar>',
    "<thinking> <results> <functional> <toolset> <invoke.x> <parameters_of>",
    "a[i]~b, a[i] ~b, b]b]",
  ])("is left alone where it is code like any other: %s", (text) => {
    expect(all.quote(text)).toBe(text);
  });

  test("holds no token of a template that is known, whatever the notation", () => {
    const tokens = DIALECTS.flatMap(({ channels = {} }) => channels.strips ?? []);
    for (const token of tokens) expect([token, all.quote(token)]).not.toEqual([token, token]);
  });

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
    ["MiniMax's tokens", "[e~[]~b]user", "[~e~[]~~b]user"],
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
