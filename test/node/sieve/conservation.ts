/** Whether a text can be had from another by leaving characters out. */
export function isPartOf(part: string, whole: string): boolean {
  let at = 0;
  // By code units: two halves of a pair may have stood apart.
  for (let i = 0; i < part.length; i++) {
    at = whole.indexOf(part.charAt(i), at) + 1;
    if (at === 0) return false;
  }
  return true;
}
