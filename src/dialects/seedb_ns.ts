import { attributedCalls } from "../sieve/grammars/element-calls.ts";
import { tag, type Wrapper } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { ELEMENT_NAMES } from "./element-names.ts";
import { spacedJson } from "./json-spacing.ts";

/** Names of elements may carry the prefix of Anthropic's namespace, some and not others. */
const PREFIX = "antml:";
const prefixed = (names: readonly string[]) => names.flatMap((name) => [name, `${PREFIX}${name}`]);

const ELEMENTS = {
  ...ELEMENT_NAMES,
  containers: prefixed(ELEMENT_NAMES.containers),
  arguments: prefixed(ELEMENT_NAMES.arguments),
  // Claude writes values as they are.
  raw: true,
};

function wrappers(name: string): Wrapper[] {
  const [own, other] = prefixed([name]);
  ...
}
