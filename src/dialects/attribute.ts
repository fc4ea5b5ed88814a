/** A text between double quotes. Blanks are spelled out where a reader may trim or fold them (sieve.md G1). */
export function attribute(text: string): string {
  return text.replace(/["&<>\t\r\n]|^ | $/g, (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`);
}

const ENTITIES: Readonly<Record<string, string>> = { '"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;" };
