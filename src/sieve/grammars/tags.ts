import { SIEVE_LIMITS } from "../../limits.ts";
import { Ahead } from "../ahead.ts";
import { type AcceptTag, ElementTag } from "../element-tag.ts";
import { NameScan } from "../name-scan.ts";
import { type Heads, OneOf } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { TagRest, type TagSyntax } from "../tag-rest.ts";
import { Delimited } from "../value-scan/delimited.ts";
import type { ValueMarks } from "../value-scan/marks.ts";
import { Text } from "../values/sinks.ts";
import { trimBlanks } from "../values/value.ts";

/** What stands next, blanks apart. */
export function* readOneOf(heads: Heads): Part<OneOf> {
  const scan = new OneOf(heads);
  yield scan;
  return scan;
}

/** What a part of a grammar finds in what comes, all of which goes back; undefined where the cap did not let it decide. */
export function* lookAhead<T>(part: Part<T>): Part<T | undefined> {
  const ahead = new Ahead(part);
  yield ahead;
  return ahead.result;
}

/** The rest of a tag behind its head. */
export function* readHead(syntax?: TagSyntax): Part<TagRest> {
  const scan = new TagRest(syntax);
  yield scan;
  return scan;
}

/** A tag whose name tells what it holds, if it may stand there. */
export function* readElementTag(accepts: AcceptTag): Part<ElementTag> {
  const scan = new ElementTag(accepts);
  yield scan;
  return scan;
}

/** A name of a tool that stands as bare text. */
export function* readName(): Part<NameScan> {
  const scan = new NameScan("tool", { skipsBlanks: true });
  yield scan;
  return scan;
}

/** A short text up to its closing tag, blanks around it apart; undefined when there is none, or too much of it. */
export function* readText(marks: ValueMarks): Part<string | undefined> {
  const text = new Text(SIEVE_LIMITS.tag);
  const scan = new Delimited(marks, { missed: () => false, callCloses: false }, { begin: () => text });
  yield scan;
  return scan.ending === "closed" && !text.full ? trimBlanks(text.value) : undefined;
}
