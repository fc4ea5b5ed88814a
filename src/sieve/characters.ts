/** Codes of the characters that mean something. */
export const TAB = 9;
export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const NUMBER_SIGN = 35;
export const AMPERSAND = 38;
export const APOSTROPHE = 39;
export const CLOSE_PAREN = 41;
export const COMMA = 44;
export const FULL_STOP = 46;
export const SLASH = 47;
export const COLON = 58;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const BACKTICK = 96;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;
export const TILDE = 126;

/** Space, tab, CR, LF: what sieve.md calls blank. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Tag and attribute names are compared without regard to ASCII case (sieve.md G1); other letters are never folded. */
export function foldAscii(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
