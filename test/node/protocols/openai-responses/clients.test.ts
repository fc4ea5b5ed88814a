import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";
import { clientRequests, expectEachToBeginTheNext } from "../../../wires/client-requests.ts";

interface ResponsesBody {
  model: string;
  instructions?: string;
  input: { type?: string; call_id: string; name: string }[];
  tools?: { type: string; name: string; tools?: { name: string }[] }[];
  stream?: boolean;
}

const { sessions, requests } = clientRequests<ResponsesBody>((path) => path === "/v1/responses");

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

describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ sent }) => {
    // A request without tools is another conversation, such as one about a title.
    const ofTask = sent.filter(({ body }) => body.tools);
    expectEachToBeginTheNext(ofTask.map(({ body }) => openAiResponses.readRequest(body).conversation.turns));
  });
});

test("what one answer was made of comes back as one turn", () => {
  const [, second] = sessions.find(({ name }) => name.startsWith("codex-"))?.sent ?? [];
  const { turns } = openAiResponses.readRequest(second?.body).conversation;
  const answer = turns.find((turn) => turn.role === "assistant");
  expect(answer?.parts.map((part) => part.type)).toEqual(["text", "tool-call"]);
});
