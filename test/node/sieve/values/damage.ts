import fc from "fast-check";

/** Any of the pieces in any order. Give few: every further one makes it rarer that something nearly fits. */
export function soupOf(pieces: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength }).map((each) => each.join(""));
}

/** Good texts, each of which lost up to two characters at one place, and perhaps got a piece there instead. */
export function damaged(texts: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> {
  const place = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    lost: fc.nat({ max: 2 }),
    got: fc.constantFrom("", ...pieces),
  });
  return fc.tuple(texts, place).map(([text, { at, lost, got }]) => {
    const from = Math.floor(at * text.length);
    return text.slice(0, from) + got + text.slice(from + lost);
  });
}
