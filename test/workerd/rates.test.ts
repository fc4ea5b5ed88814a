import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readBindings } from "../../src/bindings.ts";

const { rates = {} } = readBindings(env);

test("C17: the platform's limits are found", () => {
  expect(Object.keys(rates).toSorted()).toEqual(["1200", "300", "60", "FAILURES"]);
});

let keys = 0;

/** How many of so many are let in, in one window, with a key that nobody has had. */
async function passed(times: number) {
  keys += 1;
  const results = Array.from({ length: times }, () => rates[60]?.limit({ key: `key ${keys}` }));
  return (await Promise.all(results)).filter((result) => result?.success).length;
}

test("C17: and they count", async () => {
  // A window may end meanwhile, and then another one does not.
  await expect.poll(() => passed(61), { timeout: 10_000 }).toBe(60);
});
