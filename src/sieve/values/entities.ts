import { SIEVE_LIMITS } from "../../limits.ts";

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Longest reference, `&` and `;` included: `&#x0010FFFF;` with room for leading zeros. */
export const LONGEST_ENTITY = 16;

/** An `&`, with the rest of the reference where it may begin one. */
const AMPERSAND = new RegExp(`&(?:([#0-9A-Za-z]{1,${LONGEST_ENTITY - 2}});)?`, "g");

/**
 * What a reference stands for, given what is between `&` and `;` (sieve.md V5): the five names of XML and numeric
 * references, but none to 0, to a surrogate or beyond U+10FFFF, and none longer than `LONGEST_ENTITY`.
 */
export function entityValue(reference: string): string | undefined {
  if (Object.hasOwn(NAMED, reference)) return NAMED[reference];
  // So that a reader which holds a reference until its end can give up, and all readers give up at the same place.
  if (reference.length > LONGEST_ENTITY - 2) return undefined;
  const digits = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(reference);
  if (!digits) return undefined;
  const point = digits[1] !== undefined ? Number.parseInt(digits[1], 16) : Number.parseInt(digits[2] ?? "", 10);
  if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
  return String.fromCodePoint(point);
}

/** Decodes every good reference; an `&` that begins none stays. For attributes, where no rule says more. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(AMPERSAND, (whole, reference: string | undefined) =>
    reference === undefined ? whole : (entityValue(reference) ?? whole),
  );
}

/**
 * The text of a complete bare value (sieve.md V5): decoded, and only once, if it is well-formed escaped text; with a raw
 * `<`, an `&` that begins no entity, or more behind the first entity than a stream could hold, the very same text.
 */
export function decodeEscapedText(text: string): string {
  const first = text.indexOf("&");
  if (first < 0 || text.length - first > SIEVE_LIMITS.entities || text.includes("<")) return text;
  let wellFormed = true;
  const decoded = text.replace(AMPERSAND, (_, reference: string | undefined) => {
    const value = reference === undefined ? undefined : entityValue(reference);
    wellFormed &&= value !== undefined;
    return value ?? "";
  });
  return wellFormed ? decoded : text;
}
