import { afterEach, describe, expect, test } from "vitest";
import { type Config, upstreamsOf } from "../../../src/tenants/config.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { chunk, says } from "../../scripted-upstream/script.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";
import { block, platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(unstubUpstreams);

const wires = WIRES.map((wire) => [wire.name, wire] as const);
const request: WireRequest = {
  turns: [{ user: "The weather?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};

/** What is set of each switch by the tenant, the model and the request, where they set anything. */
const SWITCHES = [
  { name: "mode", member: "mode", header: "x-toolcall-mode", unset: "feature_match", values: ["off", "canonical"] },
  { name: "early_emit", member: "earlyEmit", header: "x-toolcall-early-emit", unset: "high", values: ["low", "off"] },
  { name: "teach", member: "teach", header: "x-toolcall-teach", unset: "auto", values: ["glm45", "hermes"] },
] as const;

/** All combinations, one of each. */
function combine<T extends object>(choices: { [Name in keyof T]: readonly T[Name][] }): T[] {
  return Object.entries<readonly unknown[]>(choices).reduce<object[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as T[];
}

interface Combination {
  tenant: string | undefined;
  model: string | undefined;
  asked: string | undefined;
  tenantAllows: boolean;
  modelAllows: boolean | undefined;
}

/** A gateway whose exchanges are none: what is set for them is what they answer. */
function seeing() {
  stubUpstreams();
  const seen: Config["toolcall"][] = [];
  const exchange = async ({ config }: { config: Config }) => {
    // Each of the upstreams that may be asked.
    for (const { toolcall } of upstreamsOf(config)) seen.push(toolcall);
    return new Response(null, { status: 500 });
  };
  return { ...platform({ ADMIN_TOKEN: "operator" }, { exchange }), seen };
}

describe.each(wires)("tenant < model pattern < request, within what is allowed; %s", (_name, wire) => {
  test.each(SWITCHES)("$name", async ({ name, member, header, unset, values: [low, high] }) => {
    const { store, ask, seen } = seeing();
    const combinations = combine<Combination>({
      tenant: [undefined, low],
      model: [undefined, high],
      asked: [undefined, unset],
      tenantAllows: [true, false],
      modelAllows: [undefined, true, false],
    });
    expect(combinations).toHaveLength(48);
    const others = SWITCHES.map((other) => other.name).filter((other) => other !== name);
    const overrides = (allows: boolean) => (allows ? [name] : others);
    for (const [index, { tenant, model, asked, tenantAllows, modelAllows }] of combinations.entries()) {
      const { key } = await store.tenant(`acme-${index}`, {
        ...server("acme"),
        toolcall: { overrides: overrides(tenantAllows), ...(tenant && { [name]: tenant }) },
        routes: [
          {
            models: ["m*"],
            toolcall: {
              ...(model && { [name]: model }),
              ...(modelAllows !== undefined && { overrides: overrides(modelAllows) }),
            },
          },
        ],
      });
      const { response, text } = await ask(key, { wire, headers: asked ? { [header]: asked } : {} });
      const what = JSON.stringify(combinations[index]);
      if (asked && !(modelAllows ?? tenantAllows)) {
        expect(response.status, what).toBe(400);
        expect(JSON.parse(text), what).toEqual(refusal(wire, response, header, NOT_ALLOWED));
        expect(seen.splice(0), what).toEqual([]);
        continue;
      }
      const [first, ...more] = seen.splice(0);
      expect(more).toEqual([]);
      expect(first?.[member], what).toBe(asked ?? model ?? tenant ?? unset);
      // Nothing else.
      for (const other of SWITCHES) if (other.name !== name) expect(first?.[other.member], what).toBe(other.unset);
    }
  });

  test("all three in one request, in every upstream that may be asked", async () => {
    const { store, ask, seen } = seeing();
    const { key } = await store.tenant("acme", {
      upstreams: { main: { base_url: "https://a.example/v1" }, spare: { base_url: "https://b.example/v1" } },
      fallback: ["spare"],
      toolcall: { overrides: ["mode", "early_emit", "teach"] },
    });
    const headers = { "x-toolcall-mode": "canonical", "x-toolcall-early-emit": "low", "x-toolcall-teach": "canonical" };
    await ask(key, { wire, headers });
    const set = { mode: "canonical", earlyEmit: "low", teach: "canonical" };
    expect(seen).toMatchObject([set, set]);
    await ask(key, { wire });
    expect(seen.slice(2)).toMatchObject([{ mode: "feature_match", earlyEmit: "high", teach: "auto" }, {}]);
  });
});

const NOT_ALLOWED = "cannot be set by a request: this gateway does not allow it.";

/** In the wire's own words. */
function refusal({ protocol }: Wire, response: Response, header: string, why: string) {
  const error = { kind: "invalid-request", message: `The header ${header} ${why}`, param: header } as const;
  return protocol.renderError(error, { requestId: response.headers.get("x-request-id") ?? "" }).body;
}

const takes = (words: string) => (given: string) => `takes ${words}, not ${JSON.stringify(given)}.`;
const MODES = takes("off, canonical, feature_match");

/** Headers in which nothing, or no word that is known, is said. A tenant that allows `mode` alone. */
const GIVEN: readonly (readonly [string, [string, string][], string | undefined])[] = [
  ["empty", [["x-toolcall-mode", ""]], undefined],
  ["empty, where it is not allowed", [["x-toolcall-teach", ""]], undefined],
  ["blank", [["x-toolcall-mode", " \t "]], undefined],
  ["blanks around it", [["x-toolcall-mode", "  off\t"]], undefined],
  ["its name in upper case", [["X-TOOLCALL-MODE", "off"]], undefined],
  ["in upper case", [["x-toolcall-mode", "OFF"]], MODES("OFF")],
  ["unknown", [["x-toolcall-mode", "on"]], MODES("on")],
  ["a list", [["x-toolcall-mode", "off,canonical"]], MODES("off,canonical")],
  [
    "twice",
    [
      ["x-toolcall-mode", "off"],
      ["x-toolcall-mode", "off"],
    ],
    MODES("off, off"),
  ],
  [
    "twice, once empty",
    [
      ["x-toolcall-mode", "off"],
      ["x-toolcall-mode", ""],
    ],
    MODES("off,"),
  ],
  ["a member of every object", [["x-toolcall-mode", "__proto__"]], MODES("__proto__")],
  ["long", [["x-toolcall-mode", "x".repeat(5_000)]], MODES(`${"x".repeat(40)}…`)],
  ["unknown, where it is not allowed", [["x-toolcall-teach", "morse"]], NOT_ALLOWED],
  [
    "allowed, and one that is not",
    [
      ["x-toolcall-mode", "off"],
      ["x-toolcall-early-emit", "low"],
    ],
    NOT_ALLOWED,
  ],
];

/** Every path on which a model's settings matter. */
const ASKED = wires.flatMap(([name, wire]) => [
  [`${name}, whole`, wire, wire.address({ model: "m", stream: false }).path, {}],
  [`${name}, streamed`, wire, wire.address({ model: "m", stream: true }).path, {}],
  [`${name}, looked at`, wire, wire.address({ model: "m", stream: false }).path, { "x-toolcall-debug": "prompt" }],
]) as [string, Wire, string, Record<string, string>][];
const COUNTS: Record<string, string> = {
  responses: "/v1/responses/input_tokens",
  messages: "/v1/messages/count_tokens",
  gemini: "/v1beta/models/m:countTokens",
};
for (const [name, wire] of wires) if (COUNTS[name]) ASKED.push([`${name}, counted`, wire, COUNTS[name], {}]);

describe.each(ASKED)("a switch by a header; %s", (name, wire, path, more) => {
  test.each(GIVEN)("%s", async (_what, given, why) => {
    const log = stubUpstreams().log;
    const env = {
      ADMIN_TOKEN: "operator",
      TOOLCALL_OVERRIDES: "mode",
      UPSTREAM_BASE_URL: "http://upstream.example/v1",
    };
    const { send } = platform(env);
    const { fields } = wire.address({ model: "m", stream: name.includes("streamed") });
    const headers = new Headers({ "x-api-key": "x-toolcall-debug" in more ? "operator" : "own", ...more });
    for (const [header, value] of given) headers.append(header, value);
    const body = JSON.stringify({ ...fields, ...wire.write(request, name.includes("streamed")) });
    const response = await send(path, { method: "POST", headers, body });
    const text = await response.text();
    expect([response.status, text]).toEqual([why === undefined ? 200 : 400, expect.anything()]);
    const refused = given.at(-1)?.[0] ?? "";
    if (why !== undefined) expect(JSON.parse(text)).toEqual(refusal(wire, response, refused, why));
    if (why !== undefined) expect(log).toEqual([]);
  });
});

test("lists of models are no model's: what a client sends with each of its requests does them no harm", async () => {
  stubUpstreams();
  const { send } = platform({ TOOLCALL_OVERRIDES: "none", MODELS: "m" });
  const headers = { "x-api-key": "own", "x-toolcall-teach": "hermes", "x-toolcall-mode": "junk" };
  for (const path of ["/v1/models", "/v1/models/m", "/v1beta/models", "/v1beta/models/m"]) {
    const response = await send(path, { headers });
    expect([path, response.status, response.headers.get("x-toolcall-rollout")]).toEqual([path, 200, null]);
  }
});

/** The beginning of one, on any wire: a cut call is none to a reader. */
const CALL = /"tool_calls":\[|"type":"function_call"|"type":"tool_use"|"functionCall"/;

describe.each(wires)("each switch does what it says in the one request that has it; %s", (_name, wire) => {
  const cut = block.slice(0, block.indexOf("Oslo") + 2);
  const all = { TOOLCALL_OVERRIDES: "mode,early_emit,teach" };
  const hermes = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

  test("mode", async () => {
    const gateway = inProcess(all, says(hermes));
    const callsIn = async (mode: string) => {
      const { calls } = await gateway.ask(wire, request, { headers: { "x-toolcall-mode": mode } });
      return calls.length;
    };
    expect([await callsIn(""), await callsIn("canonical"), await callsIn("off"), await callsIn("")]).toEqual([
      1, 0, 0, 1,
    ]);
  });

  test("early emit", async () => {
    const gateway = inProcess(all, { steps: [{ send: chunk({ content: cut }) + chunk({}, "length") }] });
    const callsAt = async (value: string) => {
      const headers = { "x-toolcall-early-emit": value };
      const { response } = await gateway.ask(wire, request, { headers, stream: true });
      return CALL.test(await response.text());
    };
    const begun = !wire.holdsBack;
    expect([await callsAt("high"), await callsAt("off"), await callsAt("high")]).toEqual([begun, false, begun]);
  });
});
