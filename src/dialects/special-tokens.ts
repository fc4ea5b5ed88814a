const BARS = ["｜", "|"];
const JOINTS = ["▁", "_", " ", "\\_"];

/**
 * All that a special token with full-width bars is spelled like: many keyboards and some servers have neither those nor
 * the mark between its words. The usual spelling comes first.
 */
export function spellingsOfToken(usual: string): string[] {
  const joints = usual.includes("▁") ? JOINTS : ["▁"];
  return BARS.flatMap((bar) => joints.map((joint) => usual.replaceAll("｜", bar).replaceAll("▁", joint)));
}
