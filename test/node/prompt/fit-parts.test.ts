import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capResults, inlineDocuments, shorten } from "../../../src/prompt/fit-parts.ts";
import { render, result, text, user } from "./conversations.ts";

const media = (mediaType: string, bytes: string | Uint8Array, name?: string) => ({
  type: "media" as const,
  mediaType,
  data: Buffer.from(bytes).toString("base64"),
  ...(name !== undefined && { name }),
});

describe("a text that is too long", () => {
  test("keeps its head and its tail", () => {
    expect(shorten(`head${"x".repeat(48_210)}tail`, 8)).toBe("head\n[… 48,210 characters left out …]\ntail");
  });

  test("is never cut within a character, and says how much is gone", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (long, limit) => {
          const short = shorten(long, limit);
          if (long.length <= limit) {
            expect(short).toBe(long);
            return;
          }
          const [, head = "", count = "", tail = ""] =
            /^(.*)\n\[… ([\d,]+) characters left out …\]\n(.*)$/s.exec(short) ?? [];
          expect([long.startsWith(head), long.endsWith(tail)]).toEqual([true, true]);
          expect(head.length + Number(count) + tail.length).toBe(long.length);
          expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  test("is a result, and nothing that somebody typed", () => {
    const { turns, cut } = capResults([user(result("c1", "0123456789"), text("0123456789"), result("c2", "0123"))], 4);
    const short = result("c1", "01\n[… 6 characters left out …]\n89");
    expect(turns[0]?.parts).toEqual([short, text("0123456789"), result("c2", "0123")]);
    expect(cut).toBe(1);
  });
});

describe("documents", () => {
  test("that are text stand in their place, those of a result too", () => {
    const document = media("text/plain", "Größe", "a.txt");
    const turn = user({ type: "tool-result", callId: "c1", failed: false, parts: [document] }, text("See:"), document);
    expect(inlineDocuments([turn], 100)[0]?.parts).toEqual([
      result("c1", "[file: text/plain, a.txt]\nGröße\n\n".trimEnd()),
      text("See:"),
      text("\n\n[file: text/plain, a.txt]\nGröße"),
    ]);
  });

  test("stand between paragraphs, one blank line from whatever is beside them", () => {
    const [first, second] = [media("text/plain", "a"), media("text/plain", "b")];
    const parts = [first, second, media("image/png", "x"), first, text("c"), second, text("d")];
    const [message] = render({ turns: inlineDocuments([user(...parts)], 100) });
    expect(message?.content).toBe(
      [
        "[file: text/plain]\na",
        "[file: text/plain]\nb",
        "[image: image/png, 1 kB, not shown]",
        "[file: text/plain]\na",
        "c",
        "[file: text/plain]\nb",
        "d",
      ].join("\n\n"),
    );
  });

  test("are as long as a result at most", () => {
    const [turn] = inlineDocuments([user(media("application/json", "0123456789"))], 4);
    expect(turn?.parts).toEqual([text("[file: application/json]\n01\n[… 6 characters left out …]\n89")]);
  });

  test.each([
    ["of another kind", media("application/pdf", "text")],
    ["that only say that they are text", media("text/plain", Uint8Array.of(0xff, 0xfe))],
    ["with a NUL in them", media("text/plain", "a\0b")],
    ["that are not at hand", { type: "media" as const, mediaType: "text/plain", url: "https://a.example/b.txt" }],
    ["in no base64", { type: "media" as const, mediaType: "text/plain", data: "???" }],
  ])("%s keep their placeholder", (_what, part) => {
    expect(inlineDocuments([user(part)], 100)[0]?.parts).toEqual([part]);
  });
});
