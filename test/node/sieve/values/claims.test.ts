import { expect, test } from "vitest";
import { Collected, type Collection } from "../../../../src/sieve/values/sinks.ts";

/** What a value turns out to be of which its notation says that it is JSON. */
test.each<[written: string, origin: Collection["origin"], text?: string]>([
  ["3", "json"],
  [" 1.50\n", "json", "1.50"],
  ['{"a": [1]}', "json"],
  ["null", "json"],
  ['"a\\n"', "string", "a\n"],
  [' "" ', "string", ""],
  ["True", "bare"],
  [" x", "bare"],
  ['"a', "bare"],
  ["0042", "bare"],
  ["", "bare"],
])("%j is %s", (written, origin, text = written) => {
  let collected: Collection | undefined;
  const sink = new Collected("literal", (value) => {
    collected = value;
  });
  sink.text(written);
  sink.close();
  expect(collected).toEqual({ text, written: text, origin });
});
