import { Recent } from "../../recent.ts";
import { type ElementTag, TagFollows } from "../element-tag.ts";
import { tag } from "../notation.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { Delimited } from "../value-scan/delimited.ts";
import { compileMarks, type TextStyle, type ValueMarks } from "../value-scan/marks.ts";
import { readElementTag } from "./tags.ts";

/** Which elements are arguments of a call, and what stands around them. */
export interface ElementRules {
  readonly style: TextStyle;
  /** An element of this name is an argument. */
  readonly accepts: (name: string) => boolean;
  /** A closing tag of this name may stand behind the last one. */
  readonly closes: (name: string) => boolean;
  /** Of these elements the attribute `name` says which argument it is. */
  readonly named?: ReadonlySet<string>;
}

/**
 * - `ended`: what stands behind is no argument; it goes back.
 * - `none`: the same, and nothing stood before it.
 */
export type ElementsEnd = "ended" | "none" | "bad" | "cut";

/**
 * Arguments of a call as elements, such as `<path>a.txt</path>`, as many as stand here. Which characters end an element
 * depends on what may follow: `</path>` before anything else than a further argument or a closing tag is data.
 * @param first the tag of the first one, where it is read already
 */
export function* readElements(call: TentativeCall, rules: ElementRules, first?: ElementTag): Part<ElementsEnd> {
  let any = false;
  for (let opener = first ?? (yield* readOpener(rules)); opener.ok; opener = yield* readOpener(rules)) {
    const wrong = yield* oneElement(call, rules, opener);
    if (wrong) return wrong;
    any = true;
  }
  return any ? "ended" : "none";
}

function* readOpener(rules: ElementRules): Part<ElementTag> {
  return yield* readElementTag((name, closes) => !closes && rules.accepts(name));
}

function* oneElement(
  call: TentativeCall,
  rules: ElementRules,
  { name, rest }: ElementTag,
): Part<"bad" | "cut" | undefined> {
  const member = call.arguments.member((rules.named?.has(name) && rest.name) || name);
  if (rest.selfClosing) {
    member.begin("bare").close();
    return undefined;
  }
  const accepts = (other: string, closes: boolean) => (closes ? rules.closes(other) : rules.accepts(other));
  const marks = { ...marksOf(name, rules.style), structure: () => new TagFollows(accepts) };
  const scan = new Delimited(marks, { missed: () => false, callCloses: false }, member);
  yield scan;
  if (scan.ending === "cut") return "cut";
  return scan.overflowed || call.overflowed ? "bad" : undefined;
}

/** Models use the same few names again and again. */
const MOST_NAMES = 256;
const compiled = new Recent<ValueMarks>(MOST_NAMES);

function marksOf(name: string, style: TextStyle): ValueMarks {
  return compiled.get(`${style} ${name}`, () =>
    compileMarks({ opens: [tag(`<${name}`)], closes: [tag(`</${name}`)], style }),
  );
}
