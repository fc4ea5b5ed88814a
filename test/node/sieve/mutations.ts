import fc from "fast-check";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { NOTATIONS } from "./notations.ts";

/** A change of a block's tokens, as a model with a bad hand makes it. */
export type Mutation = (tokens: readonly string[]) => readonly string[];

/** Marks, words, runs of blanks, single signs: about what a tokenizer makes of a block. */
export function tokensOf(block: string): readonly string[] {
  return block.match(/<[^<>\s]{1,40}>?|\[\/?[A-Z_]+\]|✿[A-Z]+✿|[\p{L}\p{N}_.-]+|\s+|./gsu) ?? [];
}

/** Calls that make a writer show all its marks. */
const SHOWN = [
  { name: "search", input: { query: "x", limit: 1, filters: { k: [null] } } },
  { name: "ping", input: {} },
];

const BLOCKS = [...DIALECTS.map((dialect) => dialect.write.calls(SHOWN)), ...NOTATIONS.map(({ example }) => example)];

/** Whatever frames a call, in notations that are read and in others. */
export const MARKS: readonly string[] = [
  ...new Set(BLOCKS.flatMap(tokensOf).filter((token) => /[^\p{L}\p{N}\s_.-]/u.test(token))),
];

const place = fc.nat();
const mark = fc.constantFrom(...MARKS);

export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  place.map(drop),
  place.map(double),
  place.map(halve),
  fc.tuple(place, place).map(([one, other]) => swap(one, other)),
  fc.tuple(place, mark).map(([at, other]) => insert(at, other)),
  fc.tuple(place, mark).map(([at, other]) => replace(at, other)),
  fc.tuple(place, fc.integer({ min: 2, max: 8 })).map(([at, length]) => cut(at, length)),
  place.map((at) => cut(at, Number.POSITIVE_INFINITY)),
);

function drop(at: number): Mutation {
  return onToken(at, () => []);
}

function double(at: number): Mutation {
  return onToken(at, (token) => [token, token]);
}

function halve(at: number): Mutation {
  return onToken(at, (token) => [token.slice(0, token.length >> 1)]);
}

function insert(at: number, mark: string): Mutation {
  return onToken(at, (token) => [mark, token]);
}

function replace(at: number, mark: string): Mutation {
  return onToken(at, () => [mark]);
}

function onToken(at: number, change: (token: string) => readonly string[]): Mutation {
  return (tokens) => tokens.flatMap((token, index) => (index === at % tokens.length ? change(token) : [token]));
}

function swap(one: number, other: number): Mutation {
  return (tokens) => {
    const [i, j] = [one % tokens.length, other % tokens.length];
    return tokens.map((token, index) => (index === i ? tokens[j] : index === j ? tokens[i] : token) ?? token);
  };
}

function cut(at: number, length: number): Mutation {
  return (tokens) => {
    const start = at % (tokens.length + 1);
    return [...tokens.slice(0, start), ...tokens.slice(start + length)];
  };
}
