import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "../../../src/sieve/characters.ts";
import type { Hit, Opening } from "../../../src/sieve/notation.ts";
import { type Behind, type Meaning, TextScan } from "../../../src/sieve/text-scan.ts";
import { Triggers } from "../../../src/sieve/triggers.ts";
import { forEveryChunking } from "../../chunking.ts";
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
    exact("<say>", { visible: true }),
    exact("<stop>", { strip: true }),
    exact("word:", { call: { anywhere: undefined, line: opening, start: opening } }),
    exact("[", { call: { anywhere: undefined, line: undefined, start: opening } }),
    exact("[think]", { reasoning: "opens" }),
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
    ["what may stand at a line's start, at the reply's", "|word:|x", "call"],
    ["at a line's start", "Hi\n  |word:|x", "call"],
    ["at a line's start behind many blanks", "Hi\n\t     |word:|x", "call"],
    ["behind a block", " |word:|x", "call", { behind: "call" }],
    ["elsewhere it means nothing", "Hi word:", undefined],
    ["nor behind half of another one", "<cal word:", undefined],
    ["what may stand at the reply's start", " \n|[|x", "call"],
    ["behind a channel that came first", " |[|x", "call", { behind: "channel" }],
    ["not behind a block", "[x", undefined, { behind: "call" }],
    ["not behind text", "Hi\n[x", undefined],
    ["a longer spelling that begins like it", "|[think]|x", "reasoning"],
    ["a mark of what is said as the first visible thing", " |<say>|x", "visible"],
    ["behind a channel", "|<say>|x", "visible", { behind: "channel" }],
    ["behind text", "Hi <say>", undefined],
    ["a stop token, wherever it stands", "Hi |<stop>|x", "strip"],
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

test.each(["[thx", "[t x", "[[think]"])("a shorter spelling is found when the longer one breaks off: %j", (text) => {
  for (const chunks of [[text], text.split("")]) {
    const { scan } = textTrial()();
    let eaten = 0;
    for (const chunk of chunks) if (!scan.done) eaten += scan.eat(chunk, 0);
    const found = scan.take();
    expect(found).toMatchObject({ meaning: { does: "call" }, matched: "[" });
    expect(`[${found?.back}`).toBe(text.slice(0, eaten));
  }
});

describe("stop tokens (W4)", () => {
  /** Lets the scan strip what it finds, as the engine does. */
  const strip = (text: string, { behind, said = false }: Setting & { said?: boolean } = {}) =>
    forEveryChunking(text, text, (chunks) => {
      const trial = textTrial(behind ? { behind } : {})();
      if (said) trial.scan.beginVisible();
      for (const chunk of chunks) {
        for (let at = 0; at < chunk.length; ) {
          at = trial.scan.eat(chunk, at);
          if (trial.scan.done) trial.scan.strip(trial.scan.take()?.matched ?? "");
        }
      }
      trial.scan.finish();
      return trial.facts().text;
    });

  test.each<[rule: string, text: string, left: string, setting?: Setting & { said?: boolean }]>([
    ["at the very end", "Hi<stop>", "Hi"],
    ["with blanks behind it", "Hi <stop> \n", "Hi "],
    ["several of them", "Hi<stop> <stop>\n<stop>", "Hi"],
    ["text behind it shows that it was none", "Hi <stop> x", "Hi <stop> x"],
    ["the beginning of a trigger behind it, too", "Hi <stop><cal", "Hi <stop><cal"],
    ["alone", "<stop>", ""],
    ["right behind a block", "<stop>\n<stop> x", "\n x", { behind: "call" }],
    ["behind a block and text", "x <stop> y", "x <stop> y", { behind: "call" }],
    ["wherever a channel was marked", "a<stop>b <stop>c", "ab c", { said: true }],
  ])("%s", (_rule, text, left, setting) => {
    expect(strip(text, setting)).toBe(left);
  });

  test("no more of them is held than a cap allows; beyond it they are text", () => {
    for (const token of ["<stop>", "<stop> \n"]) {
      const left = strip(`Hi${token.repeat(64)}`);
      expect(left.startsWith(`Hi${token.repeat(16)}`)).toBe(true);
    }
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
    "<say>",
    "<stop>",
    "word:",
    "[",
    "[think]",
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
