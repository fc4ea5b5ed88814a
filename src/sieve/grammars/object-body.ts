import { mark } from "../notation.ts";
import { jsonArguments } from "./json-members.ts";
import type { CallBody } from "./tag-set.ts";

/** One JSON object in place of parameters: `<function=…>{…}</function>`. */
export const objectBody: CallBody = {
  leads: [mark("{")],
  *read(block, call) {
    const end = yield* jsonArguments(block, call);
    if (end === "closed") return "whole";
    return end === "open" ? "open" : "bad";
  },
};
