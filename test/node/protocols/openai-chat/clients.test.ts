import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";
import { clientRequests, expectEachToBeginTheNext } from "../../../wires/client-requests.ts";

interface ChatBody {
  model: string;
  messages: { role: string; tool_calls?: { id: string; function: { name: string } }[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
  stream?: boolean;
}

const { sessions, requests } = clientRequests<ChatBody>((path) => path === "/v1/chat/completions");

test("there are requests to read", () => {
  expect(requests.length).toBeGreaterThan(25);
});

describe("requests of real clients are read whole and without a warning", () => {
  test.each(requests)("$name", ({ body }) => {
    const { conversation, warnings } = openAiChat.readRequest(body);
    const parts = conversation.turns.flatMap((turn) => turn.parts);
    expect(warnings).toEqual([]);
    expect(conversation.model).toBe(body.model);
    expect(conversation.stream).toBe(body.stream ?? false);
    expect(conversation.system).not.toBe("");
    expect(conversation.tools.map((tool) => tool.name)).toEqual((body.tools ?? []).map((tool) => tool.function.name));
    expect(parts.filter((part) => part.type === "tool-call").map(({ id, name }) => [id, name])).toEqual(
      body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name])),
    );
    expect(parts.filter((part) => part.type === "tool-result").map(({ callId }) => callId)).toEqual(
      body.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []),
    );
  });
});

describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ sent }) => {
    // A request without tools is another conversation, such as one about a title.
    const ofTask = sent.filter(({ body }) => body.tools);
    expectEachToBeginTheNext(ofTask.map(({ body }) => openAiChat.readRequest(body).conversation.turns));
  });
});
