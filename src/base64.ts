/** The bytes of base64 of either alphabet, with or without what fills it up; undefined for what is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(usualAlphabet(text));
    // A callback for each byte would take thirty times as long.
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}

/** As every server reads it, whichever way a text is written: in one piece and filled up; undefined for what is none. */
export function fullBase64(text: string): string | undefined {
  const digits = usualAlphabet(text)
    .replace(/\s+/g, "")
    .replace(/={1,2}$/, "");
  const whole = digits.length % 4 !== 1 && /^[A-Za-z0-9+/]*$/.test(digits);
  return whole ? digits.padEnd(Math.ceil(digits.length / 4) * 4, "=") : undefined;
}

function usualAlphabet(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

/** In the alphabet of URLs, with nothing that fills it up. */
export function encodeBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
