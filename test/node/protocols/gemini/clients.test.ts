import { describe, expect, test } from "vitest";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import { targetOf } from "./requests.ts";

/** What real clients send for a task of three turns; prompt text is replaced by its length. */
const files = import.meta.glob<{ path: string; body: GeminiBody }[]>("../../../cases/client-requests/*.json", {
  import: "default",
  eager: true,
});

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

const sessions = Object.entries(files)
  .map(([key, sent]) => ({ name: key.split("/").at(-1), sent: sent.filter(({ path }) => path.includes("/models/")) }))
  .filter(({ sent }) => sent.length > 0);

const requests = sessions.flatMap(({ name, sent }) =>
  sent.map(({ path, body }, index) => ({ name: `${name} request ${index + 1}`, path, body })),
);

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

/** Prompts are cached by their beginning: what was read once may not be read differently a turn later. */
describe("a later request begins with the turns of the one before", () => {
  test.each(sessions)("$name", ({ sent }) => {
    const read = sent
      .filter(({ body }) => body.tools)
      .map(({ path, body }) => gemini.readRequest(body, targetOf(path)).conversation.turns);
    for (const [index, turns] of read.entries()) {
      expect(turns).toEqual(read.at(-1)?.slice(0, turns.length));
      expect(turns.length).toBeGreaterThanOrEqual(read[index - 1]?.length ?? 0);
    }
  });
});
