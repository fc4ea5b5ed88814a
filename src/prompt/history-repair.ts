import type { CallPart, JsonObject, Part, ResultPart, Turn } from "../conversation.ts";
import { DIALECTS, findDialect } from "../dialects/all.ts";
import { canonical } from "../dialects/canonical.ts";
import { isObject, parseExactJson } from "../json.ts";
import { jsonIdentity } from "../json-identity.ts";
import { once } from "../once.ts";
import { Recent } from "../recent.ts";
import { createTextReader, type SieveOptions } from "../sieve/index.ts";
import { matchResults } from "./results.ts";
import { createStrayMarks, type TakeOut } from "./stray-marks.ts";
import { callsOf, groupTurns, resultsOf } from "./turns.ts";

/** A history as it should have been sent. */
export interface RepairedHistory {
  turns: readonly Turn[];
  /** Messages of the assistant that held calls or their markup. */
  repaired: number;
}

/** What becomes of the text of an answer; the calls in it are parts that have no id yet. */
type Repair = (text: string) => readonly Part[];

/** Taking out a block can join what stood around it to another one: a text that still changes then holds nothing else. */
const MOST_PASSES = 4;

/**
 * Repairs answers of the assistant that hold calls as text: a model takes what it sees itself do for the way to do it. A
 * call that was run (the next turn of the user has a result that can only be its) becomes a call; any other one goes, for
 * it must not look as if it had been run. Tags that are left of broken calls go, and stop tokens; code stays as it is.
 *
 * What becomes of a message depends on nothing behind the user's turn that follows it, so it keeps its bytes. The last
 * message is left alone: a model goes on where it ends.
 *
 * @param options those of the route's sieve: a call is what it would have been in a reply
 */
export function repairHistory(turns: readonly Turn[], options: SieveOptions): RepairedHistory {
  const groups = groupTurns(turns);
  const known = new Set<string>();
  // Made once there is an answer to read: most conversations begin without one.
  const repair = once(() => createRepair(options));
  let repaired = 0;
  let changed = false;
  const whole = groups.flatMap(({ role, turns }, index) => {
    const next = groups[index + 1];
    if (role === "user" || !next) return turns;
    for (const call of callsOf(turns)) known.add(call.id);
    const read = turns.map((turn) => repairTurn(turn, repair()));
    if (read.every(({ turn }, at) => turn === turns[at])) return turns;
    changed = true;
    if (read.some(({ leaked }) => leaked)) repaired += 1;
    const told = read.map(({ turn }) => turn);
    return answerLeaked(turns, told, next.turns, known, index);
  });
  return { turns: changed ? whole : turns, repaired };
}

/** Pieces of one text are read as one. The same turn where there is nothing to repair. */
function repairTurn(turn: Turn, repair: Repair): { turn: Turn; leaked: boolean } {
  const parts: Part[] = [];
  let changed = false;
  let leaked = false;
  for (let at = 0; at < turn.parts.length; ) {
    const from = at;
    let text = "";
    for (let part = turn.parts[at]; part?.type === "text"; part = turn.parts[++at]) text += part.text;
    if (at === from) at += 1;
    const read = text === "" ? undefined : repair(text);
    const [first] = read ?? [];
    const same = read === undefined || (read.length === 1 && first?.type === "text" && first.text === text);
    for (const part of same ? turn.parts.slice(from, at) : read) parts.push(part);
    changed ||= !same;
    leaked ||= !same && !isThoughtAndText(text, read);
  }
  return { turn: changed ? { ...turn, parts } : turn, leaked };
}

/** Nothing but what was thought, in its marks, and what was said: as good as reasoning that stands by itself. */
function isThoughtAndText(text: string, parts: readonly Part[]): boolean {
  const [said, thought] = parts;
  if (said?.type !== "text" || thought?.type !== "reasoning") return false;
  return withoutBlanks(text) === withoutBlanks(`<think>${thought.text}</think>${said.text}`);
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, "");

/** Keeps the leaked calls that have a result and are not there already, each under the id of its result. */
function answerLeaked(
  sent: readonly Turn[],
  read: readonly Turn[],
  behind: readonly Turn[],
  known: Set<string>,
  place: number,
): Turn[] {
  const structured = callsOf(sent);
  const isSent = new Set<Part>(structured);
  const twins = new Set(structured.map(identity));
  const leaked = callsOf(read).filter((call) => !isSent.has(call) && !twins.has(identity(call)));

  const { orphans } = matchResults(structured, resultsOf(behind), (id) => known.has(id));
  const free = orphans.filter(({ callId }) => !known.has(callId));
  // An id that no call ever had was that of a call that leaked: in the client's eyes there was one.
  const originals = new Map(free.map((result): [ResultPart, ResultPart] => [{ ...result, callId: "" }, result]));
  const { byCall } = matchResults(leaked, [...originals.keys()], () => false);

  const answered = new Map<Part, CallPart>();
  for (const [index, call] of leaked.entries()) {
    const [answer] = byCall[index] ?? [];
    const result = answer && originals.get(answer);
    if (result) answered.set(call, { ...call, id: result.callId || `leaked_${place}_${index}` });
  }
  for (const { id } of answered.values()) known.add(id);
  return read.map((turn) => ({ ...turn, parts: turn.parts.flatMap((part) => keep(part, isSent, answered)) }));
}

function keep(part: Part, isSent: ReadonlySet<Part>, answered: ReadonlyMap<Part, CallPart>): Part[] {
  if (part.type !== "tool-call" || isSent.has(part)) return [part];
  const call = answered.get(part);
  return call ? [call] : [];
}

function identity({ name, input }: CallPart): string {
  return `${name} ${jsonIdentity(JSON.stringify(input))}`;
}

/** By the notations that are expected: a route has few sets of them, and each costs a large expression. */
const MOST_SETS = 16;
const strayMarks = new Recent<TakeOut>(MOST_SETS);

function createRepair(options: SieveOptions): Repair {
  const { tools, mode = "feature_match", dialects = [] } = options;
  const asText = createTextReader({ tools, mode, dialects, malformed: "text", reasoningCalls: "never" });
  const without = createTextReader({ tools, mode, dialects, malformed: "drop", reasoningCalls: "never" });
  const takeOut = strayMarks.get(dialects.join(" "), () => {
    const pinned = dialects.map(findDialect).filter((dialect) => dialect !== undefined);
    return createStrayMarks([...new Set([canonical, ...pinned])], DIALECTS);
  });

  return (given) => {
    let text = given;
    const beside: Part[] = [];
    for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
      const whole = asText(text);
      // What is broken, but was meant to call, holds arguments, and hardly ever prose.
      const { sawToolCallSyntax, blocks } = whole.report;
      const broken = sawToolCallSyntax && blocks.some(({ outcome }) => outcome !== "call");
      const found = broken ? without(text) : whole;
      const left = takeOut(found.text);
      if (left === text) return [{ type: "text", text }, ...beside];
      if (pass === 1) beside.push(...besideText(found));
      text = trimLines(left);
    }
    return beside;
  };
}

function besideText({ reasoning, calls }: ReturnType<ReturnType<typeof createTextReader>>): Part[] {
  const thought: Part[] = reasoning === "" ? [] : [{ type: "reasoning", text: reasoning }];
  return [...thought, ...calls.map(({ name, arguments: json }) => leakedCall(name, parseExactJson(json)))];
}

function leakedCall(name: string, input: unknown): CallPart {
  return { type: "tool-call", id: "", name, input: isObject(input) ? (input as JsonObject) : {} };
}

/** Blank lines at the start, and blanks at the end, that only parted the text from what is gone. */
function trimLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}
