const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Longest reference, `&` and `;` included: `&#x0010FFFF;` with room for leading zeros. */
export const LONGEST_ENTITY = 16;

/**
 * What a reference stands for, given what is between `&` and `;` (sieve.md V5): the five names of XML and numeric
 * references, but none to 0, to a surrogate or beyond U+10FFFF.
 */
export function entityValue(reference: string): string | undefined {
  if (Object.hasOwn(NAMED, reference)) return NAMED[reference];
  const digits = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(reference);
  if (!digits) return undefined;
  const point = digits[1] !== undefined ? Number.parseInt(digits[1], 16) : Number.parseInt(digits[2] ?? "", 10);
  if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
  return String.fromCodePoint(point);
}

/** Decodes every good reference; an `&` that begins none stays. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([#0-9a-z]{1,14});/gi, (whole, reference: string) => entityValue(reference) ?? whole);
}
