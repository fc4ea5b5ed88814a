import { expect, test } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { chunk, DONE, event } from "../../scripted-upstream/script.ts";
import { WIRES } from "../../wires/wires.ts";
import { ask } from "./gateway.ts";

const messages = WIRES.find(({ name }) => name === "messages");
if (!messages) throw new Error("no such wire");
const wire = messages;

const OWN = "<tool_results>";
const tools = [{ name: "ping", parameters: {} }];
const call = canonical.write.calls([{ name: "ping", input: {} }]);

/** A server that says which stop string it was, as vLLM does. */
async function stoppedAt(text: string, stopString: string) {
  const end = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop", stop_reason: stopString }] });
  const script = { steps: [chunk({ content: text }), end, DONE].map((send) => ({ send })) };
  const fields = wire.write({ turns: [{ user: "Go." }], tools, stop: ["END"] }, false);
  const { body, upstream } = await ask(wire, { stream: false, fields }, script);
  expect(upstream?.stop).toEqual(["END", OWN]);
  const { stop_reason, stop_sequence } = JSON.parse(body);
  return [stop_reason, stop_sequence];
}

test("the client is told of its own stop string, and never of the gateway's", async () => {
  expect(await stoppedAt("Hi.", "END")).toEqual(["stop_sequence", "END"]);
  expect(await stoppedAt("Hi.", OWN)).toEqual(["end_turn", null]);
  expect(await stoppedAt(`${call}\n`, OWN)).toEqual(["tool_use", null]);
});
