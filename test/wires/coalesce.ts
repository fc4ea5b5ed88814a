import { readJson } from "./events.ts";
import type { Wire } from "./wires.ts";

/**
 * The events of a stream with neighbouring deltas of one kind joined, counters left out and ids replaced by their place
 * among the ids: all that may not depend on how the upstream's text was cut (sieve.md P1).
 */
export function coalesce(events: readonly object[], { fragments, counters = [] }: Wire): string[] {
  const joined: { head: string; piece: string }[] = [];
  for (const event of events) {
    const copy = readJson<Fields>(JSON.stringify(event));
    for (const counter of counters) delete copy[counter];
    const piece = takeFragment(copy, fragments);
    const head = JSON.stringify(copy);
    const last = joined.at(-1);
    if (piece !== undefined && last?.head === head) last.piece += piece;
    else joined.push({ head, piece: piece ?? "" });
  }
  return nameIds(joined.map(({ head, piece }) => `${head} ${JSON.stringify(piece)}`));
}

type Fields = { [key: string]: unknown };

/** Cuts the fragment out of a delta; undefined where the event is none. */
function takeFragment(event: Fields, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    const owner = keys.reduce<Fields | undefined>((fields, key) => fields?.[key] as Fields | undefined, event);
    const piece = owner?.[last];
    if (owner === undefined || typeof piece !== "string") continue;
    owner[last] = null;
    return piece;
  }
  return undefined;
}

/** Ids are random; which of them are the same is not. */
function nameIds(lines: readonly string[]): string[] {
  const names = new Map<string, string>();
  return lines.map((line) =>
    line.replace(/"((?:\w+[-_])?)[A-Za-z0-9]{24}"/g, (id, prefix) => {
      if (!names.has(id)) names.set(id, `"${prefix}${names.size}"`);
      return names.get(id) ?? id;
    }),
  );
}
