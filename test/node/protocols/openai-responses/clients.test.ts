import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";

/** What real clients send for a task of three turns; prompt text is replaced by its length. */
const files = import.meta.glob<{ path: string; body: ResponsesBody }[]>("../../../cases/client-requests/*.json", {
  import: "default",
  eager: true,
});

interface ResponsesBody {
  model: string;
  instructions?: string;
  input: { type?: string; call_id: string; name: string }[];
  tools?: { type: string; name: string; tools?: { name: string }[] }[];
  stream?: boolean;
}

const sessions = Object.entries(files)
  .map(([path, sent]) => ({
    name: path.split("/").at(-1) ?? "",
    bodies: sent.filter((request) => request.path === "/v1/responses").map(({ body }) => body),
  }))
  .filter(({ bodies }) => bodies.length > 0);
const requests = sessions.flatMap(({ name, bodies }) =>
  bodies.map((body, index) => ({ name: `${name} request ${index + 1}`, body })),
);

/** Tool types that only the vendor's own servers can run. */
const HOSTED = ["web_search", "tool_search"];

/** The AI SDK sends its earlier text as references to what it takes to be stored, Codex declares hosted tools. */
function expectedWarnings({ input, tools = [] }: ResponsesBody): unknown[] {
  const dropped = [...HOSTED].reverse().filter((type) => tools.some((tool) => tool.type === type));
  if (input.some(({ type }) => type === "item_reference")) dropped.push("item_reference");
  return dropped.map((type) => expect.stringContaining(`'${type}'`));
}

test("there are requests to read", () => {
  expect(requests.length).toBeGreaterThan(25);
});

describe("requests of real clients are read whole, with a warning for what nobody can serve alone", () => {
  test.each(requests)("$name", ({ body }) => {
    const { conversation, warnings } = openAiResponses.readRequest(body);
    const parts = conversation.turns.flatMap((turn) => turn.parts);
    const items = (...types: string[]) => body.input.filter(({ type = "" }) => types.includes(type));
    expect(warnings).toEqual(expectedWarnings(body));
    expect(conversation.model).toBe(body.model);
    expect(conversation.stream).toBe(body.stream ?? false);
    expect(conversation.system).not.toBe("");
    expect(conversation.tools.map((tool) => tool.name)).toEqual(
      (body.tools ?? [])
        .filter(({ type }) => !HOSTED.includes(type))
        .flatMap(({ name, tools }) => tools?.map((tool) => tool.name) ?? name),
    );
    expect(parts.filter((part) => part.type === "tool-call").map(({ id, name }) => [id, name])).toEqual(
      items("function_call", "custom_tool_call").map(({ call_id, name }) => [call_id, name]),
    );
    expect(parts.filter((part) => part.type === "tool-result").map(({ callId }) => callId)).toEqual(
      items("function_call_output", "custom_tool_call_output").map(({ call_id }) => call_id),
    );
  });
});

/** Prompts are cached by their beginning: what was read once may not be read differently a turn later. */
describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ bodies }) => {
    const read = bodies
      .filter((body) => body.tools)
      .map((body) => openAiResponses.readRequest(body).conversation.turns);
    for (const [index, turns] of read.entries()) {
      expect(turns).toEqual(read.at(-1)?.slice(0, turns.length));
      expect(turns.length).toBeGreaterThanOrEqual(read[index - 1]?.length ?? 0);
    }
  });
});

test("what one answer was made of comes back as one turn", () => {
  const [, second] = sessions.find(({ name }) => name.startsWith("codex-"))?.bodies ?? [];
  const { turns } = openAiResponses.readRequest(second).conversation;
  const answer = turns.find((turn) => turn.role === "assistant");
  expect(answer?.parts.map((part) => part.type)).toEqual(["text", "tool-call"]);
});
