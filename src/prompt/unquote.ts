import type { Emit, Stage, StageEvent } from "../reply.ts";
import { isNameCharacter, type QuotedMark, type Quoting } from "./quoting.ts";

/**
 * Undoes the quoting of untrusted text (prompt/quoting.ts) in what the model says and in what it passes to tools, so
 * that an edit of a file holds the file's own characters.
 *
 * Held is at most one possible mark, from its last `~` on: no more than the longest reserved spelling and a character,
 * each at most six long where JSON escapes it. Events that no mark touches pass as they are.
 */
export function createUnquote(options: { quoting: Quoting }, emit: Emit): Stage<StageEvent> {
  const text = createUnquoter(options.quoting.marks, "text");
  const json = createUnquoter(options.quoting.marks, "json");
  /** What was pushed last, and may be held in part. */
  let current: "text" | "reasoning" | "call-arguments" | undefined;

  function flush() {
    if (current === "call-arguments") emitArguments(json.end());
    else if (current) emitText(current, text.end());
    current = undefined;
  }

  function emitText(type: "text" | "reasoning", piece: string) {
    if (piece !== "") emit({ type, text: piece });
  }

  function emitArguments(piece: string) {
    if (piece !== "") emit({ type: "call-arguments", json: piece });
  }

  return {
    push(event) {
      if (event.type === "usage") {
        // Some upstreams send it behind every delta, so it may stand in the middle of a mark.
        emit(event);
        return;
      }
      if (event.type !== current) flush();
      switch (event.type) {
        case "text":
        case "reasoning": {
          current = event.type;
          const piece = text.push(event.text);
          if (piece === event.text) emit(event);
          else emitText(event.type, piece);
          return;
        }
        case "call-arguments": {
          current = event.type;
          const piece = json.push(event.json);
          if (piece === event.json) emit(event);
          else emitArguments(piece);
          return;
        }
        case "call-start":
        case "call-end":
        case "finish":
        case "error":
          emit(event);
          return;
        default:
          event satisfies never;
      }
    },
  };
}

interface Unquoter {
  /** What is decided so far; the very same string where nothing had to change. */
  push(text: string): string;
  /** What was held, as it is. */
  end(): string;
}

/**
 * Reads a bracket, `~`s and the rest of a mark, one character at a time and across any cut. In JSON a character may be spelled
 * as an escape (`\u003c`, `\/`): our own history is written so, and models copy it.
 */
function createUnquoter(marks: readonly QuotedMark[], spelling: "text" | "json"): Unquoter {
  const byBracket: Readonly<Record<string, readonly QuotedMark[]>> = Object.groupBy(marks, ({ bracket }) => bracket);
  let state: "plain" | "square" | "bracket" | "tilde" | "rest" = "plain";
  /** The marks that it may still be, and how much of their rest is there. */
  let open: readonly QuotedMark[] = [];
  let matched = 0;
  /** A whole mark is there, if its name does not go on. */
  let complete = false;
  /** An escape under way, such as `\u00`. */
  let sequence = "";
  /** From the mark's last `~` on, pushed earlier. */
  let held = "";

  function start(bracket: string) {
    const begun = byBracket[bracket];
    state = begun ? "bracket" : bracket === "]" ? "square" : "plain";
    open = begun ?? [];
    matched = 0;
    complete = false;
  }

  /** `hold`: this `~` may have to go, so it waits. `undo`: a mark is complete, so its last `~` goes. */
  function step(character: string): "hold" | "undo" | undefined {
    if (character === "~" && (state === "bracket" || state === "tilde")) {
      state = "tilde";
      return "hold";
    }
    if (state !== "tilde" && state !== "rest") {
      start(state === "square" && character === "~" ? "]~" : character);
      return undefined;
    }
    if (complete && !isNameCharacter(character)) {
      start(character);
      return "undo";
    }
    state = "rest";
    const folded = character.replace(/[A-Z]/, (capital) => capital.toLowerCase());
    open = open.filter(({ rest, anyCase }) => rest[matched] === (anyCase ? folded : character));
    matched += 1;
    const ended = open.filter((mark) => mark.rest.length === matched);
    const undo = ended.some(({ whole }) => !whole);
    complete = ended.length > 0;
    if (undo || open.length === 0) start(character);
    return undo ? "undo" : undefined;
  }

  /** The next character, decoded; nothing while its escape is under way. */
  function read(unit: string): string | undefined {
    if (spelling === "text" || (sequence === "" && unit !== "\\")) return unit;
    sequence += unit;
    if (sequence.length < 2 || (sequence[1] === "u" && sequence.length < 6)) return undefined;
    const character = decodeEscape(sequence);
    sequence = "";
    return character;
  }

  return {
    push(text) {
      let out = "";
      let from = 0;
      let at = 0;
      if (held === "" && sequence === "" && text !== "" && !text.includes("~")) {
        // Nothing changes, and only the end of the text can belong to a mark that goes on behind it.
        start("");
        at = lastCharacter(text, spelling);
      }
      for (; at < text.length; at += 1) {
        const unit = text.charAt(at);
        if (state === "plain" && sequence === "" && !"<[]\\".includes(unit)) continue;
        const character = read(unit);
        const verdict = character === undefined ? undefined : step(character);
        if (verdict === "hold") {
          out += held + text.slice(from, at);
          held = "";
          from = at;
        } else if (verdict === "undo") {
          // The `~` is the first character of what waits, here or in an earlier push.
          if (held === "") from += 1;
          else held = held.slice(1);
        }
      }
      if (state === "tilde" || state === "rest") {
        held += text.slice(from);
        return out;
      }
      out += held + text.slice(from);
      held = "";
      return out;
    },
    end() {
      const rest = complete ? held.slice(1) : held;
      held = "";
      sequence = "";
      start("");
      return rest;
    },
  };
}

/** Where the last character begins, as a whole escape where it is one, or some character before it. */
function lastCharacter(text: string, spelling: "text" | "json"): number {
  const last = text.length - 1;
  if (spelling === "text") return last;
  const backslash = text.indexOf("\\", text.length - "\\u003c".length);
  let at = backslash === -1 ? last : backslash;
  // Only the first of several backslashes surely begins an escape.
  while (text[at - 1] === "\\") at -= 1;
  return at;
}

/** A `~` is never escaped by anyone, so an escaped one is not ours; the letters of `\n` and the like are no characters. */
function decodeEscape(sequence: string): string {
  const letter = sequence.charAt(1);
  if (letter !== "u") return '"\\/'.includes(letter) ? letter : "";
  const character = String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
  return character === "~" ? "" : character;
}
