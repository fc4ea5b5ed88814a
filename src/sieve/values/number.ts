const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits an exponent may add: as many as a double can count. A text of seven characters must not become a gigabyte. */
const MAX_SHIFT = 308;

/** A number as JSON writes it. */
export function isJsonNumber(text: string): boolean {
  return NUMBER.test(text);
}

/**
 * The plain digits of a JSON number without a fraction: `5` and `-0` stay, `5.0` is `5`, `1.5e3` is `1500` (sieve.md
 * V6). Undefined for any other text. Digits are moved, never computed: 64 bits and more survive.
 */
export function integerDigits(text: string): string | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_SHIFT) return undefined;
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (!isZeros(digits.slice(Math.max(0, point)))) return undefined;
  const integer = digits.slice(0, Math.max(0, point)).padEnd(point, "0");
  const plain = sign + (integer.replace(/^0+/, "") || "0");
  // An exponent may lift it beyond what a double can count: no reader of the JSON could.
  return exponent === "0" || Number.isFinite(Number(plain)) ? plain : undefined;
}

function isZeros(digits: string): boolean {
  return /^0*$/.test(digits);
}
