import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayFailure } from "../../../src/errors.ts";
import { createBodyReader } from "../../../src/stream/body-reader.ts";
import { createSseReader } from "../../../src/stream/sse-reader.ts";
import { bytePieces, PIECE_SIZES } from "./fake-body.ts";

const FORMS: { form: string; body: string; data: string[] }[] = [
  { form: "LF", body: "data: a\n\ndata: b\n\n", data: ["a", "b"] },
  { form: "CRLF", body: "data: a\r\n\r\ndata: b\r\n\r\n", data: ["a", "b"] },
  { form: "CR", body: "data: a\r\rdata: b\r\r", data: ["a", "b"] },
  { form: "mixed line ends", body: "data: a\r\n\ndata: b\n\r\n", data: ["a", "b"] },
  { form: "a byte order mark first", body: "\ufeffdata: a\n\n", data: ["a"] },
  { form: "a byte order mark later is data", body: "data: \ufeffa\n\n", data: ["\ufeffa"] },
  { form: "no blank behind the colon", body: "data:a\n\n", data: ["a"] },
  { form: "only one blank is taken away", body: "data:  a\n\n", data: [" a"] },
  { form: "several data lines", body: "data: a\ndata:\ndata: b\n\n", data: ["a\n\nb"] },
  { form: "comments", body: ": hello\n\n:\ndata: a\n: between\ndata: b\n\n", data: ["a\nb"] },
  {
    form: "event names, ids, retry, unknown fields",
    body: "event: x\nid: 1\nretry: 5\nwhat: ever\ndata: a\n\n",
    data: ["a"],
  },
  { form: "extra blank lines", body: "\n\n\ndata: a\n\n\n\n", data: ["a"] },
  { form: "no data, no event", body: "event: x\n\ndata: a\n\n", data: ["a"] },
  { form: "the last blank line is missing", body: "data: a\n\ndata: b\n", data: ["a", "b"] },
  { form: "the last line end is missing", body: "data: a\n\ndata: b", data: ["a", "b"] },
  { form: "a CR is the last byte", body: "data: a\r", data: ["a"] },
  { form: "characters of two, three and four bytes", body: "data: é€😀\n\n", data: ["é€😀"] },
  { form: "nothing at all", body: "", data: [] },
];

function read(body: string, size: number): string[] {
  const data: string[] = [];
  const reader = createSseReader(1_000, (event) => data.push(event));
  for (const piece of bytePieces(body, size)) reader.push(piece);
  reader.end();
  return data;
}

describe.each(PIECE_SIZES)("server-sent events in pieces of %i bytes", (size) => {
  test.each(FORMS)("$form", ({ body, data }) => {
    expect(read(body, size)).toEqual(data);
  });

  test.each(FORMS)("behind the reader that tells JSON apart: $form", ({ body, data }) => {
    expect(readAny(body, size)).toEqual(data);
  });
});

test("wherever the bytes are cut, the events are the same", () => {
  const line = fc.oneof(
    fc.constantFrom("data: a", "data:", "data", ": comment", "event: x", "datum: a", "", "\ufeffdata: b"),
    fc.string({ unit: "binary" }).map((value) => `data: ${value}`),
  );
  const bodies = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n"))).map((lines) => lines.flat().join(""));
  fc.assert(
    fc.property(bodies, fc.integer({ min: 1, max: 9 }), (body, size) => {
      expect(read(body, size)).toEqual(read(body, 1_000_000));
    }),
  );
});

test("C29: bytes that are no UTF-8 become replacement characters", () => {
  const data: string[] = [];
  const reader = createSseReader(100, (event) => data.push(event));
  reader.push(Uint8Array.from([...new TextEncoder().encode("data: a"), 0xff, 0x0a, 0x0a]));
  expect(data).toEqual(["a\ufffd"]);
});

describe("C21: the cap of an event", () => {
  test.each([
    { name: "in one read", size: 1_000_000 },
    { name: "over many reads", size: 7 },
  ])("a longer event is a fault, $name", ({ size }) => {
    const reader = createSseReader(100, () => {});
    const pieces = bytePieces(`data: ${"x".repeat(200)}\n\n`, size);
    expect(() => {
      for (const piece of pieces) reader.push(piece);
    }).toThrow(GatewayFailure);
  });

  test("lines without an end are a fault, too", () => {
    const reader = createSseReader(100, () => {});
    expect(() => {
      for (const piece of bytePieces("data: x\n".repeat(100), 8)) reader.push(piece);
    }).toThrow(GatewayFailure);
  });

  test("comments are not held, however long", () => {
    expect(read(`: ${"x".repeat(5_000)}\ndata: a\n\n`, 64)).toEqual(["a"]);
  });
});

function readAny(body: string, size: number): string[] {
  const data: string[] = [];
  const reader = createBodyReader({ event: 1_000, collected: 1_000 }, (event) => data.push(event));
  for (const piece of bytePieces(body, size)) reader.push(piece);
  reader.end();
  return data;
}

describe("a body that is one JSON object", () => {
  const json = '{"a": "é😀",\n\n"data": ": x"}';

  test.each(PIECE_SIZES)("is handed over whole, in pieces of %i bytes", (size) => {
    expect(readAny(json, size)).toEqual([json]);
    expect(readAny(`\ufeff \r\n${json}`, size)).toEqual([json]);
  });

  test("C21: beyond its cap it is a fault", () => {
    expect(() => readAny(`{"a":"${"x".repeat(2_000)}"}`, 64)).toThrow(GatewayFailure);
  });

  test("C21: nested beyond measure it is a fault", () => {
    expect(() => readAny(`{"a":${"[".repeat(500)}`, 64)).toThrow(GatewayFailure);
  });
});
