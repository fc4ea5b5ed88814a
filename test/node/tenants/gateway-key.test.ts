import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/sha256.ts";
import { createKey, idOfKey } from "../../../src/tenants/gateway-key.ts";

test("C1: a key has 256 bits, tells its id, and is kept as its hash", async () => {
  const { id, key, hash } = await createKey();
  expect(key).toMatch(/^gk_[A-Za-z0-9]{8}_[A-Za-z0-9]{49}$/);
  expect(key).toContain(`gk_${id}_`);
  expect(idOfKey(key)).toBe(id);
  expect(hash).toBe(await sha256Hex(key));
  expect((await createKey()).key).not.toBe(key);
});

test("C1: by its check junk is told without asking anybody", async () => {
  const { key } = await createKey();
  const slip = fc.record({ at: fc.nat(key.length - 1), character: fc.constantFrom(..."aZ09_-é") });
  fc.assert(
    fc.property(slip, ({ at, character }) => {
      fc.pre(key[at] !== character);
      expect(idOfKey(key.slice(0, at) + character + key.slice(at + 1))).toBeUndefined();
    }),
  );
  for (const other of ["", "sk-1", `${key} `, key.slice(0, -1), key.toLowerCase()])
    expect(idOfKey(other)).toBeUndefined();
});
