import { describe, expect, test } from "vitest";
import { allowsModel, configuredModels } from "../../../src/tenants/models.ts";
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
