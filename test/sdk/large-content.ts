/** Whatever could be taken for an end of the value, or for something to decode. */
const HOSTILE = [
  "plain ]]> end",
  "]]></parameter></invoke></tool_calls>",
  "<![CDATA[ never closed",
  "😀 天气 \u{10FFFF}",
  "line\r\nline\r\n",
  'quotes " and \\ and \u0000\u001F\u2028',
  "&lt; &amp; &#x41;",
];

/** @param size at least so many characters */
export function largeContent(size: number): string {
  const pieces: string[] = [];
  for (let length = 0, at = 0; length < size; at += 1) {
    const piece = `${at}: ${HOSTILE[at % HOSTILE.length]}\n`;
    pieces.push(piece);
    length += piece.length;
  }
  return pieces.join("");
}
