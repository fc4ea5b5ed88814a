import { describe, expect, test } from "vitest";
import { chunk, DONE, type Script } from "../scripted-upstream/script.ts";
import { WIRES } from "../wires/wires.ts";
import { scriptedModel, send } from "./gateway.ts";

/** What each wire bears in the silence; Gemini's readers bear nothing (docs/wires.md). */
const FILLERS: Readonly<Record<string, string>> = {
  chat: ": keep-alive\n\n",
  responses: ": keep-alive\n\n",
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
};

const said = (content: string) => ({ send: chunk({ content }) });
/** Three times the silence after which the gateway under test fills it. */
const SILENCE_MS = 700;
const script: Script = {
  steps: [said("one, "), said("two, "), "gate", said("three"), { send: chunk({}, "stop") + DONE }],
};

async function listen(wire: (typeof WIRES)[number], script: Script) {
  const model = await scriptedModel(script);
  const { path, fields } = wire.address({ model: model.name, stream: true });
  const body = { ...fields, ...wire.write({ turns: [{ user: "Count." }], maxTokens: 100 }, true) };
  return { model, response: await send("POST", path, { body: JSON.stringify(body) }) };
}

describe.concurrent.each(WIRES)("$name", (wire) => {
  test("fills the silence as its readers bear it, and loses nothing", async () => {
    const { model, response } = await listen(wire, script);
    setTimeout(() => model.openGate(), SILENCE_MS);
    const stream = await response.text();
    const filler = FILLERS[wire.name];
    if (filler) expect(stream.split(filler).length - 1).toBeGreaterThanOrEqual(2);
    else expect(stream).not.toMatch(/keep-alive|ping|^:/m);
    expect(wire.readStream(stream)).toMatchObject({ text: "one, two, three", finish: "stop", error: undefined });
  });

  test("lets the upstream go when its client goes", async () => {
    const { model, response } = await listen(wire, { steps: [said("one, "), said("two, "), said("three"), "hang"] });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(await model.ending()).toBe("abandoned");
  });
});
