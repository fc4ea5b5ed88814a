import { describe, expect, test } from "vitest";
import { TOOLS } from "../chat-tools.ts";
import { chunk, DONE, type Script, type Step } from "../scripted-upstream/script.ts";
import { client, scriptedModel, send } from "./gateway.ts";

const BEAT = ": keep-alive\n\n";
const say = (...texts: string[]): Step => ({ send: texts.map((content) => chunk({ content })).join("") });
const END: Step = { send: chunk({}, "stop") + DONE };

/** A client that takes the stream write by write. */
async function listen(script: Script, init: RequestInit = {}) {
  const model = await scriptedModel(script);
  const body = { model: model.name, stream: true, messages: [{ role: "user", content: "Go." }], tools: TOOLS };
  const response = await send("POST", "/v1/chat/completions", { body: JSON.stringify(body), ...init });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();

  /** One write of the gateway's, heartbeats skipped. */
  async function next(): Promise<string> {
    for (;;) {
      const { value } = await reader.read();
      const text = value ? decoder.decode(value) : "the end";
      if (text !== BEAT) return text;
    }
  }
  return { ...model, response, reader, next };
}

/** The `content` or `arguments` of each delta in a write. */
function pieces(write: string): string[] {
  const events = write.split("\n\n").filter((event) => event.startsWith("data: {"));
  return events.map((event) => {
    const [choice] = JSON.parse(event.slice("data: ".length)).choices;
    return choice.delta.content ?? choice.delta.tool_calls?.[0].function.arguments ?? choice.finish_reason;
  });
}

describe("a stream", () => {
  test("has the headers of an event stream that no cache keeps", async () => {
    const { response, reader } = await listen({ steps: [say("a"), END] });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^req_/),
    });
    await reader.cancel();
  });

  test("brings each read of the upstream in one write, at once and in order", async () => {
    const { next, openGate } = await listen({
      steps: [say("one", " two"), "gate", say(" three", " four", " five"), "gate", say(" six"), "gate", END],
    });
    const writes: string[][] = [pieces(await next())];
    for (let rest = 3; rest > 0; rest -= 1) {
      await openGate();
      writes.push(pieces(await next()));
    }
    expect(writes).toEqual([["", "one", " two"], [" three", " four", " five"], [" six"], ["stop"]]);
    expect(await next()).toBe("the end");
  });

  test("brings the arguments of a call before the call is closed", async () => {
    const { next, openGate } = await listen({
      steps: [
        say('<tool_calls><invoke name="read_file"><parameter name="path"><![CDATA[src/'),
        "gate",
        say("app.ts"),
        "gate",
        say("]]></parameter></invoke>", "</tool_calls>"),
        END,
      ],
    });
    const opening = await next();
    expect(opening).toContain('"name":"read_file"');
    expect(pieces(opening).join("")).toBe('{"path":"src/');
    await openGate();
    expect(pieces(await next())).toEqual(["app.ts"]);
    await openGate();
    expect(pieces(await next()).join("")).toMatch(/^"}/);
  });

  test("is kept alive while the upstream is silent, or says what is not decided yet", async () => {
    const { reader, openGate, next } = await listen({
      steps: [say("a"), "gate", say("<tool_ca"), "gate", say("lm>"), END],
    });
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(pieces(await read())).toEqual(["", "a"]);
    expect(await read()).toBe(BEAT);
    await openGate();
    expect(await read()).toBe(BEAT);
    expect(await read()).toBe(BEAT);
    await openGate();
    expect(pieces(await next()).join("")).toMatch(/^<tool_calm>/);
  });
});

describe("a client that goes away while it is answered", () => {
  const endless: Script = { steps: [say("a"), "hang"] };

  test("cancels the stream: the upstream is let go", async () => {
    const { reader, next, ending } = await listen(endless);
    await next();
    await reader.cancel();
    expect(await ending()).toBe("abandoned");
  });

  test("aborts through the SDK: the upstream is let go", async () => {
    const model = await scriptedModel(endless);
    const messages = [{ role: "user" as const, content: "Go." }];
    const stream = await client().chat.completions.create({ model: model.name, messages, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content === "a") break;
    expect(await model.ending()).toBe("abandoned");
  });
});
