import { describe, expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { TOOLS } from "../chat-tools.ts";
import { says } from "../scripted-upstream/script.ts";
import { readChatStream } from "../wires/chat.ts";
import { scriptedModel, send } from "./gateway.ts";

const call = canonical.write.calls([{ name: "read_file", input: { path: "a" } }]);
const two = canonical.write.calls([
  { name: "read_file", input: { path: "a" } },
  { name: "get_weather", input: { city: "Oslo", days: 2 } },
]);
const nested = canonical.write.calls([{ name: "write_file", input: { path: "b", content: `See:\n${call}\n]]>` } }]);
const fenced = `\`\`\`xml\n${call}\n\`\`\``;

interface Case {
  of: string;
  said: string;
  shown: string;
  calls: string[];
}

/** What the model says, what of it the client may see, and which tools are called. */
const cases: Case[] = [
  { of: "a call alone", said: call, shown: "", calls: ["read_file"] },
  { of: "text around a call", said: `Look:\n${call}\nDone.`, shown: "Look:\n\nDone.", calls: ["read_file"] },
  { of: "text right at a call", said: `Look:${call}Done.`, shown: "Look:Done.", calls: ["read_file"] },
  { of: "blanks around a call", said: `\n\n ${call}\n\n`, shown: "", calls: ["read_file"] },
  { of: "two calls of a block", said: `Two. ${two}`, shown: "Two.", calls: ["read_file", "get_weather"] },
  { of: "two blocks", said: `${call}\nand\n${call}`, shown: "and", calls: ["read_file", "read_file"] },
  { of: "a call in an argument", said: nested, shown: "", calls: ["write_file"] },
  { of: "a fenced example", said: `${fenced}\n${call}`, shown: fenced, calls: ["read_file"] },
  {
    of: "a mention",
    said: `Use \`<tool_calls>\` or <tool_calls> so: ${call}`,
    shown: "Use `<tool_calls>` or <tool_calls> so:",
    calls: ["read_file"],
  },
  {
    of: "a comparison",
    said: `a < b, <tool, </tool_calls2>: ${call}`,
    shown: "a < b, <tool, </tool_calls2>:",
    calls: ["read_file"],
  },
  { of: "surplus closers", said: `${call}</invoke></tool_calls>\n`, shown: "", calls: ["read_file"] },
  {
    of: "an invented result",
    said: `${call}\n<tool_results>\n<result n="1">x</result>`,
    shown: "",
    calls: ["read_file"],
  },
  {
    of: "other spellings",
    said: `<Tool_Calls id='1'>\n<!-- two -->\n<invoke name='ping'/>\n</Tool_Calls >`,
    shown: "",
    calls: ["ping"],
  },
  { of: "no opening wrapper", said: `So: <invoke name="ping"></invoke></tool_calls>`, shown: "So:", calls: ["ping"] },
  { of: "no wrapper at all", said: `So: <invoke name="ping"></invoke>`, shown: "So:", calls: ["ping"] },
  { of: "reasoning with a mention", said: `<think>call <tool_calls>?</think>${call}`, shown: "", calls: ["read_file"] },
];

describe.each(cases)("$of", ({ said, shown, calls }) => {
  test.each([1, 3, 100_000])("in deltas of up to %i characters", async (size) => {
    const model = await scriptedModel(says(said, { size }));
    const body = { model: model.name, stream: true, messages: [{ role: "user", content: "Go." }], tools: TOOLS };
    const response = await send("POST", "/v1/chat/completions", { body: JSON.stringify(body) });
    const stream = readChatStream(await response.text());

    // What a client has seen can never be taken back: all deltas together are what it may see.
    expect(stream.text).toBe(shown);
    expect(stream.calls.map(({ name }) => name)).toEqual(calls);
    expect(stream.finish).toBe("tool_calls");
  });
});
