import { expect, test } from "vitest";
import { seal, unseal } from "../../../src/tenants/sealed.ts";

const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const target = { tenant: "acme", upstream: "main" };

test("a secret comes back under its key, for its tenant and upstream alone", async () => {
  const sealed = await seal("sk-sécret", target, "1", one);
  expect(sealed).toMatch(/^s1\.1\.[\w-]{16}\.[\w-]+$/);
  expect(sealed).not.toContain("cret");
  expect(await unseal(sealed, target, { 1: one })).toBe("sk-sécret");
  expect(await unseal(sealed, target, { 1: one, 2: two })).toBe("sk-sécret");
  expect(await unseal(sealed, { ...target, tenant: "other" }, { 1: one })).toBeUndefined();
  expect(await unseal(sealed, { ...target, upstream: "spare" }, { 1: one })).toBeUndefined();
  expect(await unseal(sealed, target, { 1: two })).toBeUndefined();
  expect(await unseal(sealed, target, { 2: one })).toBeUndefined();
  expect(await unseal(sealed, target, {})).toBeUndefined();
});

test("no two are alike, and none can be changed", async () => {
  const sealed = await seal("secret", target, "2", two);
  expect(await seal("secret", target, "2", two)).not.toBe(sealed);
  for (let at = 5; at < sealed.length; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    const opened = await unseal(changed, target, { 2: two });
    // The last character of base64 may hold bits that stand for nothing.
    if (opened !== undefined) expect([opened, at]).toEqual(["secret", sealed.length - 1]);
  }
  for (const text of ["", "secret", "s1.1..", "s1.3.AA.AA", "s2.1.AA.AA"]) {
    expect(await unseal(text, target, { 1: one, 2: two })).toBeUndefined();
  }
});
