import { describe, expect, test } from "vitest";
import { integerDigits, isJsonNumber } from "../../../../src/sieve/values/number.ts";

describe("integerDigits", () => {
  test.each([
    ["0", "0"],
    ["-0", "-0"],
    ["5", "5"],
    ["-17", "-17"],
    ["9007199254740993", "9007199254740993"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["5.0", "5"],
    ["-5.000", "-5"],
    ["9007199254740993.0", "9007199254740993"],
    ["1e3", "1000"],
    ["1E+3", "1000"],
    ["1.5e1", "15"],
    ["1.25e1", undefined],
    ["100e-2", "1"],
    ["150e-2", undefined],
    ["0.05e2", "5"],
    ["0.0e-7", "0"],
    ["0e9", "0"],
    ["1e308", `1${"0".repeat(308)}`],
    ["1e309", undefined],
    ["1e999999999999999999999", undefined],
    ["1.5", undefined],
    ["05", undefined],
    ["+5", undefined],
    [".5", undefined],
    ["5.", undefined],
    ["1_000", undefined],
    ["0x10", undefined],
    ["Infinity", undefined],
    ["", undefined],
    [" 5", undefined],
    ["5\n", undefined],
    ["٥", undefined],
  ])("%s: %s", (text, digits) => {
    expect(integerDigits(text)).toBe(digits);
  });
});

describe("isJsonNumber", () => {
  test.each(["0", "-0.0", "1.50", "1e5", "1E-5", "12345678901234567890.123456789"])("%s is one", (text) => {
    expect(isJsonNumber(text)).toBe(true);
  });
  test.each(["", "-", "01", "1.", ".1", "1e", "+1", "NaN", "1,5", "1 ", "--1"])("%j is none", (text) => {
    expect(isJsonNumber(text)).toBe(false);
  });
});
