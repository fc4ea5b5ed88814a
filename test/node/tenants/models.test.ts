import { describe, expect, test } from "vitest";
import { allowsModel, configuredModels, labelOfModel } from "../../../src/tenants/models.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

const load = (env: object) => {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  return config;
};

describe("MODELS", () => {
  test.each([
    ["gpt-4o", "gpt-4o", true],
    ["gpt-4o", "gpt-4o-mini", false],
    ["gpt-4o", "GPT-4o", false],
    ["claude-*", "claude-", true],
    ["claude-*", "claude-sonnet-5", true],
    ["claude-*", "my-claude-sonnet", false],
    ["*", "", true],
    ["*", "org/model:7b", true],
    ["*-mini", "gpt-mini", true],
    ["*-mini", "gpt-mini-2", false],
    ["a*b*c", "abc", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "acb", false],
    ["a*b*c", "ac", false],
    ["ab*ba", "aba", false],
    ["a**b", "ab", true],
    ["a.c", "abc", false],
    ["first,second", "second", true],
  ])("%s against %s: %s", (patterns, name, allowed) => {
    expect(allowsModel(load({ MODELS: patterns }), name)).toBe(allowed);
  });

  test("unset allows every name", () => {
    expect(allowsModel(load({}), "anything")).toBe(true);
  });

  test("many stars cost no backtracking", () => {
    expect(allowsModel(load({ MODELS: `${"*a".repeat(200)}*b` }), "a".repeat(512))).toBe(false);
  });
});

describe("names that the configuration knows", () => {
  test.each([
    ["MODELS without its patterns", { MODELS: "a,claude-*,b/c" }, ["a", "b/c"]],
    ["MODELS before UPSTREAM_MODEL", { MODELS: "a", UPSTREAM_BASE_URL: "http://h/v1", UPSTREAM_MODEL: "m" }, ["a"]],
    ["UPSTREAM_MODEL", { UPSTREAM_BASE_URL: "http://h/v1", UPSTREAM_MODEL: "m" }, ["m"]],
    ["none: nobody lists those of Workers AI", { UPSTREAM_KIND: "workers-ai" }, []],
    ["the demo's", {}, ["demo", "echo"]],
    ["none: the upstream knows", { UPSTREAM_BASE_URL: "http://h/v1" }, undefined],
  ])("%s", (_rule, env, names) => {
    expect(configuredModels(load(env))).toEqual(names);
  });
});

describe("C14: what the numbers call a model is never what a client has written", () => {
  const UPSTREAM = { UPSTREAM_BASE_URL: "http://h/v1" };
  test.each<[what: string, env: object, model: string, label: string]>([
    ["the operator's name", { ...UPSTREAM, MODELS: "gpt-4o,claude-*" }, "gpt-4o", "gpt-4o"],
    ["the operator's pattern", { ...UPSTREAM, MODELS: "gpt-4o,claude-*" }, "claude-canary", "claude-*"],
    ["the first that fits", { ...UPSTREAM, MODELS: "*-canary,claude-*" }, "claude-canary", "*-canary"],
    ["not one that fits all of them", { ...UPSTREAM, MODELS: "*" }, "claude-canary", "claude*"],
    ["the one that is asked upstream", { ...UPSTREAM, UPSTREAM_MODEL: "qwen3:8b" }, "canary", "qwen3:8b"],
    ["its family", UPSTREAM, "Qwen/Qwen3-8B-canary", "qwen*"],
    ["none that is known", UPSTREAM, "canary", "other"],
    ["the one built in", {}, "canary", "demo"],
  ])("%s", (_rule, env, model, label) => {
    expect(labelOfModel(load(env), model)).toBe(label);
  });

  test("a route's pattern comes before the list of models", () => {
    const config = load({ ...UPSTREAM, MODELS: "claude-*" });
    const routed = { ...config, routes: [{ models: ["*haiku*"], config }] };
    expect(labelOfModel(routed, "claude-haiku-canary")).toBe("*haiku*");
    expect(labelOfModel(routed, "claude-opus-canary")).toBe("claude-*");
  });
});
