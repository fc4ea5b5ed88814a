import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import { chunk, DONE, type Script } from "../../scripted-upstream/script.ts";
import { type Ask, readBody, readStream } from "../../wires/ask.ts";
import type { WireRequest } from "../../wires/requests.ts";
import type { WireReply } from "../../wires/wire-reply.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { askWith } from "./gateway.ts";

interface Call {
  name: string;
  input: JsonObject;
}

const TOOLS = ["read_file", "ping"].map((name) => ({
  name,
  parameters: { type: "object", properties: name === "ping" ? {} : { lines: { type: "integer" } } },
}));
const readA: Call = { name: "read_file", input: { path: "a", lines: 80 } };
const readB: Call = { name: "read_file", input: { path: "b" } };
const ping: Call = { name: "ping", input: {} };

/** What an upstream says in order: text, and calls of its own. */
type Said = string | Call[];

const leak = (...calls: Call[]) => canonical.write.calls(calls);

function upstreamSays(...said: Said[]): Script {
  let index = 0;
  const events = said.flatMap((part) => {
    if (typeof part === "string") return [...part].map((content) => chunk({ content }));
    return part.flatMap(({ name, input }) => {
      const id = `up_${index}`;
      const json = JSON.stringify(input);
      const deltas = [
        { index, id, type: "function", function: { name, arguments: "" } },
        { index, function: { arguments: json.slice(0, 5) } },
        { index, function: { arguments: json.slice(5) } },
      ];
      index += 1;
      return deltas.map((delta) => chunk({ tool_calls: [delta] }));
    });
  });
  return { steps: [...events, chunk({}, "stop"), DONE].map((send) => ({ send })) };
}

/** The reply as a stream; the same as one body. */
async function reply(ask: Ask, wire: Wire, script: Script, request: Partial<WireRequest> = {}) {
  const asked = { turns: [{ user: "Go." }], tools: TOOLS, ...request };
  const streamed = await ask(wire, { stream: true, fields: wire.write(asked, true) }, script);
  const whole = await ask(wire, { stream: false, fields: wire.write(asked, false) }, script);
  const stream = brief(readStream(wire, streamed));
  expect(brief(readBody(wire, whole))).toEqual(stream);
  return { ...stream, upstream: streamed.upstream };
}

const brief = ({ text, calls, finish }: WireReply) => ({
  text: text.trim(),
  calls: calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) })),
  finish,
});

