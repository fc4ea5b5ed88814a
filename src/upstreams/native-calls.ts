import { isObject, parseJson } from "../json.ts";
import { UPSTREAM_LIMITS } from "../limits.ts";
import type { Emit } from "../reply.ts";

/** A piece of one native tool call, as far as the upstream spells it out. */
export interface CallDelta {
  index?: number;
  id: string;
  name: string;
  /** A fragment of the arguments' JSON. */
  arguments: string;
}

interface NativeCall {
  id: string;
  name: string;
  pieces: string[];
}

/** Puts native tool calls together. None is ever asked for, but what an upstream gives must not be lost. */
export interface NativeCalls {
  push(delta: CallDelta): void;
  /** Emits the calls that are whole; false when one was cut, cannot be read or is beyond the cap. */
  flush(emit: Emit): boolean;
}

export function createNativeCalls(): NativeCalls {
  const calls: NativeCall[] = [];
  const byIndex = new Map<number, NativeCall>();
  /** Stands for every call beyond the cap: what continues one of them must not continue another. */
  const lost: NativeCall = { id: "", name: "", pieces: [] };
  let last: NativeCall | undefined;

  /** Some upstreams leave the index out, others give 0 to every call of a turn: then a new id or name tells. */
  function belongsTo(delta: CallDelta): NativeCall | undefined {
    const known = delta.index === undefined ? last : byIndex.get(delta.index);
    if (!known || delta.name === "") return known;
    const sameId = delta.id === "" ? delta.index !== undefined : delta.id === known.id;
    return sameId || known.name === "" ? known : undefined;
  }

  function begin({ id, index }: CallDelta): NativeCall {
    if (calls.length < UPSTREAM_LIMITS.calls) {
      last = { id, name: "", pieces: [] };
      calls.push(last);
      if (index !== undefined) byIndex.set(index, last);
    } else {
      last = lost;
      if (index !== undefined && byIndex.has(index)) byIndex.set(index, lost);
    }
    return last;
  }

  return {
    push(delta) {
      const call = belongsTo(delta) ?? begin(delta);
      if (call === lost) return;
      call.id ||= delta.id;
      call.name ||= delta.name;
      if (delta.arguments !== "") call.pieces.push(delta.arguments);
    },
    flush(emit) {
      let whole = last !== lost;
      for (const { name, pieces } of calls) {
        const json = argumentsObject(joinPieces(pieces));
        if (name === "" || json === undefined) {
          whole = false;
          continue;
        }
        emit({ type: "call-start", name });
        emit({ type: "call-arguments", json });
        emit({ type: "call-end" });
      }
      return whole;
    },
  };
}

/** Some upstreams say all of it once more in the last piece. */
function joinPieces(pieces: readonly string[]): string {
  const before = pieces.slice(0, -1).join("");
  const last = pieces.at(-1) ?? "";
  return before === last ? last : before + last;
}

/** The JSON of the arguments object as it was sent, so that digits stay; undefined when it is none. */
function argumentsObject(sent: string): string | undefined {
  const json = sent.trim();
  if (json === "") return "{}";
  const value = parseJson(json);
  if (isObject(value)) return json;
  // Encoded twice, as some servers do.
  if (typeof value === "string" && isObject(parseJson(value))) return value;
  return value === null ? "{}" : undefined;
}
