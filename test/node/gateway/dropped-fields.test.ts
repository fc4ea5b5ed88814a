import { afterEach, describe, expect, test, vi } from "vitest";
import { answers, says } from "../../scripted-upstream/script.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const refuses = (field: string) =>
  answers(400, {
    error: { message: `Unsupported parameter: '${field}'.`, param: field, code: "unsupported_parameter" },
  });
const request = { turns: [{ user: "Go." }], maxTokens: 50, stop: ["END"] };

describe.each(WIRES)("$name", (wire) => {
  test.each([true, false])("a refused field costs one more request, once; streamed: %s", async (stream) => {
    const gateway = inProcess({}, refuses("max_tokens"), says("Hi."));
    expect((await gateway.ask(wire, request, { stream })).text).toBe("Hi.");
    const [first = {}, second] = gateway.requests;
    const { max_tokens, ...rest } = first as Record<string, unknown>;
    expect([max_tokens, second]).toEqual([50, rest]);
    expect(gateway.log).toMatchObject([{ level: "warn", event: "fields_dropped", fields: ["max_tokens"] }]);

    await gateway.ask(wire, request, { stream });
    expect(gateway.requests[2]).toEqual(rest);
    await gateway.ask(wire, request, { stream, model: "other" });
    expect(gateway.requests[3]).toMatchObject({ max_tokens: 50 });
  });
});

const [chat] = WIRES;
if (!chat) throw new Error("no wire");
const statusOf = async (gateway: ReturnType<typeof inProcess>) =>
  (await gateway.ask(chat, request, { stream: true })).response.status;

test("a second refusal goes to the client, and is learnt from all the same", async () => {
  const gateway = inProcess({}, refuses("max_tokens"), refuses("stop"), says("Hi."));
  expect([await statusOf(gateway), gateway.requests.length]).toEqual([400, 2]);
  expect(await statusOf(gateway)).toBe(200);
  expect(gateway.requests[2]).not.toHaveProperty("max_tokens");
  expect(gateway.requests[2]).not.toHaveProperty("stop");
});

test("there is one retry, whatever for", async () => {
  const busy = answers(503, {}, { "retry-after": "0" });
  const refused = inProcess({}, busy, refuses("max_tokens"));
  expect([await statusOf(refused), refused.requests.length]).toEqual([400, 2]);
  const again = inProcess({}, refuses("stop"), busy);
  expect([await statusOf(again), again.requests.length]).toEqual([503, 2]);
});

test.each([
  ["a core field", refuses("messages"), 400],
  ["a field that was not sent", refuses("top_k"), 400],
  ["another fault", answers(400, { error: { message: "'max_tokens' is too large", param: "max_tokens" } }), 400],
  ["a status of another kind", { ...refuses("stop"), status: 401 }, 502],
])("nothing is asked again for %s", async (_what, script, status) => {
  const gateway = inProcess({}, script);
  expect([await statusOf(gateway), gateway.requests.length]).toEqual([status, 1]);
});
