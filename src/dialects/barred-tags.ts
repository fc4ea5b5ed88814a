import { objectBody } from "../sieve/grammars/object-body.ts";
import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import type { TagPair } from "../sieve/grammars/tag-set.ts";
import { type Mark, markOf, type Notation, type Opener, type Read, type Wrapper } from "../sieve/notation.ts";
import type { Repair } from "../sieve/repairs.ts";
import type { TagRest } from "../sieve/tag-rest.ts";
import { attribute } from "./attribute.ts";
import type { CallWriter } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** What notations share whose tags have a marker between bars before their names, such as `<｜DSML｜invoke …>`. */

/** A way to write the tags. */
export interface Frame {
  /** All that stands behind the bracket of a tag of this name, the usual spelling first. */
  readonly spell: (name: string) => readonly string[];
  /** What opening tags begin with, where that is no single bracket. */
  readonly bracket?: string;
  /** What wrappers are called in it, where that is not all that they may be called. */
  readonly blocks?: readonly BlockName[];
  /** What it takes where models get it wrong (sieve.md T4). */
  readonly repair?: Repair;
}

export interface BlockName {
  readonly name: string;
  readonly repair?: Repair;
}

// ── read ──

/** Every spelling is compiled, however wrong: a stream that is put right first would not be the text that it was. */
export function barredTags(
  frames: readonly Frame[],
  names: readonly BlockName[],
): Required<Pick<Notation, "openers" | "wrappers" | "bodies" | "closers">> {
  const blocks = frames.flatMap((frame) => (frame.blocks ?? names).map((name) => blockOf(frame, name)));
  const closes = blocks.flatMap((block) => block.closes);
  const wrappers = blocks.map((block) => ({ open: block.open, closes: [...new Set([...block.closes, ...closes])] }));
  const repairsIn = ({ open }: Wrapper) => blocks.find((block) => block.open === open)?.repairs ?? [];

  const [call, parameter] = [pairOf(frames, "invoke"), pairOf(frames, "parameter")];
  const tags = parameterTags({ call, parameter, style: "verbatim", typeOf, bodies: [objectBody] });
  const inside = (wrapper: Wrapper) => repairing(repairsIn(wrapper), tags.in(wrapper));
  // The wrapper's opener is missing (sieve.md M2).
  const bare = (frame: Frame): Opener => {
    const opener = openerOf(frame, "invoke");
    const read = repairing([frame.repair], tags.behind(opener, wrappers[0]));
    return { ...opener, evidence: "wrapper-missing", read };
  };

  return {
    wrappers,
    bodies: [{ source: "xml", leads: tags.leads, in: inside }],
    openers: frames.map(bare),
    closers: [...call.closes, ...parameter.closes],
  };
}

function blockOf(frame: Frame, { name, repair }: BlockName) {
  return { open: openerOf(frame, name), closes: closersOf(frame, name), repairs: [frame.repair, repair] };
}

function pairOf(frames: readonly Frame[], name: string): TagPair {
  return {
    opens: frames.map((frame) => openerOf(frame, name)),
    closes: frames.flatMap((frame) => closersOf(frame, name)),
  };
}

function openerOf({ spell, bracket = "<" }: Frame, name: string): Mark {
  return tagOf(spell(name).map((rest) => bracket + rest));
}

/** None where only opening tags are written so. */
function closersOf({ spell, bracket }: Frame, name: string): Mark[] {
  return bracket === undefined ? [tagOf(spell(name).map((rest) => `</${rest}`))] : [];
}

const tagOf = (spellings: readonly string[]): Mark => ({ ...markOf(spellings), tag: true });

function repairing(repairs: readonly (Repair | undefined)[], read: Read): Read {
  return function* (block, head) {
    for (const repair of repairs) if (repair !== undefined) block.repaired(repair);
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
