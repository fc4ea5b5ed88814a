import fc from "fast-check";

/** Chooses how something is written; the plainest way is always the first. */
export type Pick = <T>(...ways: readonly [T, ...T[]]) => T;

export const plainest: Pick = (first) => first;

export const picking =
  (gen: fc.GeneratorValue): Pick =>
  <T>(...ways: readonly [T, ...T[]]) =>
    gen(oneOf<T>, ...ways);

const oneOf = <T>(...ways: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...ways);
