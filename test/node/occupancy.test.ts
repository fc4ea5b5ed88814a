import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ISOLATE_LIMITS } from "../../src/limits.ts";
import { createOccupancy } from "../../src/occupancy.ts";

const { signal } = new AbortController();
const busy = { error: { kind: "gateway-busy", retryAfter: 1 } };
const noPlace = { error: { kind: "rate-limited", limit: "concurrent-requests", retryAfter: 1 } };

test("C23: a client that is gone already takes nothing", () => {
  const occupancy = createOccupancy();
  const lease = occupancy.enter("acme", 1, AbortSignal.abort());
  const leave = lease.hold();
  lease.add(10);
  expect([occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
  leave();
  expect([occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
});

describe("C23: places", () => {
  test("one tenant's are no other's, and one that is given back is free", () => {
    const occupancy = createOccupancy();
    const leave = ["acme", "acme", "beta"].map((tenant) => occupancy.enter(tenant, 2, signal).hold());
    expect(() => occupancy.enter("acme", 2, signal)).toThrow(expect.objectContaining(noPlace));
    expect(() => occupancy.enter("beta", 1, signal)).toThrow(expect.objectContaining(noPlace));
    occupancy.enter("beta", undefined, signal);
    leave[0]?.();
    leave[0]?.();
    occupancy.enter("acme", 2, signal);
    expect(() => occupancy.enter("acme", 2, signal)).toThrow(expect.objectContaining(noPlace));
  });

  test("a request is over when the last one lets go of it, or its client", () => {
    const occupancy = createOccupancy();
    const client = new AbortController();
    const lease = occupancy.enter("acme", 1, client.signal);
    const [one, two] = [lease.hold(), lease.hold()];
    lease.add(10);
    one();
    one();
    expect([occupancy.requests, occupancy.bytes]).toEqual([1, 10]);
    client.abort();
    expect([occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
    lease.add(10);
    two();
    expect([occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
  });
});

test("C23: a tenant that holds its share is refused, and nobody else; the gateway's own has all", () => {
  const occupancy = createOccupancy();
  const greedy = occupancy.enter("acme", undefined, signal);
  const leave = greedy.hold();
  greedy.add(ISOLATE_LIMITS.heldByTenant + 1);
  expect(() => greedy.checkRoom()).toThrow(expect.objectContaining(busy));
  expect(() => occupancy.enter("acme", undefined, signal)).toThrow(expect.objectContaining(busy));
  occupancy.enter("beta", undefined, signal).checkRoom();
  leave();
  occupancy.enter("acme", undefined, signal).checkRoom();
  const own = occupancy.enter("", undefined, signal);
  own.add(ISOLATE_LIMITS.held);
  own.checkRoom();
});

test("C23: above the limit nothing begins and nothing is read on; what is there goes on", () => {
  const occupancy = createOccupancy();
  const lease = occupancy.enter("", undefined, signal);
  const leave = lease.hold();
  lease.add(ISOLATE_LIMITS.held);
  lease.checkRoom();
  const other = occupancy.enter("beta", undefined, signal);
  other.add(1);
  expect(() => other.checkRoom()).toThrow(expect.objectContaining(busy));
  expect(() => occupancy.enter("gamma", undefined, signal)).toThrow(expect.objectContaining(busy));
  lease.add(5);
  leave();
  other.checkRoom();
  expect(occupancy.bytes).toBe(1);
});

test("C23: whatever happens in whatever order, nothing stays behind", () => {
  const step = fc.record({
    at: fc.nat(5),
    what: fc.constantFrom("hold", "leave", "abort", "add", "less"),
    bytes: fc.nat(1_000_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const occupancy = createOccupancy();
      const requests = Array.from({ length: 6 }, (_, index) => {
        const client = new AbortController();
        const lease = occupancy.enter(`tenant${index % 2}`, undefined, client.signal);
        return { client, lease, held: 0, leave: [lease.hold()] };
      });
      for (const { at, what, bytes } of steps) {
        const request = requests[at];
        if (!request) continue;
        if (what === "hold") request.leave.push(request.lease.hold());
        else if (what === "leave") request.leave[bytes % request.leave.length]?.();
        else if (what === "abort") request.client.abort();
        else if (what === "add") {
          request.lease.add(bytes);
          request.held += bytes;
        } else {
          const less = bytes % (request.held + 1);
          request.lease.add(-less);
          request.held -= less;
        }
        expect(occupancy.bytes).toBeGreaterThanOrEqual(0);
      }
      for (const { leave } of requests) for (const each of leave) each();
      expect([occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
      for (const tenant of ["tenant0", "tenant1"]) occupancy.enter(tenant, 1, signal);
    }),
  );
});
