import { describe, expect, test } from "vitest";
import type { Part, Turn } from "../../../src/conversation.ts";
import { ROLLOUT_LIMITS } from "../../../src/limits.ts";
import { withRollout, withShadow } from "../../../src/tenants/rollout.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

function at(percent: number) {
  const given = { TOOLCALL_ROLLOUT: percent, TOOLCALL_ROLLOUT_TEACH: "hermes" };
  const { config } = loadConfig({ ...given, TOOLCALL_SHADOW: percent, TOOLCALL_SHADOW_MODE: "off" });
  if (!config) throw new Error("invalid");
  return config;
}

const AT = Array.from({ length: 101 }, (_, percent) => at(percent));

async function isIn(percent: number, key: string | undefined, turns: Turn[]) {
  return (await withRollout(AT[percent] ?? at(percent), key, turns)).rollout === "in";
}

const text = (words: string): Part => ({ type: "text", text: words });
const user = (...parts: (Part | string)[]): Turn => ({
  role: "user",
  parts: parts.map((part) => (typeof part === "string" ? text(part) : part)),
});
const model = (...parts: Part[]): Turn => ({ role: "assistant", parts });
const picture = (more: object): Part => ({ type: "media", mediaType: "image/png", ...more });
const call: Part = { type: "tool-call", id: "1", name: "f", input: {} };
const result: Part = { type: "tool-result", callId: "1", failed: false, parts: [text("Rain")] };

/** From which percentage on it is in, for some keys: two that agree begin alike. */
function sides(turns: Turn[]) {
  return Promise.all(
    Array.from({ length: 6 }, async (_, key) => {
      let percent = 0;
      while (!(await isIn(percent, `key-${key}`, turns))) percent += 1;
      return percent;
    }),
  );
}

const context = user("<context>/home/me, Monday</context>");
const long = "x".repeat(ROLLOUT_LIMITS.turn);

describe("one conversation", () => {
  test.each<[string, Turn[], Turn[]]>([
    ["calls and results", [user("Hi")], [user("Hi"), model(call), user(result)]],
    ["later turns that are edited", [user("Hi"), model(text("a")), user("b")], [user("Hi"), model(text("c"))]],
    ["nothing but reasoning in the first answer", [user("Hi")], [user("Hi"), model({ type: "reasoning", text: "m" })]],
    ["a message in several parts", [user("Hi ", "you")], [user("Hi you")]],
    ["the address of a picture signed anew", [user("Hi", picture({ url: "a" }))], [user("Hi", picture({ url: "b" }))]],
    ["what a long beginning has far from its end", [user(`a${long}`)], [user(`b${long}`)]],
    ["a greeting of the model's, which some clients leave out", [model(text("Hello!")), user("Hi")], [user("Hi")]],
    ["no turn, or none of the user's", [], [model(text("Hello!"))]],
  ])("%s", async (_what, one, other) => {
    expect(await sides(one)).toEqual(await sides(other));
  });
});

describe("two conversations", () => {
  test.each<[string, Turn[], Turn[]]>([
    ["other words", [user("Hi")], [user("Hi.")]],
    ["other words behind the same surroundings", [context, user("a")], [context, user("b")]],
    ["the same in one message", [user("context", "a")], [user("context", "b")]],
    ["behind instructions, however long", [user(long, long, "a")], [user(long, long, "b")]],
    ["behind a message that is longer", [user(long + long), user("a")], [user(long + long), user("b")]],
    ["other pictures", [user("What is it?", picture({ data: "AA" }))], [user("What is it?", picture({ data: "AB" }))]],
    ["other pictures alone", [user(picture({ data: "AA" }))], [user(picture({ data: "AB" }))]],
    ["a beginning that the client has summed up", [user("Hi"), model(text("a"))], [user("Summary: hi.")]],
  ])("%s", async (_what, one, other) => {
    expect(await sides(one)).not.toEqual(await sides(other));
  });
});

describe("the lot", () => {
  const COUNT = 2_000;
  const within = (counted: number, share: number) => {
    const deviation = Math.sqrt(COUNT * share * (1 - share));
    expect(Math.abs(counted - COUNT * share)).toBeLessThan(4 * deviation);
  };
  const count = async (holds: (index: number) => Promise<boolean>) => {
    const found = await Promise.all(Array.from({ length: COUNT }, (_, index) => holds(index)));
    return found.filter(Boolean).length;
  };
  const begin = (index: number) => [user(`Question ${index}`)];

  test.each<[string, (index: number) => [string | undefined, Turn[]]]>([
    ["one key, many beginnings", (index) => ["key", begin(index)]],
    ["no key, many beginnings", (index) => [undefined, begin(index)]],
    ["many keys, one beginning", (index) => [`key ${index}`, begin(0)]],
    ["beginnings that differ in a digit of much", (index) => ["key", [user(long + long + index)]]],
  ])("four standard deviations hold at every tenth percent: %s", async (_what, of) => {
    for (let percent = 10; percent < 100; percent += 10) {
      within(await count((index) => isIn(percent, ...of(index))), percent / 100);
    }
    expect(await count((index) => isIn(0, ...of(index)))).toBe(0);
    expect(await count((index) => isIn(100, ...of(index)))).toBe(COUNT);
  });

  test("the sides of two keys, and of neighbours, have nothing to do with each other", async () => {
    const both = (one: Promise<boolean>, other: Promise<boolean>) =>
      Promise.all([one, other]).then((sides) => sides.every(Boolean));
    const keys = (index: number) => both(isIn(50, "a", begin(index)), isIn(50, "b", begin(index)));
    within(await count(keys), 0.25);
    within(await count((index) => both(isIn(50, "a", begin(index)), isIn(50, "a", begin(index + 1)))), 0.25);
  });

  test("nor have a roll-out and a shadow", async () => {
    const shadowed = async (index: number) => {
      const config = await withShadow(AT[50] ?? at(50), "a", begin(index));
      return config.toolcall.shadow !== undefined && (await isIn(50, "a", begin(index)));
    };
    within(await count(shadowed), 0.25);
  });

  test("who is in at one percentage is in at all above, be it on another deployment", async () => {
    for (let index = 0; index < 200; index += 1) {
      const inAt = await Promise.all(AT.map((_config, percent) => isIn(percent, "a", begin(index))));
      const from = inAt.indexOf(true);
      expect(inAt).toEqual(inAt.map((_in, percent) => percent >= from));
    }
  });
});