describe.each(WIRES)("$name", (wire) => {
  describe.each(["feature_match", "canonical"])("rescue, %s", (mode) => {
    const ask = askWith({ TOOLCALL_TEACH: "native", TOOLCALL_MODE: mode });

    test.each<[string, Said[], Call[], text: string]>([
      ["a native call", ["Well.", [readA]], [readA], "Well."],
      ["a call that leaked as text", [`Well. ${leak(readA)}`], [readA], "Well."],
      ["both, equal", [leak(readA), [readA]], [readA], ""],
      ["both, equal, the native one first", [[readA], leak(readA)], [readA], ""],
      [
        "both, equal but for the order and the spelling",
        [leak({ name: "read_file", input: { lines: 80, path: "a" } }), [readA]],
        [readA],
        "",
      ],
      [
        "both, equal by the schema",
        [leak(readA), [{ name: "read_file", input: { path: "a", lines: "80" } }]],
        [readA],
        "",
      ],
      ["both, equal but for the case of the name", [leak(readA), [{ ...readA, name: "Read_File" }]], [readA], ""],
      [
        "a native one, and invented results behind one that leaked",
        [[readA], `${leak(ping)}\n<tool_response>42`],
        [ping, readA],
        "",
      ],
      ["both, different", [leak(readB), [readA]], [readB, readA], ""],
      ["both, of different tools", [leak(ping), [readA]], [ping, readA], ""],
      ["two equal native ones and one that leaked", [[readA, readA], leak(readA)], [readA, readA], ""],
      ["two that leaked and one native one", [leak(readA, readA), [readA]], [readA, readA], ""],
      ["two and the same two", [leak(readA, ping), [ping, readA]], [readA, ping], ""],
      [
        "an example in a fence, and the call itself",
        [`\`\`\`xml\n${leak(readA)}\n\`\`\`\n`, [readA]],
        [readA],
        `\`\`\`xml\n${leak(readA)}\n\`\`\``,
      ],
      [
        "what is no quote of ours stays",
        ["a <~tool_calls> b", [{ name: "ping", input: { x: "<~~invoke" } }]],
        [{ name: "ping", input: { x: "<~~invoke" } }],
        "a <~tool_calls> b",
      ],
      ["neither", ["Well."], [], "Well."],
    ])("%s", async (_what, said, calls, text) => {
      const { upstream: _, ...answer } = await reply(ask, wire, upstreamSays(...said));
      expect(answer).toEqual({ text, calls, finish: calls.length > 0 ? "tool_calls" : "stop" });
    });
  });

  test.each(["feature_match", "canonical", "off"])(
    "a native call that is cut ends in no good finish, %s",
    async (mode) => {
      const ask = askWith({ TOOLCALL_TEACH: "native", TOOLCALL_MODE: mode });
      for (const reason of ["stop", "tool_calls"]) {
        const cut = {
          index: 0,
          id: "up_0",
          type: "function",
          function: { name: "read_file", arguments: '{"path": "a' },
        };
        const steps = [chunk({ tool_calls: [cut] }), chunk({}, reason), DONE].map((send) => ({ send }));
        const { calls, finish } = await reply(ask, wire, { steps });
        expect([calls, finish]).toEqual([[], "length"]);
      }
    },
  );

  test("with calls switched off native ones pass, and markup is text", async () => {
    const ask = askWith({ TOOLCALL_TEACH: "native", TOOLCALL_MODE: "off" });
    const { text, calls, upstream } = await reply(ask, wire, upstreamSays(leak(readA), [readA]));
    expect([text, calls]).toEqual([leak(readA), [readA]]);
    expect(upstream?.tools).toHaveLength(2);
  });

  test("a native call that nobody asked for meets its twin, too", async () => {
    expect((await reply(askWith({}), wire, upstreamSays(leak(readA), [readA]))).calls).toEqual([readA]);
  });

  describe("what goes upstream", () => {
    const ask = askWith({ TOOLCALL_TEACH: "native" });
    const said = upstreamSays("Well.");

    test("are the tools and the history, in its own form and in no words", async () => {
      const turns: WireRequest["turns"] = [
        { user: "Look." },
        {
          assistant: "I will.",
          calls: [
            { id: "c1", ...readA },
            { id: "c2", ...ping },
          ],
        },
        {
          results: [
            { id: "c1", name: "read_file", output: "</tool_results><|im_end|>" },
            { id: "c2", name: "ping", output: "pong" },
          ],
        },
        { user: "And?" },
      ];
      const { upstream } = await reply(ask, wire, said, { system: "Be kind.", turns });
      const called = (id: string, { name, input }: Call) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      });
      expect(upstream?.messages).toEqual([
        { role: "system", content: "Be kind." },
        { role: "user", content: "Look." },
        { role: "assistant", content: "I will.", tool_calls: [called("c1", readA), called("c2", ping)] },
        { role: "tool", tool_call_id: "c1", content: "</tool_results><|im_end|>" },
        { role: "tool", tool_call_id: "c2", content: "pong" },
        { role: "user", content: "And?" },
      ]);
      expect(upstream?.tools).toEqual(TOOLS.map((tool) => ({ type: "function", function: tool })));
      expect(upstream).not.toHaveProperty("tool_choice");
      expect(upstream).not.toHaveProperty("parallel_tool_calls");
    });

    test("is what the client asks of the calls", async () => {
      const one = await reply(ask, wire, upstreamSays([ping]), { toolChoice: { name: "ping" } });
      expect(one.upstream).toMatchObject({ tool_choice: { type: "function", function: { name: "ping" } } });
      const any = await reply(ask, wire, upstreamSays([ping]), { toolChoice: "required" });
      expect(any.upstream).toMatchObject({ tool_choice: "required" });
      const none = await reply(ask, wire, upstreamSays("Well.", [ping]), { toolChoice: "none" });
      expect([none.calls, none.upstream?.tools]).toEqual([[], undefined]);
      if (!wire.limitsCalls) return;
      const single = await reply(ask, wire, upstreamSays([ping, readA]), { parallel: false });
      expect(single.calls).toEqual([ping]);
      expect(single.upstream).toMatchObject({ parallel_tool_calls: false });
    });
  });
});
