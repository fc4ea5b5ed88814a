import { describe, expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { RATE_LIMITS } from "../../../src/limits.ts";
import { addressOf, createRates } from "../../../src/tenants/rates.ts";

function clock() {
  let time = 6_000_000;
  const rates = createRates(() => time);
  /** How many of so many requests are let in. */
  async function passed(times: number, who = "a", perMinute: number | undefined = 5, bindings = {}) {
    let count = 0;
    for (let index = 0; index < times; index += 1) {
      await rates.request(who, perMinute, bindings).then(
        () => {
          count += 1;
        },
        () => {},
      );
    }
    return count;
  }
  return {
    rates,
    passed,
    wait: (ms: number) => {
      time += ms;
    },
  };
}

describe("C17: requests in a minute", () => {
  test("the sixth of five is refused until the minute is over, and nobody else's first", async () => {
    const { rates, passed, wait } = clock();
    wait(20_000);
    expect(await passed(7)).toBe(5);
    expect(await passed(1, "b")).toBe(1);
    const refusal = { kind: "rate-limited", limit: "requests-per-minute", retryAfter: 40 };
    await expect(rates.request("a", 5)).rejects.toMatchObject({ error: refusal });
    wait(39_999);
    await expect(rates.request("a", 5)).rejects.toMatchObject({ error: { ...refusal, retryAfter: 1 } });
    wait(1);
    expect(await passed(7)).toBe(5);
  });

  test("a limit that is raised or lowered counts what was asked before", async () => {
    const { rates, passed } = clock();
    expect(await passed(5, "a", 3)).toBe(3);
    expect(await passed(5, "a", 7)).toBe(2);
    await rates.request("a", undefined);
  });

  test("a binding of that number counts, one of another does not, and one that fails is done without", async () => {
    const { passed } = clock();
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: keys.push(key) <= 2 });
    expect(await passed(4, "a", 5, { 5: { limit } })).toBe(2);
    expect(keys).toEqual(["a", "a", "a", "a"]);
    expect(await passed(9, "a", 6, { 5: { limit } })).toBe(6);
    const failing = { limit: () => Promise.reject(new Error("away")) };
    expect(await passed(9, "b", 5, { 5: failing })).toBe(5);
  });

  test("only so many are counted: the ones of late", async () => {
    const { passed } = clock();
    expect(await passed(6, "first")).toBe(5);
    for (let index = 1; index < RATE_LIMITS.kept; index += 1) await passed(1, `key ${index}`);
    expect(await passed(1, "first")).toBe(0);
    for (let index = 0; index < RATE_LIMITS.kept; index += 1) await passed(1, `other ${index}`);
    expect(await passed(1, "first")).toBe(1);
  });
});

describe("C17: failures from an address", () => {
  test("behind 300 of them nothing from there is looked at until the ten seconds are over", async () => {
    const { rates, wait } = clock();
    wait(4_000);
    for (let index = 0; index < 300; index += 1) await rates.failure("192.0.2.1");
    rates.checkAddress("192.0.2.1");
    await rates.failure("192.0.2.1");
    const refusal = { kind: "rate-limited", limit: "failures", retryAfter: 6 };
    expect(() => rates.checkAddress("192.0.2.1")).toThrow(expect.objectContaining({ error: refusal }));
    rates.checkAddress("192.0.2.2");
    wait(6_000);
    rates.checkAddress("192.0.2.1");
  });

  test("a binding counts them, where there is one", async () => {
    const { rates } = clock();
    await rates.failure("192.0.2.1", { FAILURES: { limit: async () => ({ success: false }) } });
    expect(() => rates.checkAddress("192.0.2.1")).toThrow();
  });
});

test("C17: the platform's limits are those that their names, and the code, say", () => {
  for (const { name, simple } of readConfig({ config: "./wrangler.toml" }).ratelimits) {
    const failures = { limit: RATE_LIMITS.failures, period: 10 };
    const requests = { limit: Number(name.slice("RATE_".length)), period: 60 };
    expect([name, simple]).toEqual([name, name === "RATE_FAILURES" ? failures : requests]);
  }
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:0::", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
  ["1::2::3::4:5:6:7:8:9:a:b", "1:0:0:0::/64"],
  ["", ""],
  ["x".repeat(9_000), "x".repeat(45)],
])("C17: an address %j is counted as %j", (given, counted) => {
  expect(addressOf(new Headers({ "cf-connecting-ip": given }))).toBe(counted);
  expect(addressOf(new Headers({ "x-forwarded-for": given }))).toBe("");
});
