import fc from "fast-check";
import { expect, test } from "vitest";
import type { GatewayFailure } from "../../../src/errors.ts";
import { withOverrides } from "../../../src/tenants/overrides.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

function override(env: object, teach?: string, more: Record<string, string> = {}) {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  try {
    const headers = new Headers({ ...(teach !== undefined && { "x-toolcall-teach": teach }), ...more });
    return (withOverrides(config, headers) ?? config).toolcall.teach;
  } catch (thrown) {
    return (thrown as GatewayFailure).error;
  }
}

test.each<[string, object, string | undefined, string]>([
  ["no header", {}, undefined, "auto"],
  ["an empty one", { TOOLCALL_TEACH: "hermes" }, " ", "hermes"],
  ["a notation", {}, "hermes", "hermes"],
  ["the upstream's own form", {}, "native", "native"],
  ["what the table says", { TOOLCALL_TEACH: "hermes" }, "auto", "auto"],
  ["the one that mode canonical reads", { TOOLCALL_MODE: "canonical" }, "canonical", "canonical"],
])("%s", (_what, env, teach, expected) => {
  expect(override(env, teach)).toBe(expected);
});

test.each<[string, object, string, RegExp]>([
  ["an unknown one", {}, "morse", /^The header x-toolcall-teach takes auto, native, .*, not "morse"\.$/],
  [
    "what mode canonical would not read",
    { TOOLCALL_MODE: "canonical" },
    "hermes",
    /takes auto, native, canonical, canonical_raw where TOOLCALL_MODE is canonical/,
  ],
  ["any, where the operator forbids it", { TOOLCALL_OVERRIDES: "none" }, "auto", /this gateway does not allow it/],
])("refused: %s", (_what, env, teach, message) => {
  expect(override(env, teach)).toEqual({
    kind: "invalid-request",
    message: expect.stringMatching(message),
    param: "x-toolcall-teach",
  });
});

test("whose settings may be overridden is a list of known words", () => {
  expect(loadConfig({ TOOLCALL_OVERRIDES: "teach,mood" })).toMatchObject({
    error: {
      message: expect.stringContaining(
        'TOOLCALL_OVERRIDES takes none, or of mode, early_emit, teach some, parted by commas, not "mood".',
      ),
    },
  });
});

test.each(["none,teach", "mode, none", "none,none"])("none is none, or an error beside others: %s", (given) => {
  expect(loadConfig({ TOOLCALL_OVERRIDES: given })).toMatchObject({
    error: { message: expect.stringContaining("TOOLCALL_OVERRIDES takes none, or of mode, early_emit, teach some") },
  });
});

const ALL = { TOOLCALL_OVERRIDES: "mode,early_emit,teach" };

test.each<[string, object, Record<string, string>, string, RegExp]>([
  ["mode, by default", {}, { "x-toolcall-mode": "off" }, "x-toolcall-mode", /does not allow it/],
  ["early emit, by default", {}, { "x-toolcall-early-emit": "off" }, "x-toolcall-early-emit", /does not allow it/],
  [
    "an unknown mode",
    ALL,
    { "x-toolcall-mode": "on" },
    "x-toolcall-mode",
    /takes off, canonical, feature_match, not "on"/,
  ],
  [
    "a mode that does not read what is taught",
    { ...ALL, TOOLCALL_TEACH: "hermes" },
    { "x-toolcall-mode": "canonical" },
    "x-toolcall-mode",
    /takes canonical where TOOLCALL_TEACH is one of auto, native, canonical, canonical_raw/,
  ],
  [
    "both, where they do not fit",
    ALL,
    { "x-toolcall-mode": "canonical", "x-toolcall-teach": "hermes" },
    "x-toolcall-teach",
    /where TOOLCALL_MODE is canonical/,
  ],
])("refused: %s", (_what, env, headers, param, message) => {
  expect(override(env, undefined, headers)).toEqual({
    kind: "invalid-request",
    message: expect.stringMatching(message),
    param,
  });
});

test("no header sets what is not allowed, and nothing but its own switch", () => {
  const words = ["mode", "early_emit", "teach"] as const;
  const settings = { mode: "mode", early_emit: "earlyEmit", teach: "teach" } as const;
  const values = ["off", "canonical", "feature_match", "high", "low", "native", "hermes", "auto", "junk", ""];
  const value = fc.constantFrom(...values);
  fc.assert(
    fc.property(fc.subarray([...words]), fc.tuple(value, value, value), (allowed, given) => {
      const { config } = loadConfig({ TOOLCALL_OVERRIDES: allowed.length === 0 ? "none" : allowed.join(",") });
      if (!config) throw new Error("invalid");
      const headers = new Headers(
        words.map((name, at) => [`x-toolcall-${name.replace("_", "-")}`, given[at] ?? ""] as [string, string]),
      );
      let set = config;
      try {
        set = withOverrides(config, headers) ?? config;
      } catch (thrown) {
        expect((thrown as GatewayFailure).error.kind).toBe("invalid-request");
      }
      for (const name of words) {
        const changed = set.toolcall[settings[name]] !== config.toolcall[settings[name]];
        if (changed) expect(allowed).toContain(name);
        if (changed) expect(set.toolcall[settings[name]]).toBe(headers.get(`x-toolcall-${name.replace("_", "-")}`));
      }
      const switches = { mode: "", earlyEmit: "", teach: "" };
      expect({ ...set, toolcall: { ...set.toolcall, ...switches } }).toEqual({
        ...config,
        toolcall: { ...config.toolcall, ...switches },
      });
    }),
  );
});
