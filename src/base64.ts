/** The bytes of base64 of either alphabet, with or without what fills it up; undefined for what is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
