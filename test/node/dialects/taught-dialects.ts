import { DIALECTS, findTaught } from "../../../src/dialects/all.ts";
import { isTaught, type TaughtDialect } from "../../../src/dialects/dialect.ts";

/** All that can be taught, variants too. */
export const TAUGHT: readonly TaughtDialect[] = DIALECTS.filter(isTaught).flatMap((dialect) => [
  dialect,
  ...Object.keys(dialect.variants ?? {}).flatMap((name) => findTaught(name) ?? []),
]);

export const TAUGHT_BY_ID = TAUGHT.map((dialect) => [dialect.id, dialect] as const);
