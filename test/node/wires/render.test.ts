import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { TOOLS } from "../../chat-tools.ts";
import { chunkings } from "../../chunking.ts";
import { type Answer, readBody, readStream } from "../../wires/ask.ts";
import { coalesce } from "../../wires/coalesce.ts";
import { readJson } from "../../wires/events.ts";
import type { WireReply } from "../../wires/wire-reply.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { ask } from "./gateway.ts";
import { REPLIES, type ReplyCase, scriptOf, wordsOf } from "./replies.ts";

const SET_OPTIONS = {
  name: "set_options",
  parameters: {
    type: "object",
    properties: {
      on: { type: "boolean" },
      ratio: { type: "number" },
      big: { type: "integer" },
      tags: { type: "array" },
      name: { type: "string" },
    },
  },
};
const tools = [...TOOLS.map((tool) => tool.function), SET_OPTIONS].map(({ name, parameters = {} }) => ({
  name,
  parameters: parameters as typeof SET_OPTIONS.parameters,
}));
const request = { turns: [{ user: "How is the weather?" }], tools };

/** That the stages before the wire bear every cut is tested where they are. */
const SPLITS = 10;

/** What the client of a wire gets of a reply, the upstream's words cut into these chunks. */
function get(wire: Wire, given: ReplyCase, stream: boolean, chunks = [wordsOf(given)]): Promise<Answer> {
  return ask(wire, { stream, fields: wire.write(request, stream) }, scriptOf(given, chunks));
}

// Every answer says when it was made.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

describe.each(WIRES)("$name", (wire) => {
  test.each(REPLIES)("$id as a stream", async (given) => {
    const reply = readStream(wire, await get(wire, given, true));
    expect(partsOf(reply)).toEqual(expectedParts(given));
    expect(reply.finish).toBe(given.expect.finish);
    if (given.expect.usage) expect(reply.usage).toEqual(given.expect.usage);
    judgeOpenCall(reply.openCall, wire.holdsBack ? undefined : given.expect.open);
  });

  test.each(REPLIES)("$id as one body, which is what the stream adds up to", async (given) => {
    const { parts, events: _, ...stream } = readStream(wire, await get(wire, given, true));
    const { parts: ofBody, status, ...body } = readBody(wire, await get(wire, given, false));
    expect(status).toBe(200);
    expect(withoutIds(body)).toEqual(withoutIds({ ...stream, openCall: undefined }));
    if (wire.bodyKeepsOrder) expect(partsOf({ parts: ofBody })).toEqual(partsOf({ parts }));
  });

  test.each(REPLIES)("$id is the same however the upstream's words are cut", async (given) => {
    const settle = async (chunks?: string[]) =>
      coalesce(readStream(wire, await get(wire, given, true, chunks)).events, wire).join("\n");
    const whole = await settle();
    for (const { name, chunks } of chunkings(wordsOf(given), {}, SPLITS)) {
      const cut = await settle(chunks);
      // Compared as text first: a matcher costs more than all the rest.
      if (cut !== whole) expect(cut, name).toBe(whole);
    }
  });
});

test.each(REPLIES)("$id costs the same on every wire", async (given) => {
  const [first] = WIRES;
  const usageOn = async (wire: Wire) => readStream(wire, await get(wire, given, true)).usage;
  const expected = first && (await usageOn(first));
  for (const wire of WIRES) expect(await usageOn(wire), wire.name).toEqual(expected);
});

/** White space alone is no part: Messages cannot have it. Ids are random. */
function partsOf({ parts }: Pick<WireReply, "parts">) {
  return parts.flatMap((part) => {
    if (part.type === "call") return [["call", part.call.name, exact(part.call.arguments)]];
    return part.type === "text" && part.text.trim() === "" ? [] : [[part.type, part.text]];
  });
}

function expectedParts({ expect: { parts } }: ReplyCase) {
  return parts
    .filter(([type, text]) => type !== "text" || text.trim() !== "")
    .map((part) => (part[0] === "call" ? [part[0], part[1], exact(part[2])] : part));
}

function withoutIds({ calls, text, ...reply }: Omit<WireReply, "parts">) {
  const named = calls.map(({ name, arguments: json }) => [name, exact(json)]);
  return { ...reply, text: text.trim() === "" ? "" : text, calls: named };
}

/** JSON without the blanks between its members, digits as they were written. */
const exact = (json: string) => JSON.stringify(readJson(json));

/** As much of its arguments came as was sure. */
function judgeOpenCall(open: WireReply["openCall"], expected: [string, string] | undefined) {
  const [name, json = ""] = expected ?? [];
  expect(open?.name).toBe(name);
  expect(json.slice(0, open?.arguments.length ?? 0)).toBe(open?.arguments ?? "");
}
