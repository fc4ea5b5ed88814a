import { type Part, type ResultPart, type Turn, textOf } from "../conversation.ts";

/**
 * Messages of any wire on their way to turns. Only leading system messages are the system text: a later one keeps its
 * place, so that turn n stays a prefix of turn n + 1.
 */
export interface TurnList {
  system(parts: readonly Part[]): void;
  user(parts: Part[]): void;
  /**
   * Nothing where an answer was empty, or broke off before its first word.
   * @param joins what stands right behind an answer belongs to it: a wire may send one answer in several items
   */
  assistant(parts: Part[], joins?: boolean): void;
  /** A run of results is one user turn. */
  result(result: ResultPart): void;
  read(): { system: string; turns: Turn[] };
}

export function createTurnList(): TurnList {
  const leading: string[] = [];
  const turns: Turn[] = [];
  let begun = false;

  function add(role: Turn["role"], parts: Part[]) {
    begun = true;
    if (role === "user" || parts.length > 0) turns.push({ role, parts });
  }

  return {
    system(parts) {
      const text = textOf(parts);
      if (!begun) leading.push(text);
      else if (text !== "") turns.push({ role: "user", parts: [{ type: "text", text: `[system note]\n${text}` }] });
    },
    user: (parts) => add("user", parts),
    assistant(parts, joins = false) {
      const last = turns.at(-1);
      if (joins && last?.role === "assistant") for (const part of parts) last.parts.push(part);
      else add("assistant", parts);
    },
    result(result) {
      const last = turns.at(-1);
      if (last?.parts[0]?.type === "tool-result") last.parts.push(result);
      else add("user", [result]);
    },
    read: () => ({ system: leading.filter((text) => text !== "").join("\n\n"), turns }),
  };
}
