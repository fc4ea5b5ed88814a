import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "../../../src/sieve/characters.ts";
import type { Hit, Opening } from "../../../src/sieve/notation.ts";
import { type Behind, type Meaning, TextScan } from "../../../src/sieve/text-scan.ts";
import { Triggers } from "../../../src/sieve/triggers.ts";
import { decide, decideAtEnd, holdsLaws } from "./scan-law.ts";
import { soupOf } from "./values/damage.ts";

/** An opener that is never read. */
const opening: Opening = {
  tag: true,
  kind: { dialect: "test", source: "xml", evidence: "complete", meant: false, suspendsReasoning: false },
  *read() {
    yield* [];
    return "misfit";
  },
};

const exact = (spelling: string, meaning: Hit) => ({ spelling, tag: false, meaning });
const head = (spelling: string, meaning: Hit) => ({ spelling, tag: true, meaning });

const triggers = new Triggers<Hit>(
  [
    head("<call", { call: { anywhere: opening, line: opening, start: opening } }),
    head("</call", { closer: opening }),
    exact("<think>", { reasoning: "opens" }),
    exact("</think>", { reasoning: "closes" }),
    exact("<results>", { results: true }),
    exact("```out", { results: true }),
  ],
  [LINE_FEED, CARRIAGE_RETURN, BACKTICK],
);

interface Setting {
  /** What stood before the text; the start of the reply unless given. */
  behind?: "call" | "channel";
  mayCall?: boolean;
  endsBehindCall?: boolean;
}

/** What a text scan has let out, and what it has found. */
interface Passed {
  text: string;
  found: string | undefined;
  does: Meaning["does"] | undefined;
  behind: Behind;
  held: number;
}

function textTrial({ behind, mayCall = true, endsBehindCall = false }: Setting = {}) {
  return () => {
    const pieces: string[] = [];
    const scan = new TextScan(triggers, {
      text: (text) => pieces.push(text),
      visibleBehindCall: () => endsBehindCall,
      mayCall: () => mayCall,
    });
    if (behind) scan.resume(behind);
    const facts = (): Passed => {
      const { held, behind } = scan;
      const found = scan.done ? scan.take() : undefined;
      return { text: pieces.join(""), found: found?.matched, does: found?.meaning.does, behind, held };
    };
    return { scan, facts };
  };
}

/** `text|trigger|rest` */
function marked(text: string) {
  const [before = "", found, rest = ""] = text.split("|");
  return { input: before + (found ?? "") + rest, before, found };
}

describe("a trigger stops the scan where it means something", () => {
  test.each<[rule: string, text: string, does: Meaning["does"] | undefined, setting?: Setting]>([
    ["the head of an opener, with what ends its name", "Hi |<call >| x", "call"],
    ["at the start", "|<call>|x", "call"],
    ["in any case", "Hi |<CALL/>|", "call"],
    ["behind half of one", "Hi <cal|<call>|", "call"],
    ["on a line of its own", "Hi\n\n|<call>|", "call"],
    ["behind a code span", "`x` |<call>|", "call"],
    ["inside an open code span", "`x |<call>|", "call"],
    ["inside a fence", "```\n<call>\n", undefined],
    ["behind a fence", "```\n<call>\n```\n|<call>|", "call"],
    ["inside a fence in mid-line", "so: ```x\n<call>\n", undefined],
    ["on the line of a fence", "```<call>", undefined],
    ["when no further call is allowed", "Hi <call> x", undefined, { mayCall: false }],
    ["reasoning as the first visible thing", " \n|<think>|x", "reasoning"],
    ["reasoning behind text", "Hi <think>x", undefined],
    ["reasoning behind text in a fence's line", "``` <think>", undefined],
    ["reasoning behind a call", "\n|<think>|x", "reasoning", { behind: "call" }],
    ["reasoning behind a channel", "|<think>|x", "reasoning", { behind: "channel" }],
    ["reasoning behind a call and text", "x <think>", undefined, { behind: "call" }],
    ["the end of reasoning as the first visible thing", " |</think>|x", "reasoning"],
    ["the end of reasoning behind text", "Hi </think>", undefined],
    ["results as the first visible thing behind a call", "\n |<results>|", "results", { behind: "call" }],
    ["results at the start", "<results>", undefined],
    ["results behind a call and text", "x <results>", undefined, { behind: "call" }],
    ["results behind a channel", "<results>", undefined, { behind: "channel" }],
    ["results that are written as a fence", "\n|```out|put", "results", { behind: "call" }],
    ["a closer behind a call", "\n|</call>|", "closer", { behind: "call" }],
    ["a closer elsewhere", "</call>", undefined],
  ])("%s", (_rule, text, does, setting) => {
    const { input, before, found } = marked(text);
    if (does === undefined) {
      expect(decideAtEnd(input, textTrial(setting)).facts).toMatchObject({ text: input, found: undefined });
    } else {
      const tag = found?.replace(/([ />])>$/, "$1");
      const decision = decide(input, textTrial(setting));
      expect(decision).toMatchObject({ decided: true, back: "", facts: { does, text: before } });
      expect(decision.taken).toBe(before + decision.facts.found);
      expect(tag?.startsWith(decision.facts.found ?? "?")).toBe(true);
    }
    holdsLaws(input, textTrial(setting));
  });
});

