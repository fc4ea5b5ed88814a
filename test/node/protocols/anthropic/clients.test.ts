import { describe, expect, test } from "vitest";
import type { Part } from "../../../../src/conversation.ts";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import { clientRequests, expectEachToBeginTheNext } from "../../../wires/client-requests.ts";

interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: object;
  tool_use_id?: string;
  content?: string;
}

interface MessagesBody {
  model: string;
  system: string | Block[];
  messages: { role: string; content: string | Block[] }[];
  tools?: { name: string }[];
  max_tokens: number;
  stream?: boolean;
  thinking?: object;
}

const { sessions, requests } = clientRequests<MessagesBody>((path) => path.startsWith("/v1/messages"));

const blocksOf = (content: string | Block[]): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Of the messages' blocks in their order, what has to be found again. */
function expectedPart({ type, text, id, name, input, tool_use_id, content }: Block): Part {
  if (type === "tool_use") return { type: "tool-call", id, name, input } as Part;
  if (type !== "tool_result") return { type: "text", text: text ?? "" };
  const parts = [{ type: "text", text: content }];
  return { type: "tool-result", callId: tool_use_id, name: expect.any(String), failed: false, parts } as Part;
}

test("there are requests to read", () => {
  expect(sessions.length).toBe(8);
  expect(requests.length).toBeGreaterThan(20);
});

describe("requests of real clients are read whole and without a warning", () => {
  test.each(requests)("$name", ({ body }) => {
    const { conversation, warnings } = anthropic.readRequest(body);
    expect(warnings).toEqual([]);
    expect(conversation.model).toBe(body.model);
    expect(conversation.stream).toBe(body.stream ?? false);
    expect(conversation.sampling.maxTokens).toBe(body.max_tokens);
    expect(conversation.reasoning.expose).toBe(body.thinking !== undefined);
    expect(conversation.tools.map((tool) => tool.name)).toEqual((body.tools ?? []).map((tool) => tool.name));
    expect(conversation.system).toBe(
      blocksOf(body.system)
        .map(({ text }) => text)
        .join("\n\n"),
    );
    expect(conversation.turns.flatMap((turn) => turn.parts)).toEqual(
      body.messages.flatMap(({ role, content }) =>
        blocksOf(content)
          .map(expectedPart)
          .map((part) => (role === "system" && part.type === "text" ? systemNote(part.text) : part)),
      ),
    );
  });
});

const systemNote = (text: string): Part => ({ type: "text", text: `[system note]\n${text}` });

describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ sent }) => {
    // A request without tools is another conversation, such as one about a title.
    const ofTask = sent.filter(({ body }) => body.tools);
    expectEachToBeginTheNext(ofTask.map(({ body }) => anthropic.readRequest(body).conversation.turns));
  });
});

test.each(requests)("the tokens of $name can be counted", ({ body }) => {
  const { max_tokens, stream, ...counted } = body;
  const { conversation } = anthropic.readRequest(body);
  const { maxTokens, ...sampling } = conversation.sampling;
  expect(anthropic.tokenCount?.readRequest(counted)).toEqual({ ...conversation, sampling, stream: false });
});
