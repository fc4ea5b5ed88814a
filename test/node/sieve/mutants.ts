import fc from "fast-check";
import { DIALECTS } from "../../../src/dialects/all.ts";
import type { Dialect, WrittenCall } from "../../../src/dialects/dialect.ts";
import { MARKS, type Mutation, mutations, tokensOf } from "./mutations.ts";
import { NOTATIONS } from "./notations.ts";
import type { SieveOptions } from "./run.ts";

/**
 * What a model makes of its notation on a bad day: blocks as each dialect's own writer has them, two dialects in one
 * reply, prose around them, and then tokens dropped, doubled, swapped, cut out and put in.
 */
export interface Mutant {
  input: string;
  options: SieveOptions;
  /** Of the cuts that must not change the reply. */
  seed: number;
}

/** A part of a reply, once it is known which dialects the model wavers between. */
type Part = (dialects: readonly Dialect[]) => string;

const text = { type: "string" };
const TOOLS = [
  tool("write_file", { path: text, content: text }),
  tool("search", { query: text, limit: { type: "integer" }, exact: { type: "boolean" }, filters: { type: "object" } }),
  tool("note", { tags: { type: "array", items: text }, body: { type: ["string", "null"] } }),
  tool("ping", {}),
];

// ── calls ──

const piece = fc.oneof(
  fc.constantFrom(..."\" ' ` ``` \\ { } ] < > &amp; & ]]> </b> x=1, 0042 null true [1,2] 日本 👩‍👩‍👧".split(" ")),
  fc.constantFrom(" ", "\n", "\r\n", "the plan", "a: b", '{"a":1}'),
  fc.constantFrom(...MARKS),
);
const string = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const json = fc.oneof(string, fc.integer(), fc.boolean(), fc.constant(null), fc.array(string, { maxLength: 2 }));
const object = fc.dictionary(fc.constantFrom("k", "ü"), json);

const INPUTS: Record<string, fc.Arbitrary<unknown>> = {
  write_file: fc.record({ path: string, content: string }),
  search: fc.record(
    { query: string, limit: fc.nat(99), exact: fc.boolean(), filters: object },
    { requiredKeys: ["query"] },
  ),
  note: fc.record({ tags: fc.array(string, { maxLength: 3 }), body: fc.option(string) }, { requiredKeys: [] }),
  ping: fc.constant({}),
  // Nobody has declared these.
  launch: object,
  "ns.fn-1": object,
  поиск: object,
};

const call = fc.oneof(
  ...Object.entries(INPUTS).map(([name, input]) => fc.record({ name: fc.constant(name), input })),
) as fc.Arbitrary<WrittenCall>;

// ── parts ──

const block: fc.Arbitrary<Part> = fc.tuple(fc.array(call, { minLength: 1, maxLength: 3 }), fc.nat()).map(
  ([calls, which]) =>
    (dialects) =>
      dialects[which % dialects.length]?.write.calls(calls) ?? "",
);

/** A notation that is perhaps not read at all. */
const example: fc.Arbitrary<Part> = fc.constantFrom(...NOTATIONS).map((notation) => () => notation.example);

const prose: fc.Arbitrary<Part> = fc
  .oneof(
    fc.constantFrom("I look. ", "Both, then:\n\n", "\n", "\n\n", " ", "Use `<tool_call>` for it. ", "It was a < b.\n"),
    fc.constantFrom("```\n", "\n```\n", "`", "> ", "- ", "<think>", "</think>", "\n~~~\n"),
    fc.constantFrom(...MARKS),
    string,
  )
  .map((words) => () => words);

const mutated = (part: fc.Arbitrary<Part>): fc.Arbitrary<Part> =>
  fc.tuple(part, fc.array(mutations, { minLength: 1, maxLength: 3 })).map(
    ([whole, all]) =>
      (dialects) =>
        mutate(whole(dialects), all),
  );

function mutate(block: string, all: readonly Mutation[]): string {
  return all.reduce((tokens, mutation) => mutation(tokens), tokensOf(block)).join("");
}

/** The beginning of one block and the end of another. */
const crossed: fc.Arbitrary<Part> = fc
  .tuple(block, fc.nat(), fc.oneof(block, example), fc.nat())
  .map(([one, end, other, start]) => (dialects) => {
    const [before, after] = [tokensOf(one(dialects)), tokensOf(other(dialects))];
    return [...before.slice(0, end % (before.length + 1)), ...after.slice(start % (after.length + 1))].join("");
  });

const part = fc.oneof(
  { weight: 3, arbitrary: block },
  { weight: 6, arbitrary: mutated(block) },
  { weight: 3, arbitrary: crossed },
  { weight: 1, arbitrary: mutated(example) },
  { weight: 3, arbitrary: prose },
);

// ── replies ──

const dialect = fc.constantFrom(...DIALECTS);

export const mutants: fc.Arbitrary<Mutant> = fc
  .record({
    // Two, since a model falls from the notation it was taught into the one it was trained on.
    dialects: fc.tuple(dialect, dialect),
    parts: fc.array(part, { minLength: 1, maxLength: 5 }),
    mode: fc.constantFrom(
      "feature_match" as const,
      "feature_match" as const,
      "feature_match" as const,
      "canonical" as const,
    ),
    earlyEmit: fc.constantFrom("off" as const, "high" as const, "low" as const),
    pinned: fc.boolean(),
    seed: fc.nat(),
  })
  .map(({ dialects, parts, mode, earlyEmit, pinned, seed }) => ({
    input: parts.map((part) => part(dialects)).join(""),
    options: { tools: TOOLS, mode, earlyEmit, ...(pinned && mode === "feature_match" && pins(dialects[0])) },
    seed,
  }));

/** Nothing where a pin changes nothing: each set that is armed is compiled, and few are kept. */
function pins({ id, openers = [], wrappers = [], channels }: Dialect): Pick<SieveOptions, "dialects"> {
  const matters = [...openers, ...wrappers, ...(channels ? [channels] : [])].some(({ pinned }) => pinned);
  return matters ? { dialects: [id] } : {};
}

function tool(name: string, properties: Record<string, { type: string | string[]; items?: { type: string } }>) {
  return { name, parameters: { type: "object", properties } };
}
