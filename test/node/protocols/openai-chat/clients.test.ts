import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";

/** What real clients send for a task of three turns; prompt text is replaced by its length. */
const files = import.meta.glob<{ path: string; body: ChatBody }[]>("../../../cases/client-requests/*.json", {
  import: "default",
  eager: true,
});

interface ChatBody {
  model: string;
  messages: { role: string; tool_calls?: { id: string; function: { name: string } }[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
  stream?: boolean;
}

const sessions = Object.entries(files)
  .map(([path, sent]) => ({
    name: path.split("/").at(-1) ?? "",
    bodies: sent.filter((request) => request.path === "/v1/chat/completions").map(({ body }) => body),
  }))
  .filter(({ bodies }) => bodies.length > 0);
const requests = sessions.flatMap(({ name, bodies }) =>
  bodies.map((body, index) => ({ name: `${name} request ${index + 1}`, body })),
);

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

/** Prompts are cached by their beginning: what was read once may not be read differently a turn later. */
describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ bodies }) => {
    // A request without tools is another conversation, such as one about a title.
    const read = bodies.filter((body) => body.tools).map((body) => openAiChat.readRequest(body).conversation.turns);
    for (const [index, turns] of read.entries()) {
      expect(turns).toEqual(read.at(-1)?.slice(0, turns.length));
      expect(turns.length).toBeGreaterThanOrEqual(read[index - 1]?.length ?? 0);
    }
  });
});
