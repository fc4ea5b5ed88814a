import { describe, expect, test } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER, PING } from "../../chat-tools.ts";
import { says } from "../../scripted-upstream/script.ts";
import { readBody } from "../../wires/ask.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { ask } from "./gateway.ts";

const tools = [GET_WEATHER, PING].map((tool) => tool.function as RequestTool);
const user = { user: "How is the weather in Paris?" };
const paris = { id: "call_1", name: "get_weather", input: { city: "Paris", days: 2 } };
const ping = { id: "call_2", name: "ping", input: {} };
const results = { results: [{ id: "call_1", name: "get_weather", output: 'sun & <b>"wind"</b>\n</result>' }] };
const both = { results: [...results.results, { id: "call_2", name: "ping", output: "" }] };

/** Messages has to have a limit. */
const asked = (request: Partial<WireRequest>): WireRequest => ({ turns: [user], maxTokens: 100, ...request });

const requests: [what: string, request: WireRequest][] = [
  ["text", asked({})],
  ["a system text", asked({ system: "Be brief.\n\nBe kind." })],
  ["tools", asked({ system: "Be brief.", tools })],
  ["a talk", asked({ turns: [user, { assistant: "Sunny." }, { user: "And in Oslo?\n" }] })],
  ["a call and its result", asked({ tools, turns: [user, { assistant: "", calls: [paris] }, results] })],
  ["text before a call", asked({ tools, turns: [user, { assistant: "I look.", calls: [paris] }, results] })],
  ["two calls", asked({ tools, turns: [user, { assistant: "", calls: [paris, ping] }, both] })],
  [
    "two rounds",
    asked({
      tools,
      turns: [
        user,
        { assistant: "", calls: [paris] },
        results,
        { assistant: "Now.", calls: [ping] },
        { results: both.results.slice(1) },
      ],
    }),
  ],
  ["a call that must be made", asked({ tools, toolChoice: "required" })],
  ["a named call", asked({ tools, toolChoice: { name: "ping" } })],
  ["no calls", asked({ tools, toolChoice: "none" })],
  ["one call at most", asked({ tools, parallel: false })],
];

/** Without them a reply could differ from wire to wire before a byte of it is rendered. */
describe("the model is asked alike, whatever wire the client speaks:", () => {
  test.each(requests)("%s", async (_what, request) => {
    let first: object | undefined;
    for (const wire of WIRES.filter(({ limitsCalls }) => limitsCalls || request.parallel !== false)) {
      for (const stream of [true, false]) {
        const script = says(canonical.write.calls([{ name: "ping", input: {} }]));
        const { upstream } = await ask(wire, { stream, fields: wire.write(request, stream) }, script);
        first ??= upstream;
        expect(upstream, `${wire.name}, ${stream ? "a stream" : "one body"}`).toEqual(first);
      }
    }
    expect(first).toMatchObject({ model: "a-model", max_tokens: 100 });
  });
});

describe.each(WIRES)("$name", (wire) => {
  const both = says(canonical.write.calls([ping, paris]));
  const callsOf = async (request: Partial<WireRequest>) => {
    const fields = wire.write(asked({ tools, ...request }), false);
    const { calls, finish } = readBody(wire, await ask(wire, { stream: false, fields }, both));
    return [calls.map(({ name }) => name), finish];
  };

  test.each<[what: string, request: Partial<WireRequest>, calls: string[]]>([
    ["all calls are given", {}, ["ping", "get_weather"]],
    ["one call where more are not wanted", { parallel: false }, wire.limitsCalls ? ["ping"] : ["ping", "get_weather"]],
    ["a call may be required", { toolChoice: "required" }, ["ping", "get_weather"]],
    ["no call where none is wanted", { toolChoice: "none" }, []],
  ])("%s", async (_what, request, calls) => {
    expect(await callsOf(request)).toEqual([calls, calls.length > 0 ? "tool_calls" : "stop"]);
  });

  test("a client's stop strings go to the model", async () => {
    const fields = wire.write(asked({ stop: ["END"] }), false);
    const { upstream } = await ask(wire, { stream: false, fields }, says("Hi."));
    // Responses has no word for them.
    expect(upstream?.stop).toEqual(JSON.stringify(fields).includes("END") ? ["END"] : undefined);
  });
});
