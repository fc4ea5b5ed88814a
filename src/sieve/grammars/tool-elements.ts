import type { Block } from "../block.ts";
import { ElementTag } from "../element-tag.ts";
import { mark, type Opener } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Grammar } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import type { TextStyle } from "../value-scan/marks.ts";
import { readElements } from "./elements.ts";
import { jsonArguments } from "./json-members.ts";
import { readElementTag, readOneOf } from "./tags.ts";
import { yamlBody } from "./yaml-body.ts";

const json = compileHeads([], { peeks: [mark("{")] });

/**
 * Elements that are named like tools. In them stand elements that are named like their parameters, a JSON object or YAML,
 * whichever of these the notation is known for: models mix them (sieve.md T4). Any `<` may begin one,
 * so it counts only where the route asks for it, at the beginning of a line, and with arguments that the tool has.
 */
export function toolElements(style: TextStyle): Opener {
  return { ...mark("<"), at: "line", pinned: true, evidence: "weak", read };

  function* read(block: Block): Grammar {
    const tag = new ElementTag((name, closes) => !closes && block.tools.declares(name), { begun: true });
    yield tag;
    const { name } = tag;
    if (!tag.ok) return nothing(block, tag.ended && name !== "");
    if (tag.rest.selfClosing) return withoutArguments(block, name);
    const first = yield* readElementTag((other, closes) =>
      closes ? other === name : block.tools.declaresParameter(name, other),
    );
    if (first.ok) return first.closes ? withoutArguments(block, name) : yield* withElements(block, name, first);
    const next = yield* readOneOf(json);
    if (next.found !== undefined) return yield* withJson(block, name);
    return next.ended ? nothing(block, true) : yield* yamlBody(block, name, first.indent);
  }

  function* withElements(block: Block, tool: string, first: ElementTag): Grammar {
    const call = block.begin(tool);
    if (!call) return "misfit";
    const rules = {
      style,
      accepts: (name: string) => call.arguments.expectsItem(name),
      closes: (name: string) => name === tool,
    };
    const end = yield* readElements(call, rules, first);
    if (end === "cut") return "cut";
    return end === "bad" ? "broken" : yield* toolElementEnds(block, call, tool);
  }

  function* withJson(block: Block, tool: string): Grammar {
    const call = block.begin(tool);
    if (!call) return "misfit";
    const end = yield* jsonArguments(block, call);
    if (end === "cut") return "cut";
    if (end === "bad") return "broken";
    if (end === "open") block.repaired("missing-brace");
    return yield* toolElementEnds(block, call, tool);
  }
}

/** The closing tag of a tool's element, without which there is no call. */
function* toolElementEnds(block: Block, call: TentativeCall, tool: string): Grammar {
  const tag = yield* readElementTag((name, closes) => closes && name === tool);
  if (!tag.ok) return tag.ended ? "cut" : "broken";
  block.end(call);
  return "accepted";
}

/** HTML has elements like `<search/>`: a tool that needs arguments is not called by one. */
function withoutArguments(block: Block, tool: string) {
  const call = block.tools.needsNoArguments(tool) ? block.begin(tool) : undefined;
  if (!call) return "misfit";
  block.end(call);
  return "accepted";
}

function nothing(block: Block, ended: boolean) {
  return ended && block.maybeCut ? "cut" : "misfit";
}
