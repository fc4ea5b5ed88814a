import { type Mark, mark } from "../notation.ts";
import type { TextStyle } from "../value-scan/marks.ts";
import { readElements } from "./elements.ts";
import type { CallBody } from "./tag-set.ts";

/**
 * Arguments in elements that are called like declared parameters: `<path>…</path>` for `<parameter=path>…</parameter>`.
 * @param closers what closes a call
 */
export function elementBody(style: TextStyle, closers: readonly Mark[]): CallBody {
  const closing = new Set(closers.map(({ spelling }) => spelling));
  return {
    leads: [mark("<")],
    *read(block, call) {
      const end = yield* readElements(call, {
        style,
        accepts: (name) => call.arguments.expectsItem(name),
        closes: (name) => closing.has(`</${name.toLowerCase()}`),
      });
      if (end === "none") return "none";
      block.repaired("property-tags");
      return end === "ended" ? "part" : "bad";
    },
  };
}
