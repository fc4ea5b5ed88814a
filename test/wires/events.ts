import { expect } from "vitest";
import { parseExactJson } from "../../src/json.ts";

/**
 * The data of an event stream, every byte of the framing judged (docs/wires.md): LF alone, one line of data an event, a
 * blank line behind the last one too, and nothing else but this wire's own keep-alive.
 *
 * @param named whether each event says its type in a line of its own, which has to be the type in its data
 */
export function readEvents<Event extends object>(body: string, form: { named: boolean; keepAlive?: string }): Event[] {
  return readData(body, form).map((data) => readJson<Event>(data));
}

/** The same, before the data is taken for JSON. */
export function readData(body: string, { named, keepAlive }: { named: boolean; keepAlive?: string }): string[] {
  expect(body.endsWith("\n\n"), "a blank line behind the last event").toBe(true);
  return body
    .slice(0, -2)
    .split("\n\n")
    .filter((frame) => frame !== keepAlive)
    .map((frame) => (named ? readNamed(frame) : readPlain(frame)));
}

function readPlain(frame: string): string {
  const [, data] = /^data: (\S[^\r\n]*)$/.exec(frame) ?? [];
  return data ?? expect.fail(`an event is one line of data: ${JSON.stringify(frame)}`);
}

function readNamed(frame: string): string {
  const [, name, data] = /^event: ([a-z_.]+)\ndata: (\{[^\r\n]*\})$/.exec(frame) ?? [];
  if (data === undefined || readJson<{ type?: string }>(data).type !== name) {
    expect.fail(`an event is its type and one line of data of that type: ${JSON.stringify(frame)}`);
  }
  return data;
}

/** JSON whose numbers keep the digits that they were written with: wires that give objects must not lose any. */
export function readJson<Value>(text: string): Value {
  const value = parseExactJson(text) ?? expect.fail(`no JSON: ${text.slice(0, 80)}`);
  return value as Value;
}

/** Events read as a grammar: in order, each once, none left over. */
export interface Cursor {
  /** The type of the next one, without the prefix. */
  next(): string | undefined;
  take<Event>(type: string): Event;
  /** All of this type that come now. */
  all<Event>(type: string): Event[];
  end(): void;
}

/** @param prefix of every type on this wire */
export function createCursor(events: readonly object[], prefix = ""): Cursor {
  let at = 0;
  const type = () => (events[at] as { type?: string } | undefined)?.type;

  function take<Event>(wanted: string): Event {
    expect(type(), `event ${at}`).toBe(prefix + wanted);
    return events[at++] as Event;
  }

  return {
    next: () => type()?.slice(prefix.length),
    take,
    all<Event>(wanted: string) {
      const taken: Event[] = [];
      while (type() === prefix + wanted) taken.push(take(wanted));
      return taken;
    },
    end: () => expect(events.slice(at), "nothing behind the end").toEqual([]),
  };
}
