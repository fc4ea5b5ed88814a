import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Conversation, Part, Turn } from "../../src/conversation.ts";
import { planExchange } from "../../src/plan.ts";
import type { UpstreamMessage } from "../../src/prompt/messages.ts";
import { loadConfig } from "../../src/tenants/variables.ts";
import { capabilitiesOf } from "../../src/upstreams/capabilities.ts";
import { buildBody } from "../../src/upstreams/chat-body.ts";
import type { UpstreamRequest } from "../../src/upstreams/upstream.ts";
import { assistant, call, conversationOf, input, result, text, tools, user } from "./prompt/conversations.ts";
import { hostileText } from "./prompt/hostile-text.ts";

/**
 * Servers keep what they have read of a prompt, and read on from there if the next one begins with the same bytes.
 * Reasoning is no part of these conversations: it is shown only until the user speaks again.
 */

const media: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    type: fc.constant("media"),
    mediaType: fc.constantFrom("image/png", "audio/wav", "application/pdf"),
    name: hostileText,
    data: fc.base64String({ maxLength: 64 }),
  }),
  fc.record({
    type: fc.constant("media"),
    mediaType: fc.constant("image/jpeg"),
    data: fc.base64String({ maxLength: 64 }).map((rest) => `/9j/${rest}`),
  }),
  fc.record({ type: fc.constant("media"), mediaType: fc.constant("image/*"), url: fc.webUrl() }),
);
const said = fc.array(fc.oneof({ weight: 3, arbitrary: hostileText.map(text) }, media), { maxLength: 3 });

/** A result comes with the next turn, a turn too late, or never. */
type Coming = "next" | "late" | "never";

const made = fc.record({
  name: fc.constantFrom("get_weather", "Read", "never_declared"),
  input,
  answer: said,
  failed: fc.boolean(),
  coming: fc.constantFrom<Coming>("next", "next", "late", "never"),
});

/** What the model said, and what the user says after it. */
const round = fc.record({
  // An answer that says nothing is left out: the two turns around it become one, which nobody has read before.
  answer: said.map((parts) => [text("."), ...parts]),
  calls: fc.array(made, { maxLength: 3 }),
  reversed: fc.boolean(),
  typed: said,
});

/** The turns that each request has more than the one before. */
const requests: fc.Arbitrary<Turn[][]> = fc
  .tuple(said, fc.array(round, { minLength: 1, maxLength: 5 }))
  .map(([typed, rounds]) => {
    let late: Part[] = [];
    const further = rounds.map(({ answer, calls, reversed, typed }, at): Turn[] => {
      const named = calls.map((made, index) => ({ ...made, id: `call_${at}_${index}` }));
      const results = (coming: Coming) =>
        named
          .filter((made) => made.coming === coming)
          .map(
            ({ id, answer, failed }): Part => ({ ...(result(id, "", { failed }) as object), parts: answer }) as Part,
          );
      const due = [...results("next"), ...late];
      late = results("late");
      return [
        assistant(...answer, ...named.map(({ id, name, input }) => call(id, name, input))),
        user(...(reversed ? due.toReversed() : due), ...typed),
      ];
    });
    return [[user(...typed)], ...further];
  });

const conversation = fc.record({ system: hostileText, tools, requests });

function plan(env: object, asked: Partial<Conversation>) {
  const { config } = loadConfig(env);
  if (!config) throw new Error("the configuration is invalid");
  return planExchange(config, conversationOf(structuredClone(asked))).upstream;
}

/** As they go upstream: reasoning that has no field there is not among them. */
function messagesOf(request: UpstreamRequest): unknown[] {
  return buildBody(request, capabilitiesOf("generic"), new Set()).messages as unknown[];
}

/** What a message says, images too. */
function everythingOf(message: UpstreamMessage | undefined): string {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : part.url)).join("\n\n");
}

const SEES = { UPSTREAM_BASE_URL: "https://h/v1", UPSTREAM_IMAGES: "yes" };

describe.each<[string, object]>([
  ["signatures", {}],
  ["schemas", { TOOLCALL_DOCS: "schema" }],
  ["a budget", { TOOLCALL_DOCS_BUDGET: "60" }],
  ["native tools", { TOOLCALL_TEACH: "native" }],
  ["all reasoning", { UPSTREAM_BASE_URL: "https://h/v1", TOOLCALL_REASONING_HISTORY: "always" }],
  ["images", SEES],
  ["images and native tools", { ...SEES, TOOLCALL_TEACH: "native" }],
  ["images and results that are cut", { ...SEES, TOOLCALL_RESULT_CHARS: "10" }],
])("of 500 conversations with %s", (_how, env) => {
  test("what one request sends begins what the next one sends, and the same request sends the same", () => {
    fc.assert(
      fc.property(conversation, ({ requests, ...asked }) => {
        const turns: Turn[] = [];
        let earlier: unknown[] = [];
        for (const request of requests) {
          turns.push(...request);
          const upstream = plan(env, { ...asked, turns });
          expect(JSON.stringify(plan(env, { ...asked, turns }))).toBe(JSON.stringify(upstream));
          const messages = messagesOf(upstream);
          expect(messages.slice(0, earlier.length)).toEqual(earlier);
          earlier = messages;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("what is asked for one turn alone comes last", () => {
    fc.assert(
      fc.property(conversation, ({ requests, ...asked }) => {
        const turns = requests.flat();
        const { messages } = plan(env, { ...asked, turns });
        const forced = plan(env, { ...asked, turns, toolChoice: { mode: "required" }, parallelToolCalls: false });
        expect(forced.messages.slice(0, -1)).toEqual(messages.slice(0, -1));
        const [last, forcedLast] = [messages, forced.messages].map((sent) => everythingOf(sent.at(-1)));
        expect(forcedLast?.startsWith(last ?? "-")).toBe(true);
      }),
    );
  });
});
