import { describe, expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { says } from "../scripted-upstream/script.ts";
import { captureLog, scriptedModel } from "../workerd/gateway.ts";
import { CLIENTS } from "./clients.ts";
import { type Answer, GATEWAY } from "./question.ts";
import { TOOLS } from "./tools.ts";

captureLog();

const script = says(`Look: ${canonical.write.calls([{ name: "get_weather", input: { city: "Paris" } }])}`, {
  usage: [12, 34],
});

const ways = CLIENTS.flatMap((client) =>
  client.ways.map((way) => ({
    client: client.name,
    way: way.name,
    ask: way.ask,
    wire: client.wire,
    streams: way.streams,
  })),
);

describe("an answer that tells its report is read as one that does not", () => {
  test.each(ways)("$client, $way", async ({ ask, wire, streams }) => {
    const model = await scriptedModel(script);
    const question = { model: model.name, prompt: "Go on.", tools: TOOLS };
    const reports: boolean[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("x-toolcall-report", "on");
      const response = await GATEWAY.fetch(url, { ...init, headers });
      const text = await response.text();
      reports.push(/\n\n: toolcall-report \{.*\}\n\n$/.test(text), response.headers.has("x-toolcall-report"));
      return new Response(text, response);
    };
    const told = await ask(question, { ...GATEWAY, fetch });
    expect(reports).toEqual([streams && wire !== "gemini", !streams]);
    expect(comparable(told)).toEqual(comparable(await ask(question)));
  });
});

/** Without ids, which are never the same twice. */
function comparable({ calls, ...rest }: Answer) {
  return { ...rest, calls: calls.map(({ name, input }) => ({ name, input })) };
}
