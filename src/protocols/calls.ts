import type { CallPart, Json, Part, ResultPart } from "../conversation.ts";
import { createArgumentsReader } from "./arguments.ts";
import type { Warn } from "./warnings.ts";

/**
 * Calls and results of the history, on any wire. What is odd in them is borne: the client cannot repair its history, and
 * a 400 would end its session for good.
 */
export interface CallHistory {
  /**
   * None where the call has no name.
   * @param input arguments as the wire has them: an object, or JSON in a string
   */
  call(id: string, name: string | undefined, input: Json | undefined): CallPart[];
  /** @param own the name that the result itself gives; most wires' results have none */
  result(callId: string, parts: Part[], failed?: boolean, own?: string): ResultPart;
}

export function createCallHistory(warn: Warn): CallHistory {
  const names = new Map<string, string>();
  const readArguments = createArgumentsReader();
  return {
    call(id, name, input) {
      if (!name) {
        warn("a tool call without a name was left out of the history");
        return [];
      }
      names.set(id, name);
      return [{ type: "tool-call", id, name, input: readArguments(input) }];
    },
    result(callId, parts, failed = false, own) {
      const name = names.get(callId) ?? own;
      return { type: "tool-result", callId, ...(name !== undefined && { name }), failed, parts };
    },
  };
}