describe("what it is behind", () => {
  test.each<[text: string, setting: Setting, behind: Behind]>([
    ["", {}, "start"],
    [" \n", {}, "start"],
    ["<thi", {}, "start"],
    ["<thx", {}, "visible"],
    ["x", {}, "visible"],
    [" \n", { behind: "call" }, "call"],
    ["\n<resul", { behind: "call" }, "call"],
    ["\n<resulx", { behind: "call" }, "visible"],
    [".", { behind: "call" }, "visible"],
    ["\t", { behind: "channel" }, "channel"],
  ])("%j, %j", (text, setting, behind) => {
    expect(decide(text, textTrial(setting)).facts.behind).toBe(behind);
  });

  test("reasoning behind a call is not visible: the call is still the last", () => {
    const trial = textTrial({ behind: "call" })();
    trial.scan.resume("channel");
    expect(trial.scan.behind).toBe("call");
  });

  test("text that is passed over without a search is visible too", () => {
    const trial = textTrial({ behind: "call" })();
    trial.scan.pass(" \n");
    expect(trial.scan.behind).toBe("call");
    trial.scan.pass(" <call>");
    expect(trial.facts()).toMatchObject({ text: " \n <call>", behind: "visible", found: undefined });
  });

  test("text that is passed over opens fences", () => {
    const trial = textTrial()();
    trial.scan.pass("a <call> ```\n");
    trial.scan.eat("<call>", 0);
    trial.scan.finish();
    expect(trial.facts()).toMatchObject({ text: "a <call> ```\n<call>", found: undefined });
  });
});

test.each(["\nx <call>", "\n<call is> none"])("visible text behind a call can end the reply: %j", (text) => {
  for (const chunks of [[text], text.split("")]) {
    const trial = textTrial({ behind: "call", endsBehindCall: true, mayCall: false })();
    for (const chunk of chunks) trial.scan.eat(chunk, 0);
    trial.scan.finish();
    expect(trial.facts()).toMatchObject({ found: undefined, behind: "visible", text: expect.stringMatching(/^\n?$/) });
  }
});

test("silenced, it finds nothing any more", () => {
  const trial = textTrial()();
  trial.scan.silence();
  trial.scan.eat("x <call> y", 0);
  trial.scan.finish();
  expect(trial.facts()).toMatchObject({ text: "x <call> y", found: undefined });
});

describe("laws", () => {
  const pieces = [
    "x",
    "Hi ",
    " ",
    "\n",
    "\r\n",
    "`",
    "```",
    "<",
    "<call",
    "<call>",
    "</call>",
    "<think>",
    "</think>",
    "<results>",
    "> ",
    "- ",
    "😀",
  ];
  const texts = soupOf(pieces, 12).filter((text) => text.isWellFormed());
  const settings = fc.constantFrom<Setting>({}, { behind: "call" }, { behind: "channel" }, { mayCall: false });

  test("every chunking and every end", () => {
    fc.assert(
      fc.property(texts, settings, (text, setting) => holdsLaws(text, textTrial(setting))),
      { numRuns: 150 },
    );
  });

  test("what is out, what was found and what is held are all that came", () => {
    const law = fc.property(texts, settings, (text, setting) => {
      const { taken, facts } = decide(text, textTrial(setting));
      expect(facts.text + (facts.found ?? "")).toBe(taken.slice(0, taken.length - facts.held));
      if (facts.found === undefined) expect(decideAtEnd(text, textTrial(setting)).facts.text).toBe(text);
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("half a pair that stays alone goes out", () => {
    for (const text of ["\ud83d", "x\ud83dy", "\ude00", "\ud83d\ud83d\ude00"]) {
      const pieces: string[] = [];
      const scan = new TextScan(triggers, {
        text: (piece) => pieces.push(piece),
        visibleBehindCall: () => false,
        mayCall: () => true,
      });
      for (const unit of text.split("")) scan.eat(unit, 0);
      scan.finish();
      expect(pieces.join("")).toBe(text);
    }
  });
});
