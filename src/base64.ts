/** The bytes of base64 of either alphabet, with or without what fills it up; undefined for what is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(usualBase64(text));
    // A callback for each byte would take thirty times as long.
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}

/** In the alphabet that every server reads, whichever a text is in. */
export function usualBase64(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}
