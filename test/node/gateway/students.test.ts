import { afterEach, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import studentsFile from "../../cases/students.jsonl?raw";
import { GET_WEATHER, PING, READ_FILE } from "../../chat-tools.ts";
import { jsonLines } from "../../json-lines.ts";
import { chunk, DONE, type Ending, type Script, says } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import type { WireFinish } from "../../wires/wire-reply.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

/** A model that does not do what it was taught: what it says, and what a client of any wire is to get of it. */
interface Student {
  /** The fault, and the notation that it is made in. */
  id: string;
  /** Its name, which tells what it is taught; default: one that tells nothing. */
  model?: string;
  variables?: Variables;
  /** What is asked besides the tools; default: a question. */
  request?: Partial<WireRequest>;
  /** One for each time that it is asked; the last one goes on. */
  says: (string | Said)[];
  expect: Expected;
  /** What differs where the answer streams. */
  streamed?: Partial<Expected>;
  /** The messages that it was last shown. */
  shown?: object[];
  /** Why, where the fault does not say it. */
  note?: string;
}

interface Said {
  text?: string;
  reasoning?: string;
  /** Calls of the upstream's own. */
  native?: [name: string, json: string][];
  finish?: string;
}

interface Expected {
  text?: string;
  reasoning?: string;
  calls?: [name: string, input: JsonObject][];
  /** A call that a stream has begun and not ended. */
  open?: string;
  finish: WireFinish;
  /** How often the upstream was asked, and how its last answer ended. */
  asked?: number;
  ending?: Ending;
  /** All that the report says of what was found: whatever it does not name must not be in it. */
  report?: object;
}

const TOOLS = [GET_WEATHER, READ_FILE, PING].map((tool) => tool.function as RequestTool);
const QUESTION = { turns: [{ user: "What is the weather in Paris?" }], tools: TOOLS, maxTokens: 500 };

/** Characters of a delta; the last one: all of it. */
const SIZES = [1, 3, 7, 100_000];

/** Of the report, what is not the reply's own. */
const FRAME = [
  ...["level", "event", "request_id", "route", "wire", "model", "streaming", "mode", "told", "docs", "tokens", "ms"],
  // Of each cut another one.
  "held_characters",
];

const students = jsonLines<Student>(studentsFile);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("each has a name of its own", () => {
  expect(new Set(students.map(({ id }) => id)).size).toBe(students.length);
});

const pairs = students.flatMap((student) =>
  WIRES.filter((wire) => wire.limitsCalls || student.request?.parallel === undefined).map(
    (wire) => [student.id, wire.name, student, wire] as const,
  ),
);

test.each(pairs)("%s; %s", async (_id, _name, student, wire) => {
  for (const stream of [false, true]) {
    for (const size of SIZES) {
      const expected = { ...student.expect, ...(isShown(student, wire, stream, size) && student.streamed) };
      const label = `${stream ? "streamed" : "whole"}, deltas of ${size}`;
      expect(await outcome(student, wire, stream, size), label).toEqual(outcomeOf(expected, wire, stream));
    }
  }
});

/** Whether the client has got something of the first answer before its end; one delta alone waits where the wire holds back. */
function isShown({ says: [first = ""] }: Student, wire: Wire, stream: boolean, size: number): boolean {
  const { text = "" } = saidOf(first);
  return stream && !(wire.holdsBack && text.length <= size);
}

async function outcome(student: Student, wire: Wire, stream: boolean, size: number) {
  const gateway = inProcess(student.variables ?? {}, ...student.says.map((said) => scriptOf(said, size)));
  const reply = await gateway.ask(
    wire,
    { ...QUESTION, ...student.request },
    { stream, ...(student.model !== undefined && { model: student.model }) },
  );
  const shown = gateway.requests.at(-1)?.messages;
  if (student.shown) expect(shown?.slice(-student.shown.length)).toEqual(student.shown);
  const [line = {}, ...more] = gateway.reports;
  expect([more.length, line.wire, line.streaming === true]).toEqual([0, wire.protocol.name, stream]);
  return {
    text: reply.text,
    reasoning: reply.reasoning,
    calls: reply.calls.map(({ name, arguments: json }) => [name, JSON.parse(json)]),
    open: reply.openCall?.name,
    finish: reply.finish,
    asked: gateway.requests.length,
    ending: gateway.endings.at(-1),
    report: Object.fromEntries(Object.entries(line).filter(([name]) => !FRAME.includes(name))),
  };
}

function outcomeOf(expected: Expected, wire: Wire, stream: boolean) {
  const { text = "", reasoning = "", calls = [], open, finish, asked = 1, ending = "sent", report } = expected;
  return {
    text,
    reasoning,
    calls,
    // What is cut of a whole answer, and on a wire that holds each piece back, was never begun.
    open: stream && !wire.holdsBack ? open : undefined,
    finish,
    asked,
    ending,
    report: {
      outcome: finish === "tool_calls" ? "tool" : finish,
      ...(calls.length > 0 && { calls: calls.length }),
      upstream_requests: asked,
      ...report,
    },
  };
}

const saidOf = (said: string | Said): Said => (typeof said === "string" ? { text: said } : said);

function scriptOf(said: string | Said, size: number): Script {
  const { text = "", native = [], finish, reasoning } = saidOf(said);
  const { steps = [] } = says(text, { size, finish: null, ...(reasoning !== undefined && { reasoning }) });
  const calls = native.map(([name, json], index) =>
    chunk({ tool_calls: [{ index, id: `c${index}`, function: { name, arguments: json } }] }),
  );
  const end = chunk({}, finish ?? (native.length > 0 ? "tool_calls" : "stop")) + DONE;
  return { steps: [...steps.slice(0, -1), ...[...calls, end].map((send) => ({ send }))] };
}
