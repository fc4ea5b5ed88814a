import type { EventWriter } from "./events.ts";
import type { ItemKind, ItemStatus } from "./items.ts";

/** The items of one answer, one open at a time, and the events that tell of them (docs/wires.md). */
export interface Output {
  /** The items that are done. */
  readonly items: readonly object[];
  /** Goes on with the open item where it is of this kind, else completes it and opens another one. */
  say(kind: ItemKind, text: string): string;
  /** Ends the open item, if there is one. */
  end(status: ItemStatus): string;
}

interface OpenItem {
  kind: ItemKind;
  id: string;
  /** What all events about its text begin with. */
  place: object;
  writeDelta: (text: string) => string;
  pieces: string[];
}

export function createOutput({ write, prepareDelta }: EventWriter, randomId: () => string): Output {
  const items: object[] = [];
  let item: OpenItem | undefined;

  function open(kind: ItemKind): OpenItem {
    const id = kind.prefix + randomId();
    const place = { item_id: id, output_index: items.length, ...kind.place };
    const writeDelta = prepareDelta(`response.${kind.stream}.delta`, { ...place, ...kind.delta });
    return { kind, id, place, writeDelta, pieces: [] };
  }

  function writeItem(change: "added" | "done", body: object): string {
    return write(`response.output_item.${change}`, { output_index: items.length, item: body });
  }

  function writePart({ kind, place }: OpenItem, change: "added" | "done", text: string): string {
    return kind.part ? write(`response.${kind.part.name}.${change}`, { ...place, part: kind.part.body(text) }) : "";
  }

  function begin(kind: ItemKind): string {
    const before = end("completed");
    item = open(kind);
    const added = writeItem("added", { id: item.id, ...kind.body("", "in_progress") });
    return before + added + writePart(item, "added", "");
  }

  function end(status: ItemStatus): string {
    if (!item) return "";
    const { kind, id, place, pieces } = item;
    const text = pieces.join("");
    const body = { id, ...kind.body(text, status) };
    const done = write(`response.${kind.stream}.done`, { ...place, ...kind.done(text) });
    const closing = done + writePart(item, "done", text) + writeItem("done", body);
    items.push(body);
    item = undefined;
    return closing;
  }

  return {
    items,
    say(kind, text) {
      const opening = item?.kind === kind ? "" : begin(kind);
      if (!item || text === "") return opening;
      item.pieces.push(text);
      return opening + item.writeDelta(text);
    },
    end,
  };
}
