import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import type { TagPair } from "../sieve/grammars/tag-set.ts";
import { type Mark, type Notation, type Opener, type Read, tag } from "../sieve/notation.ts";
import type { TagRest } from "../sieve/tag-rest.ts";
import { attribute } from "./attribute.ts";
import type { CallWriter } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** What notations share whose tags have a marker between bars before their names, such as `<｜DSML｜invoke …>`. */

/** What stands around the name of a tag. */
export interface Frame {
  readonly open: string;
  readonly close: string;
  readonly after?: string;
  /** What wrappers are called in it, where that is not all that they may be called. */
  readonly blocks?: readonly BlockName[];
  /** What it takes where models get it wrong (sieve.md T4). */
  readonly repair?: string;
}

export interface BlockName {
  readonly name: string;
  readonly repair?: string;
}

/** A tag as it may be written. */
interface Spelled {
  readonly open: Mark;
  readonly close: Mark;
  readonly repairs: readonly string[];
}

// ── read ──

/** Every spelling is compiled, however wrong: a stream that is put right first would not be the text that it was. */
export function barredTags(
  frames: readonly Frame[],
  names: readonly BlockName[],
): Required<Pick<Notation, "openers" | "wrappers" | "bodies" | "closers">> {
  const blocks = frames.flatMap((frame) => (frame.blocks ?? names).map((block) => spell(frame, block)));
  const calls = frames.map((frame) => spell(frame, { name: "invoke" }));
  const call = pairOf(calls);
  const parameter = pairOf(frames.map((frame) => spell(frame, { name: "parameter" })));
  const tags = parameterTags({ call, parameter, style: "verbatim", typeOf, bodies: [objectBody] });

  const { closes } = pairOf(blocks);
  const wrappers = blocks.map(({ open, close }) => ({ open, closes: unique([close, ...closes]) }));
  const repairs = new Map(blocks.map(({ open, repairs }) => [open.spelling, repairs]));
  return {
    wrappers,
    bodies: [
      {
        source: "xml",
        leads: tags.leads,
        in: (wrapper) => repairing(repairs.get(wrapper.open.spelling) ?? [], tags.in(wrapper)),
      },
    ],
    // The wrapper's opener is missing (sieve.md M2).
    openers: wrappers.slice(0, 1).flatMap((wrapper) =>
      calls.map(({ open, repairs }): Opener => {
        const read = repairing(repairs, tags.behind(open, wrapper));
        return { ...open, evidence: "wrapper-missing", read };
      }),
    ),
    closers: [...call.closes, ...parameter.closes],
  };
}

function spell({ open, close, after = "", repair }: Frame, block: BlockName): Spelled {
  return {
    open: tag(`${open}${block.name}${after}`),
    close: tag(`${close}${block.name}${after}`),
    repairs: [repair, block.repair].filter((each) => each !== undefined),
  };
}

function pairOf(spelled: readonly Spelled[]): TagPair {
  return { opens: spelled.map(({ open }) => open), closes: unique(spelled.map(({ close }) => close)) };
}

function unique(marks: readonly Mark[]): Mark[] {
  return [...new Map(marks.map((each) => [each.spelling, each])).values()];
}

function repairing(repairs: readonly string[], read: Read): Read {
  return function* (block, head) {
    for (const repair of repairs) block.repaired(repair);
    return yield* read(block, head);
  };
}

/** Without the attribute the schema tells (dialects that teach CDATA have none). */
function typeOf(head: TagRest): "string" | "literal" | undefined {
  switch (head.attribute("string")?.toLowerCase()) {
    case "true":
      return "string";
    case "false":
      return "literal";
    default:
      return undefined;
  }
}

// ── write ──

/** Calls as the vendors' own templates have them. */
export function barredWriter(marker: string, block: string): CallWriter {
  return pairWriter({
    block: (calls) => `<${marker}${block}>\n${calls}\n</${marker}${block}>`,
    call: (name, parameters) => `<${marker}invoke name="${attribute(name)}">\n${parameters}</${marker}invoke>`,
    pair: (key, value, type) =>
      `<${marker}parameter name="${attribute(key)}" string="${type === "string"}">${value}</${marker}parameter>\n`,
    separator: "\n",
    marks: new RegExp(`^[ \\t\\r\\n]*<!\\[CDATA\\[|<[</|｜]*${marker.replace(/[|｜]/g, "")}`, "i"),
  });
}
