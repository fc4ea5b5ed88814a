import { afterEach, describe, expect, test } from "vitest";
import { GET_WEATHER } from "../../chat-tools.ts";
import { clientRequests } from "../../wires/client-requests.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(unstubUpstreams);

type Turns = WireRequest["turns"];
type Side = "in" | "out" | null;

const [chat] = WIRES as [Wire, ...Wire[]];
const wires = WIRES.map((wire) => [wire.name, wire] as const);
const CONVERSATIONS = 1_000;
const KEYS = Array.from({ length: 100 }, (_, index) => `key-${index}`);

/** Its keys are no random ones: nothing here is a matter of luck. */
const variablesOf = (percent: number) => ({
  GATEWAY_API_KEYS: KEYS.join(","),
  UPSTREAM_BASE_URL: "http://upstream.example/v1",
  TOOLCALL_OVERRIDES: "none",
  TOOLCALL_ROLLOUT: String(percent),
  TOOLCALL_ROLLOUT_TEACH: "glm45",
});

/** A gateway that rolls out, asked on any wire. */
async function rolling(percent: number) {
  stubUpstreams();
  const { send } = platform(variablesOf(percent));
  return async (
    turns: Turns,
    { wire = chat, model = "m", stream = false, key = "key-0", ...asked }: Partial<Asked> = {},
  ) => {
    const { path, fields } = wire.address({ model, stream });
    const request: WireRequest = {
      system: "Be brief.",
      turns,
      tools: [GET_WEATHER.function as RequestTool],
      maxTokens: 100,
      ...asked.request,
    };
    const body = JSON.stringify({ ...fields, ...wire.write(request, stream), ...asked.body });
    const response = await send(path, { method: "POST", headers: { "x-api-key": key }, body });
    await response.text();
    const side = response.headers.get("x-toolcall-rollout") as Side;
    // What is told is what is done.
    if (response.ok) expect(response.headers.get("x-toolcall-dialect") === "glm45").toBe(side === "in");
    return { side, status: response.status };
  };
}

interface Asked {
  wire: Wire;
  model: string;
  stream: boolean;
  key: string;
  request: Partial<WireRequest>;
  body: object;
}

const first = (count: number): Turns => [{ user: `Question ${count}` }];
const call = { id: "call_1", name: "get_weather", input: { city: "Oslo" } };
const called: Turns = [{ assistant: "", calls: [call] }, { results: [{ ...call, output: "Rain" }] }];
const answered: Turns = [{ assistant: "Rain." }, { user: "And now?" }];

/** Four standard deviations of a binomial share: further off is one share of 16,000. */
const bound = (count: number, share: number) => 4 * Math.sqrt(count * share * (1 - share));

test("at 10 % one of ten is in of 1,000 conversations of a key", async () => {
  const ask = await rolling(10);
  let within = 0;
  for (let count = 0; count < CONVERSATIONS; count += 1) if ((await ask(first(count))).side === "in") within += 1;
  // 100 ± 38.
  expect(Math.abs(within - 100)).toBeLessThan(bound(CONVERSATIONS, 0.1));
});

test("of the same words of a hundred keys, too; who is in at 10 % is in at 20 %", async () => {
  const inAt = async (percent: number) => {
    const ask = await rolling(percent);
    const keys: string[] = [];
    for (const key of KEYS) if ((await ask(first(0), { key })).side === "in") keys.push(key);
    return keys;
  };
  const [ten, twenty] = [await inAt(10), await inAt(20)];
  expect(Math.abs(ten.length - 10)).toBeLessThan(bound(KEYS.length, 0.1));
  expect(Math.abs(twenty.length - 20)).toBeLessThan(bound(KEYS.length, 0.2));
  expect(twenty).toEqual(expect.arrayContaining(ten));
  expect([await inAt(0), await inAt(100)]).toEqual([[], KEYS]);
});

describe("a conversation stays on its side", () => {
  /** What may become of a conversation that has begun with a question. */
  const LATER: [string, (begun: Turns) => Turns, Partial<Asked>?][] = [
    ["asked again", (begun) => begun],
    ["with results", (begun) => [...begun, ...called]],
    ["with results and a question", (begun) => [...begun, ...called, ...answered]],
    ["with an edited answer", (begun) => [...begun, { assistant: "Snow." }, { user: "And now?" }]],
    ["streamed", (begun) => begun, { stream: true }],
    ["with other sampling", (begun) => begun, { request: { maxTokens: 5, stop: ["x"] } }],
    ["with other tools", (begun) => begun, { request: { tools: [{ name: "get_time", parameters: {} }] } }],
    ["with another model", (begun) => begun, { model: "other" }],
    ["on another day", (begun) => begun, { request: { system: "Be brief. Today is the 2nd of May." } }],
    ["a system text fewer", (begun) => begun, { request: { system: "" } }],
    ["greeted", (begun) => [{ assistant: "Hello, how can I help you?" }, ...begun]],
  ];

  test.each(wires)("%s", async (_name, wire) => {
    const ask = await rolling(50);
    const sides = new Set<Side>();
    for (let count = 0; count < 16; count += 1) {
      const begun = first(count);
      const { side } = await ask(begun);
      sides.add(side);
      for (const [what, later, asked] of LATER) {
        expect([what, count, await ask(later(begun), { wire, ...asked })]).toEqual([
          what,
          count,
          { side, status: 200 },
        ]);
      }
    }
    expect(sides).toEqual(new Set(["in", "out"]));
  });
});

