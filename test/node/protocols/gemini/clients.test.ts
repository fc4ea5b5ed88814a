import { describe, expect, test } from "vitest";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import { clientRequests, expectEachToBeginTheNext } from "../../../wires/client-requests.ts";
import { targetOf } from "./requests.ts";

interface GeminiBody {
  contents: { parts: WirePart[] }[];
  tools?: { functionDeclarations: { name: string; parameters?: object; parametersJsonSchema?: object }[] }[];
  generationConfig: { thinkingConfig?: { thinkingLevel?: string } };
}

interface WirePart {
  text?: string;
  functionCall?: { id?: string; name: string; args: object };
  functionResponse?: { id?: string; name: string; response: object };
}

const { sessions, requests } = clientRequests<GeminiBody>((path) => path.includes("/models/"));

test("there are requests to read", () => {
  expect(sessions.length).toBe(7);
  expect(requests.length).toBeGreaterThan(20);
});

describe("requests of real clients are read whole and without a warning", () => {
  test.each(requests)("$name", ({ path, body }) => {
    const { conversation, warnings } = gemini.readRequest(body, targetOf(path));
    const parts = conversation.turns.flatMap((turn) => turn.parts);
    const sent = body.contents.flatMap((content) => content.parts);
    const declared = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations);

    // Of one client's level only the length was kept, so that it is none that is known.
    const level = body.generationConfig.thinkingConfig?.thinkingLevel;
    expect(warnings).toEqual(level ? [expect.stringContaining(level.toLowerCase())] : []);
    expect(path).toContain(`models/${conversation.model}:`);
    expect(conversation.stream).toBe(path.includes(":stream"));
    expect(conversation.system).not.toBe("");
    expect(conversation.tools).toEqual(
      declared.map(({ name, parameters, parametersJsonSchema }) => ({
        name,
        description: expect.any(String),
        parameters: parametersJsonSchema ?? parameters,
      })),
    );
    expect(parts.flatMap((part) => (part.type === "text" ? part.text : []))).toEqual(
      sent.flatMap(({ text }) => text ?? []),
    );
    expect(parts.flatMap((part) => (part.type === "tool-call" ? [[part.name, part.input]] : []))).toEqual(
      sent.flatMap(({ functionCall: call }) => (call ? [[call.name, call.args]] : [])),
    );
    expect(parts.flatMap((part) => (part.type === "tool-result" ? part : []))).toEqual(
      sent.flatMap(({ functionResponse: result }) => (result ? expectedResult(result) : [])),
    );
    expect(new Set(parts.flatMap((part) => (part.type === "tool-call" ? part.id : []))).size).toBe(
      parts.filter(({ type }) => type === "tool-call").length,
    );
  });
});

/** Every client wraps its text in another way. */
function expectedResult({ id = "", name, response }: NonNullable<WirePart["functionResponse"]>) {
  const text = Object.values(response).at(-1);
  return { type: "tool-result", callId: id, name, failed: false, parts: [{ type: "text", text }] };
}

describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ sent }) => {
    // A request without tools is another conversation, such as one about a title.
    const ofTask = sent.filter(({ body }) => body.tools);
    expectEachToBeginTheNext(
      ofTask.map(({ path, body }) => gemini.readRequest(body, targetOf(path)).conversation.turns),
    );
  });
});
