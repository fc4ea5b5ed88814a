import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kind, SAMPLES } from "../../bench/token-samples.ts";
import { createTokenCounter, estimatePromptTokens, estimateTokens } from "../../src/tokens.ts";
import recorded from "../cases/token-counts.json" with { type: "json" };
import { forEveryChunking } from "../chunking.ts";

function countIn(chunks: readonly string[]): number {
  const count = createTokenCounter();
  for (const chunk of chunks) count.push(chunk);
  return count.total();
}

/** What real tokenizers count, by `npm run bench:tokens -- --record`. */
describe("against real tokenizers", () => {
  const rows = SAMPLES.map((sample) => {
    const record = recorded.find(({ name }) => name === sample.name);
    const counts = Object.values(record?.counts ?? {});
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    return { ...sample, record, error: estimateTokens(sample.text) / mean - 1 };
  });

  /** How far below and above the tokenizers' mean. */
  const BOUNDS: Record<Kind, readonly [least: number, most: number]> = {
    prompt: [0, 0.08],
    prose: [0, 0.08],
    code: [-0.08, 0.08],
    language: [-0.2, 0.2],
    symbols: [-0.1, 0.1],
    bytes: [-0.22, 0.3],
  };

  test.each(rows)("$name", ({ name, kind, text, record, error }) => {
    expect(record?.characters).toBe(text.length);
    expect(Object.keys(record?.counts ?? {})).toEqual(["o200k", "llama3", "qwen3", "deepseek_v3", "gemma3"]);
    const [least, most] = BOUNDS[kind];
    expect(error).toBeGreaterThan(least);
    // Its marks over letters break every word in two; the younger tokenizers have learnt them whole.
    expect(error).toBeLessThan(name === "Vietnamese" ? 0.5 : most);
  });

  test("nothing is recorded that is no sample", () => {
    expect(recorded.map(({ name }) => name)).toEqual(SAMPLES.map(({ name }) => name));
  });
});

describe("where a text is cut changes nothing", () => {
  test.each(SAMPLES)("$name", ({ name, text }) => {
    expect(forEveryChunking(name, text, countIn)).toBe(estimateTokens(text));
  });

  test("for any text in any chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (chunks) => {
        expect(countIn(chunks)).toBe(estimateTokens(chunks.join("")));
      }),
    );
  });
});

test("more text never has fewer tokens, and none has none", () => {
  expect([estimateTokens(""), createTokenCounter().total()]).toEqual([0, 0]);
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "binary" }), (text, more) => {
      expect(estimateTokens(text)).toBeGreaterThan(0);
      expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text));
    }),
  );
});

/** Tokens a character; no order of the characters of a class leads out of these bounds. */
describe("bounds of a class, in texts of 100 characters", () => {
  const letters = (from: string, to: string) =>
    fc
      .integer({ min: from.codePointAt(0) ?? 0, max: to.codePointAt(0) ?? 0 })
      .map((code) => String.fromCodePoint(code));

  test.each<[string, fc.Arbitrary<string>, least: number, most: number]>([
    ["lower-case letters", letters("a", "z"), 0.3, 0.5],
    ["letters of both cases", fc.oneof(letters("a", "z"), letters("A", "Z")), 0.25, 0.85],
    ["digits", letters("0", "9"), 0.3, 1],
    ["base64", fc.oneof(letters("a", "z"), letters("A", "Z"), letters("0", "9")), 0.25, 0.95],
    ["blanks", fc.constantFrom(" ", "\t"), 0.01, 0.05],
    ["white space", fc.constantFrom(" ", "\n"), 0.01, 0.5],
    ["marks", letters("!", "/"), 0.05, 0.5],
    ["Cyrillic", letters("а", "я"), 0.25, 0.5],
    ["Arabic", letters("ا", "ي"), 0.25, 0.5],
    ["Chinese characters", letters("一", "龥"), 0.6, 1],
    ["kana", letters("ぁ", "ヺ"), 0.5, 0.9],
    ["Hangul", letters("가", "힣"), 0.6, 1],
    ["emoji", letters("😀", "😿"), 1, 2.5],
  ])("%s", (_class, character, least, most) => {
    fc.assert(
      fc.property(fc.array(character, { minLength: 100, maxLength: 100 }), (characters) => {
        const tokens = estimateTokens(characters.join("")) / characters.length;
        expect(tokens).toBeGreaterThanOrEqual(least);
        expect(tokens).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe("an image", () => {
  const tokens = (url: string) => estimatePromptTokens([{ content: [{ type: "image", url }] }]) - 4;
  /** The header of a PNG of so many pixels. */
  const png = (width: number, height: number) => {
    const size = [width, height].flatMap((pixels) => [0, 0, pixels >> 8, pixels & 255]);
    const bytes = Buffer.from([...Buffer.from("iVBORw0KGgoAAAANSUhEUg==", "base64"), ...size]);
    return `data:image/png;base64,${bytes.toString("base64")}`;
  };

  test.each([
    ["takes a token for 750 pixels", png(750, 100), 100],
    ["and for what is left of them", png(1, 1), 1],
    ["of a photograph is made smaller", png(4_000, 3_000), 1_600],
    ["whose size is not known is a large one", "https://h/a.png", 1_600],
    ["is never counted as text", `${png(750, 100)}${"A".repeat(100_000)}`, 100],
  ])("%s", (_rule, url, expected) => {
    expect(tokens(url)).toBe(expected);
  });

  test("counts beside the text", () => {
    const content = [{ type: "text", text: "What is it?" } as const, { type: "image", url: png(750, 100) } as const];
    expect(estimatePromptTokens([{ content }])).toBe(estimateTokens("What is it?") + 100 + 4);
  });
});

test("a prompt has its messages' tokens, and a few around each", () => {
  const contents = ["You are helpful.", "What is the weather in Paris?"];
  const texts = contents.reduce((sum, content) => sum + estimateTokens(content), 0);
  expect(estimatePromptTokens(contents.map((content) => ({ content })))).toBe(texts + 2 * 4);
  expect(estimatePromptTokens([])).toBe(0);
});