describe("real clients' conversations stay on their side", () => {
  test.each(clientRequests<object>().sessions.map(({ name, sent }) => [name, sent] as const))(
    "%s",
    async (_name, sent) => {
      stubUpstreams();
      const { send } = platform(variablesOf(50));
      // Some ask for a title first, which is a conversation of its own.
      const sides = sent.slice(-3).map(async ({ path, body }) => {
        const asked = KEYS.slice(0, 12).map(async (key) => {
          const headers = { "x-api-key": key };
          const response = await send(path, { method: "POST", headers, body: JSON.stringify(body) });
          return response.headers.get("x-toolcall-rollout");
        });
        return Promise.all(asked);
      });
      const [begun, ...later] = await Promise.all(sides);
      expect(new Set(begun)).toEqual(new Set(["in", "out"]));
      expect(later).toEqual([begun, begun]);
    },
  );
});

/** What agents say before the user's own words, and behind them, is the same in all of a day's conversations. */
const SAME = `The directory is /work. ${"An instruction. ".repeat(2_000)}`;
const BEGINNINGS: [string, (count: number) => Turns, boolean][] = [
  ["in one message", (count) => [{ user: `${SAME}Question ${count}` }], true],
  ["in a message before", (count) => [{ user: SAME }, ...first(count)], true],
  ["in a message behind", (count) => [...first(count), { user: SAME }], true],
  // Nobody can tell an example from a turn.
  [
    "as a turn that has been answered",
    (count) => [{ user: SAME }, { assistant: "Understood." }, ...first(count)],
    false,
  ],
  ["and nothing else", () => [{ user: SAME }], false],
];

describe.each(wires)("whose conversations all begin alike; %s", (_name, wire) => {
  test.each(BEGINNINGS)("%s", async (_what, begin, parted) => {
    const ask = await rolling(50);
    const sides = new Set<Side>();
    for (let count = 0; count < 24; count += 1) {
      const { side } = await ask(begin(count), { wire });
      expect(await ask([...begin(count), ...answered], { wire })).toMatchObject({ side });
      sides.add(side);
    }
    expect(sides.size).toBe(parted ? 2 : 1);
  });
});

test("no beginning is an error: without words all of a key's are on one side", async () => {
  const ask = await rolling(50);
  const image = (name: string) => ({
    messages: [
      { role: "user", content: [{ type: "image_url", image_url: { url: `https://pictures.example/${name}` } }] },
    ],
  });
  const sides = new Set<Side>();
  for (const body of [
    { messages: [{ role: "system", content: "Say something." }] },
    { messages: [{ role: "system", content: "Say more." }] },
    { messages: [{ role: "assistant", content: "Hello." }] },
  ]) {
    sides.add((await ask([], { body })).side);
  }
  expect(sides.size).toBe(1);
  const pictures = await Promise.all(["a", "b", "c"].map(async (name) => (await ask([], { body: image(name) })).side));
  expect(new Set(pictures).size).toBe(1);
});

test.each(wires)("C14: what a client writes makes no side and no label of its own; %s", async (_name, wire) => {
  const { log } = stubUpstreams();
  const { store, ask } = platform();
  const { key } = await store.tenant("acme", {
    ...server("acme"),
    toolcall: { rollout: { percent: 100, teach: "glm45" } },
  });
  const canary = 'canary"}\\n{"rollout":"canary';
  const { response } = await ask(key, { wire, headers: { "x-toolcall-rollout": canary, rollout: canary } });
  expect(response.headers.get("x-toolcall-rollout")).toBe("in");
  const refused = await ask(key, { wire, headers: { "x-toolcall-teach": canary } });
  expect([refused.response.status, refused.response.headers.get("x-toolcall-rollout")]).toEqual([400, null]);
  expect(log.join("\n")).not.toContain("canary");
  expect(log.map((line) => JSON.parse(line).rollout)).toEqual(["in"]);
});
