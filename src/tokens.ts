import type { Content } from "./conversation.ts";
import { type ImageSize, readBase64ImageSize } from "./image-size.ts";

/**
 * How many tokens a text has, where nobody has counted. Tokenizers cut a text into words and runs of marks, blanks or
 * digits before they merge anything: so the first character of a run costs much and the further ones little, and in
 * scripts that are known less well each costs the same.
 *
 * How far off that is, and why prompts come out a little high: docs/tokens.md.
 */

/**
 * Where characters of a class stand in `CLASS_OF`, the end not included, and what they cost in hundredths of a token: the
 * first of a run, each further one, each from the eighth on. Where rows overlap, the later one holds.
 */
type CharacterClass = readonly [from: number, end: number, first: number, next?: number, late?: number];

const CLASSES: readonly CharacterClass[] = [
  [0x00, 0x80, 103, 6], // marks, and what of ASCII no other row has
  [0x09, 0x21, 38, 2], // blanks
  [0x0a, 0x0e, 50, 20], // line ends
  [0x30, 0x3a, 95], // digits
  [0x41, 0x5b, 83, 30], // A-Z
  [0x61, 0x7b, 57, 0, 42], // a-z
  [0x80, 0x180, 53], // Greek, Hebrew, Indic scripts, Thai, and whatever no other row has
  [0x80, 0x83, 80], // accented Latin
  [0x84, 0x85, 32], // Cyrillic
  [0x86, 0x89, 33], // Arabic
  [0xa0, 0xb0, 110, 35], // punctuation, arrows, boxes
  [0xb0, 0xb4, 67], // kana
  [0xb4, 0x180, 82], // Chinese characters, Hangul, halves of emoji
];

/** ASCII by code; beyond it 0x80 and the upper byte of the code, which is enough to tell scripts apart. */
const CLASS_OF = new Uint8Array(0x180);
for (const [index, [from, end]] of CLASSES.entries()) CLASS_OF.fill(index << 3, from, end);

/** Before the first character. No negative number, for the sake of the arithmetic below. */
const NO_CLASS = 0xff;

/** Eight a class, by how many of its run came before. */
const COSTS = CLASSES.flatMap(([, , first, next = first, late = next]) => [
  first,
  ...Array<number>(6).fill(next),
  late,
]);

/** Counts a text that comes in pieces; where it is cut changes nothing. */
interface TokenCounter {
  push(text: string): void;
  /** Of all that was pushed so far. */
  total(): number;
}

export function createTokenCounter(): TokenCounter {
  let hundredths = 0;
  let lastClass = NO_CLASS;
  let lastRun = 0;

  return {
    push(text) {
      // Copies, and arithmetic in place of branches that no processor can foresee: twice as fast.
      let sum = 0;
      let last = lastClass;
      let run = lastRun;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const own = CLASS_OF[code < 0x80 ? code : 0x80 + (code >> 8)] as number;
        // All bits where the class is the same, else none.
        const same = ((own ^ last) - 1) >> 31;
        run = (run + 1) & same;
        // Seven at most: 8 becomes 7.
        run -= run >> 3;
        sum += COSTS[own + run] as number;
        last = own;
      }
      hundredths += sum;
      lastClass = last;
      lastRun = run;
    },
    total: () => Math.ceil(hundredths / 100),
  };
}

export function estimateTokens(text: string): number {
  const count = createTokenCounter();
  count.push(text);
  return count.total();
}

/** What a chat template puts around a message: its role, and the marks of its beginning and end. */
const FRAME = 4;

export function estimatePromptTokens(messages: readonly { content: Content }[]): number {
  return messages.reduce((sum, { content }) => sum + FRAME + estimateContent(content), 0);
}

function estimateContent(content: Content): number {
  if (typeof content === "string") return estimateTokens(content);
  const tokens = content.map((part) =>
    part.type === "text" ? estimateTokens(part.text) : estimateImageTokens(readBase64ImageSize(part.url)),
  );
  return tokens.reduce((sum, count) => sum + count, 0);
}

/** Pixels of a token, and the most tokens of an image: a larger one is made smaller (docs/tokens.md). */
const PIXELS = 750;
const LARGEST_IMAGE = 1_600;

/** Of an image whose size is not known the most: an estimate is meant to be a little high. */
function estimateImageTokens(size: ImageSize | undefined): number {
  if (!size) return LARGEST_IMAGE;
  return Math.min(Math.ceil((size.width * size.height) / PIXELS), LARGEST_IMAGE);
}
