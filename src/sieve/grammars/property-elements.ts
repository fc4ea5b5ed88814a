import { mark } from "../notation.ts";
import { readElements } from "./elements.ts";
import type { CallBody } from "./tag-set.ts";

/**
 * Elements named like the tool's parameters, in place of parameters: `<function=…><path>…</path></function>` (sieve.md T4).
 * @param closes whether a closing tag of this name ends the call, so that an element before it is over
 */
export function propertyElements(closes: (name: string) => boolean): CallBody {
  return {
    leads: [mark("<")],
    *read(block, call) {
      const accepts = (name: string) => call.arguments.expectsItem(name);
      const end = yield* readElements(call, { style: "lines", accepts, closes });
      if (end === "none") return "none";
      block.repaired("property-tags");
      return end === "ended" ? "part" : "bad";
    },
  };
}
