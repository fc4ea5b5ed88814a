import { describe, expect, test, vi } from "vitest";
import { GatewayFailure } from "../../../src/errors.ts";
import { readJsonBody } from "../../../src/http/body.ts";
import { REQUEST_LIMITS } from "../../../src/limits.ts";
import { createOccupancy } from "../../../src/occupancy.ts";

const CAP = 1_000;
const lease = createOccupancy().enter("", undefined, new AbortController().signal);

/** The parsed body, or the error. `body` is sent as it is, in the given pieces where it is a list. */
async function read(body: string | Uint8Array | (string | Uint8Array)[] | null, headers: Record<string, string> = {}) {
  const pieces = (Array.isArray(body) ? body : [body ?? ""]).map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
  );
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  const init = { method: "POST", headers, body: body === null ? null : stream, duplex: "half" };
  try {
    return await readJsonBody(new Request("http://gateway/", init), CAP, lease);
  } catch (thrown) {
    return thrown instanceof GatewayFailure ? thrown.error : thrown;
  }
}

const invalid = (param?: string) => ({ kind: "invalid-request", message: expect.any(String), ...(param && { param }) });

test("C23: a body that does not come to its end is waited for so long", async () => {
  vi.useFakeTimers();
  const cancel = vi.fn();
  const body = new ReadableStream<Uint8Array>({ start: (it) => it.enqueue(Uint8Array.of(0x7b)), cancel });
  const request = new Request("http://gateway/", { method: "POST", body, duplex: "half" } as RequestInit);
  const refused = readJsonBody(request, CAP, lease).catch((thrown) => thrown.error);
  await vi.advanceTimersByTimeAsync(REQUEST_LIMITS.bodyTimeout - 1);
  expect(cancel).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await refused).toEqual({ kind: "invalid-request", message: expect.stringContaining("120 seconds") });
  expect(cancel).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

describe("JSON", () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    [' \n{"a":1} ', { a: 1 }],
    ["[1]", [1]],
    ["null", null],
    ["\ufeff{}", {}],
    ['{"a":1,"a":2}', { a: 2 }],
  ])("%j is read", async (body, value) => {
    expect(await read(body)).toEqual(value);
  });

  test("characters cut between chunks are whole", async () => {
    const bytes = new TextEncoder().encode('{"a":"é😀"}');
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual({ a: "é😀" });
  });

  test("a key named __proto__ pollutes nothing", async () => {
    const body = await read('{"__proto__":{"polluted":true}}');
    expect(Object.keys(body as object)).toEqual(["__proto__"]);
    expect((body as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    [null],
    [""],
    ["  \n"],
    ["{"],
    ['{"a":1}}'],
    ["{'a':1}"],
    ["not json"],
    ['{"a":NaN}'],
    [Uint8Array.of(0x22, 0xff, 0x22)],
    [Uint8Array.of(0x22, 0xf0, 0x9f, 0x98)],
    [new Uint8Array(8)],
  ])("%j is refused", async (body) => {
    expect(await read(body)).toEqual(invalid());
  });

  test("nothing that was sent is repeated in the refusal", async () => {
    expect(JSON.stringify(await read('{"key":secret}'))).not.toContain("secret");
  });
});

describe("C19b: the shape is checked before it is parsed", () => {
  test("100 levels are fine, 101 are not", async () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(await read(nested(100))).toEqual(JSON.parse(nested(100)));
    expect(await read(nested(101))).toEqual(invalid("body"));
    expect(await read(`{"tools":${nested(101)}}`)).toEqual(invalid("tools"));
  });

  test("a body of brackets is refused before it takes its memory", async () => {
    const body = `{"messages":[${"[],".repeat(100_001)}[]]}`;
    const request = new Request("http://gateway/", { method: "POST", body });
    await expect(readJsonBody(request, 8_000_000, lease)).rejects.toMatchObject({ error: invalid("messages") });
  });
});

describe("C19: bytes", () => {
  const body = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;

  test("up to the cap are read", async () => {
    expect(await read(body(CAP))).toHaveLength(CAP - 2);
  });

  test.each([
    ["told by the length", body(CAP + 1), { "content-length": String(CAP + 1) }],
    ["without a length", body(CAP + 1), {}],
    ["with a length that lies", body(CAP + 1), { "content-length": "3" }],
    ["in many chunks", Array.from({ length: CAP + 1 }, () => "x"), {}],
    ["of which a character has several", `"${"é".repeat(CAP / 2)}"`, {}],
  ])("over the cap, %s, are too large", async (_what, sent, headers) => {
    expect(await read(sent, headers as Record<string, string>)).toEqual({
      kind: "too-large",
      message: "The body of the request is larger than 1000 bytes.",
    });
  });

  test("are not read on behind the cap", async () => {
    let pulls = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(400).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    });
    const request = new Request("http://gateway/", { method: "POST", body: endless, duplex: "half" } as RequestInit);
    await expect(readJsonBody(request, CAP, lease)).rejects.toMatchObject({ error: { kind: "too-large" } });
    expect(cancelled).toBe(true);
    expect(pulls).toBeLessThan(6);
  });

  test("that break off are the client's fault", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("reset"));
      },
    });
    const request = new Request("http://gateway/", { method: "POST", body: broken, duplex: "half" } as RequestInit);
    await expect(readJsonBody(request, CAP, lease)).rejects.toMatchObject({ error: invalid() });
  });
});

describe("C19: content-encoding", () => {
  test.each(["gzip", "br", "deflate, gzip", "x"])("%s is not supported", async (encoding) => {
    expect(await read("{}", { "content-encoding": encoding })).toMatchObject({ kind: "unsupported-encoding" });
  });

  test.each(["identity", "Identity", ""])("%j is none", async (encoding) => {
    expect(await read("{}", { "content-encoding": encoding })).toEqual({});
  });
});
