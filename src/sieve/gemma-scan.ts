import { ArgumentEnd, type ArgumentStructure } from "./argument-scan/argument-end.ts";
import { ArgumentValue, type Beginning, type Begun } from "./argument-scan/argument-value.ts";
import { BareWords, type WordsStructure } from "./argument-scan/bare-words.ts";
import { DelimitedText } from "./argument-scan/delimited-text.ts";
import { NestedSource } from "./argument-scan/nested-source.ts";
import { decoded, Quoted } from "./argument-scan/quoted.ts";
import { compileWords, Matcher } from "./matcher.ts";
import { Triggers } from "./triggers.ts";
import type { Member } from "./values/sinks.ts";

/** Objects with bare keys and strings between delimiters: `{key:<d>text<d>,n:3,tags:[<d>x<d>],meta:{a:true}}`. */
export interface DelimitedObjects {
  /** Stands before a string and behind it. */
  readonly delimiter: Triggers<string>;
  /** What stands behind a string in quotes. */
  readonly behindQuotes: ArgumentStructure;
  readonly behindWords: WordsStructure;
}

const CLOSE = "})";
const BEGINS_END = Array.from(` \t\r\n,${CLOSE}`, (character) => character.charCodeAt(0));

/** @param mark stands behind a call and tells that it ends, even if nothing closed its arguments */
export function compileDelimitedObjects(delimiter: string, mark: string): DelimitedObjects {
  const ends = { spelling: mark, tag: false, meaning: "end" } as const;
  // One that has lost its other half.
  const nothing = { spelling: delimiter, tag: false, meaning: "nothing" } as const;
  // Models that lose their way write the shell of a Python call around the same values.
  const structure = { assign: ":=", close: CLOSE, behind: "<", next: { separator: "", open: "{(" } };
  return {
    delimiter: compileWords([], [delimiter]),
    behindQuotes: { ...structure, marks: new Triggers([ends]) },
    behindWords: { ...structure, marks: new Triggers<"end" | "nothing">([ends, nothing], BEGINS_END) },
  };
}

/**
 * The value of a member, up to what stands behind it. Strings may also stand in quotes or in nothing at all (R23); those
 * end where the arguments go on, or end with structure behind them.
 */
export function delimitedObjectValue(objects: DelimitedObjects, member: Member): ArgumentValue {
  return new ArgumentValue(new ValueBeginning(objects), member);
}

class ValueBeginning implements Beginning {
  readonly #objects: DelimitedObjects;
  readonly #matcher: Matcher<string>;

  constructor(objects: DelimitedObjects) {
    this.#objects = objects;
    this.#matcher = new Matcher(objects.delimiter);
  }

  get held(): number {
    return this.#matcher.held.length;
  }

  step(code: number): Begun | undefined {
    const { delimiter } = this.#objects;
    const released = this.#matcher.step(code);
    if (this.#matcher.hit !== undefined) {
      return { kind: "string", read: "", reader: (write) => new DelimitedText(delimiter, write) };
    }
    return released === "" ? undefined : this.#begin(released + this.#matcher.take());
  }

  #begin(read: string): Begun {
    const { delimiter, behindQuotes, behindWords } = this.#objects;
    const [first = ""] = read;
    const end = () => new ArgumentEnd(behindQuotes);
    if (`"'`.includes(first)) {
      return {
        kind: "string",
        read: "",
        reader: (write, repaired) => {
          repaired("string-delimiters");
          return new Quoted(first, false, decoded(write), end, repaired);
        },
      };
    }
    if ("[{".includes(first))
      return { kind: "literal", read, reader: (write, repaired) => new NestedSource(delimiter, write, repaired) };
    if (",)]}".includes(first)) return "stray";
    return { kind: "literal", read, reader: (write) => new BareWords(behindWords, write) };
  }
}
