import { type Heads, OneOf } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { TagRest, type TagSyntax } from "../tag-rest.ts";

/** What stands next, blanks apart. */
export function* readOneOf(heads: Heads): Part<OneOf> {
  const scan = new OneOf(heads);
  yield scan;
  return scan;
}

/** The rest of a tag behind its head. */
export function* readHead(syntax?: TagSyntax): Part<TagRest> {
  const scan = new TagRest(syntax);
  yield scan;
  return scan;
}
