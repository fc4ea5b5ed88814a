import { expect, test } from "vitest";
import { FirstJson } from "../../../src/upstreams/first-json.ts";
import { forEveryChunking } from "../../chunking.ts";

function read(text: string) {
  return forEveryChunking(text, text, (chunks) => {
    const json = new FirstJson();
    const behind = chunks.map((chunk) => json.push(chunk)).join("");
    return { text: json.text, behind, ended: json.ended, open: json.open };
  });
}

test.each([
  ["{}", ""],
  [" \n{}", " "],
  ['{"a":{"b":[{}]}}', '{"c":1}'],
  ['{"a":"}"}', "}"],
  ['{"a":"\\"}\\\\"}', "x"],
  ['{"a":"😀}"}', ""],
  ['"{\\"a\\":1}"', '"'],
])("%s ends before %j", (first, behind) => {
  expect(read(first + behind)).toEqual({ text: first, behind, ended: true, open: false });
});

test.each(['{"a":1', '{"a":"}', "null", "[1]{}"])("%s has no end", (text) => {
  expect(read(text)).toEqual({ text, behind: "", ended: false, open: true });
});

test.each(["", " \n"])("%j has not begun", (text) => {
  expect(read(text)).toEqual({ text, behind: "", ended: false, open: false });
});
