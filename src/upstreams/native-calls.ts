import type { NativeCall } from "../reply.ts";
import { FirstJson } from "./first-json.ts";

/** A piece of one native tool call, as far as the upstream spells it out. */
export interface CallDelta {
  index?: number;
  id: string;
  name: string;
  /** A fragment of the arguments' JSON. */
  arguments: string;
}

interface OpenCall {
  id: string;
  name: string;
  arguments: FirstJson;
}

/** Puts native tool calls together, whatever deltas a server makes of them: what an upstream gives must not be lost. */
export interface NativeCalls {
  push(delta: CallDelta): void;
  /** All calls as they came, cut ones and those without a name, too. */
  all(): NativeCall[];
  /** There were more calls than there may be. */
  readonly overflowed: boolean;
}

/**
 * @param isTool the name is that of a declared tool: whoever says another one, whole, does not go on with it
 * @param most calls behind them are lost
 */
export function createNativeCalls(isTool: (name: string) => boolean = () => false, most: number): NativeCalls {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const byId = new Map<string, OpenCall>();
  /** Stands for every call beyond the cap: what continues one of them must not continue another. */
  const lost = createCall("");
  let last: OpenCall | undefined;
  let overflowed = false;

  function find(delta: CallDelta): OpenCall | undefined {
    const known = placeOf(delta);
    const call = known ?? (delta.index === undefined ? last : strayed(delta));
    return call && (call === lost || continues(call, delta, known !== undefined, isTool)) ? call : undefined;
  }

  /** An id tells more than an index: some servers give one call several indexes, others all calls the same one. */
  function placeOf({ id, index }: CallDelta): OpenCall | undefined {
    return byId.get(id) ?? (index === undefined ? undefined : byIndex.get(index));
  }

  /** Under a new index, but without an id: some servers count the deltas with it. */
  function strayed({ id, name, arguments: piece }: CallDelta): OpenCall | undefined {
    if (overflowed) return lost;
    if (!last || last.name === "" || id !== "") return undefined;
    const goesOn = name === "" ? !last.arguments.ended : name === last.name && last.arguments.open && !isBraced(piece);
    return goesOn ? last : undefined;
  }

  function begin(id: string, index: number | undefined): OpenCall {
    overflowed ||= calls.length === most;
    const call = overflowed ? lost : createCall(id);
    if (!overflowed) calls.push(call);
    // Beyond the cap only places are taken that a call before it had.
    if (index !== undefined && (!overflowed || byIndex.has(index))) byIndex.set(index, call);
    if (id !== "" && (!overflowed || byId.has(id))) byId.set(id, call);
    return call;
  }

  function write(call: OpenCall, delta: CallDelta) {
    if (call === lost) return;
    const hadEnded = call.arguments.ended;
    const rest = call.arguments.push(delta.arguments).trim();
    if (rest === "") return;
    const { text } = call.arguments;
    // Said once more as a whole, or nothing that could be arguments.
    if (rest === text.trim() || !rest.startsWith("{")) return;
    // An empty object where there was nothing to tell yet.
    if (hadEnded && /^\s*\{\s*\}$/.test(text)) {
      call.arguments = new FirstJson();
      return write(call, { ...delta, arguments: rest });
    }
    // Arguments of several calls, one behind the other.
    const next = begin(delta.id || call.id, delta.index);
    if (next.id === call.id) next.name = call.name;
    last = next;
    write(next, { ...delta, arguments: rest });
  }

  return {
    push(delta) {
      const call = find(delta) ?? begin(delta.id, delta.index);
      last = call;
      if (call === lost) return;
      call.id ||= delta.id;
      if (call.name !== delta.name) call.name += delta.name;
      write(call, delta);
    },
    all: () => calls.map(({ name, arguments: sent }) => ({ type: "native-call", name, json: sent.text })),
    get overflowed() {
      return overflowed;
    },
  };
}

function createCall(id: string): OpenCall {
  return { id, name: "", arguments: new FirstJson() };
}

/**
 * Whether a delta goes on with the call whose place it has, or which it stands behind. Without a name it always does,
 * even with an id of its own. With one it may say the name again or go on with it; but where many calls have one index or
 * none, only another id, another tool's whole name, or the end of the arguments, tells that it is the next call. Not even
 * another id does in the midst of arguments, unless a new object begins: a server may make one up for every delta.
 */
function continues(
  call: OpenCall,
  { id, name, arguments: piece }: CallDelta,
  samePlace: boolean,
  isTool: (name: string) => boolean,
): boolean {
  if (name === "" || call.name === "") return true;
  const isSaidAgain = name === call.name;
  const { open, ended, inString } = call.arguments;
  if (id !== "" && call.id !== "" && id !== call.id) return isSaidAgain && open && (inString || !isBraced(piece));
  if (ended) return samePlace && isSaidAgain;
  if (!isSaidAgain && isTool(call.name) && isTool(name)) return false;
  return samePlace || (isSaidAgain && open);
}

function isBraced(piece: string): boolean {
  return piece.trimStart().startsWith("{");
}
