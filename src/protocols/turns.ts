import { type Part, type Turn, textOf } from "../conversation.ts";

/**
 * Messages of any wire on their way to turns. Only leading system messages are the system text: a later one keeps its
 * place, so that turn n stays a prefix of turn n + 1. Results are the user's, whoever's message they stand in: they come
 * first in it, or behind the calls of an answer, and a run of them is one turn.
 */
export interface TurnList {
  system(parts: readonly Part[]): void;
  user(parts: readonly Part[]): void;
  /**
   * Nothing where an answer was empty, or broke off before its first word.
   * @param joins what stands right behind an answer belongs to it: a wire may send one answer in several items
   */
  assistant(parts: readonly Part[], joins?: boolean): void;
  read(): { system: string; turns: Turn[] };
}

export function createTurnList(): TurnList {
  const leading: string[] = [];
  const turns: Turn[] = [];
  let begun = false;

  function add(role: Turn["role"], parts: readonly Part[], joins = false) {
    begun = true;
    const last = joins ? turns.at(-1) : undefined;
    // One by one: as arguments of one `push`, the parts of a long message would overflow the stack.
    if (last) for (const part of parts) last.parts.push(part);
    else if (role === "user" || parts.length > 0) turns.push({ role, parts: [...parts] });
  }

  function addResults(parts: readonly Part[]) {
    const results = parts.filter(isResult);
    if (results.length > 0) add("user", results, turns.at(-1)?.parts.some(isResult));
  }

  return {
    system(parts) {
      const text = textOf(parts);
      if (!begun) leading.push(text);
      else if (text !== "") turns.push({ role: "user", parts: [{ type: "text", text: `[system note]\n${text}` }] });
    },
    user(parts) {
      addResults(parts);
      const others = parts.filter((part) => !isResult(part));
      if (others.length > 0 || parts.length === 0) add("user", others);
    },
    assistant(parts, joins = false) {
      const others = parts.filter((part) => !isResult(part));
      add("assistant", others, joins && turns.at(-1)?.role === "assistant");
      addResults(parts);
    },
    read: () => ({ system: leading.filter((text) => text !== "").join("\n\n"), turns }),
  };
}

const isResult = ({ type }: Part) => type === "tool-result";
