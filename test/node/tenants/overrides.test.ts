import { expect, test } from "vitest";
import type { GatewayFailure } from "../../../src/errors.ts";
import { withOverrides } from "../../../src/tenants/overrides.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

function override(env: object, teach?: string) {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  try {
    return withOverrides(config, new Headers(teach === undefined ? {} : { "x-toolcall-teach": teach })).toolcall.teach;
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
        'TOOLCALL_OVERRIDES takes none, or of teach some, parted by commas, not "mood".',
      ),
    },
  });
});
