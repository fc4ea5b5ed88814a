import { type Case, dialects, faults, rules } from "./case-files.ts";
import { around } from "./rules/around.ts";
import { bareJson } from "./rules/bare-json.ts";
import { blocks } from "./rules/blocks.ts";
import { delimited } from "./rules/delimited.ts";
import { elements } from "./rules/elements.ts";
import { grammar } from "./rules/grammar.ts";
import { json } from "./rules/json.ts";
import { lines } from "./rules/lines.ts";
import { named } from "./rules/named.ts";
import { notations } from "./rules/notations.ts";
import { pairs } from "./rules/pairs.ts";
import { parameterTags } from "./rules/parameter-tags.ts";
import { python } from "./rules/python.ts";
import { toCases } from "./rules/rule-case.ts";
import { values } from "./rules/values.ts";
import { where } from "./rules/where.ts";

/** Every case of the sieve, by the file that it stands in. */
export const ALL_CASES: Readonly<Record<string, readonly Case[]>> = {
  "rules.jsonl": rules(),
  "faults.jsonl": faults(),
  "dialects.jsonl": dialects(),
  "rules/where.ts": toCases(where),
  "rules/grammar.ts": toCases(grammar),
  "rules/json.ts": toCases(json),
  "rules/bare-json.ts": toCases(bareJson),
  "rules/blocks.ts": toCases(blocks),
  "rules/around.ts": toCases(around),
  "rules/values.ts": toCases(values),
  "rules/named.ts": toCases(named),
  "rules/lines.ts": toCases(lines),
  "rules/parameter-tags.ts": toCases(parameterTags),
  "rules/python.ts": toCases(python),
  "rules/delimited.ts": toCases(delimited),
  "rules/notations.ts": toCases(notations),
  "rules/pairs.ts": toCases(pairs),
  "rules/elements.ts": toCases(elements),
};
