const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 24;

/** 24 random characters of [A-Za-z0-9]: 142 bits. */
export function randomId(): string {
  return randomCharacters(LENGTH);
}

/** Of [A-Za-z0-9], each as likely as any other: 5.95 bits. */
export function randomCharacters(count: number): string {
  let characters = "";
  while (characters.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count))) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first letters.
      if (byte < 248 && characters.length < count) characters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return characters;
}
