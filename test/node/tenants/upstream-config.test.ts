import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { compileConfig, configFor, NO_ACCESS, secretsOf, upstreamsOf } from "../../../src/tenants/config.ts";
import { Settings } from "../../../src/tenants/settings.ts";

const compile = (settings: object) =>
  compileConfig(v.parse(Settings, settings), { ...NO_ACCESS, upstreamHosts: ["*:443"] }, "acme");

const at = (name: string, more: object = {}) => ({ base_url: `https://${name}.example/v1`, ...more });
const upstreams = { a: at("a"), b: at("b", { model: "b-model" }), c: at("c") };

/** Which hosts are asked, in order, for which model. */
function order(settings: object, model = "m") {
  const { config } = compile({ upstreams, ...settings }) as { config?: Parameters<typeof configFor>[0] };
  if (!config) throw new Error("invalid");
  return upstreamsOf(configFor(config, model))
    .map(({ upstream }) => {
      const host =
        "baseUrl" in upstream ? upstream.baseUrl.replace(/https:\/\/(.*)\.example\/v1/, "$1") : upstream.kind;
      return `${host}:${upstream.model ?? model}`;
    })
    .join(" ");
}

describe("which upstreams are asked, in which order, for which model", () => {
  const route = (fields: object) => ({ fallback: ["b", "c"], routes: [{ models: ["m"], ...fields }] });
  test.each<[string, object, string]>([
    ["none but the first one", {}, "a:m"],
    ["those that are named, each for its own model, if it has one", { fallback: ["c", "b"] }, "a:m c:m b:b-model"],
    ["a text with commas names them as well", { fallback: "c, b" }, "a:m c:m b:b-model"],
    ["a route has those of the tenant", route({}), "a:m b:b-model c:m"],
    ["or its own", route({ fallback: ["c"] }), "a:m c:m"],
    ["or none", route({ fallback: [] }), "a:m"],
    ["never its own upstream once more", route({ upstream: "b" }), "b:b-model c:b-model"],
    [
      "its model goes before the first one's own, and to those that have none",
      route({ model: "x" }),
      "a:x b:b-model c:x",
    ],
    ["also where it takes another upstream", route({ upstream: "b", model: "x" }), "b:x c:x"],
    ["the first one may stand in for a route's", route({ upstream: "c", fallback: ["a"] }), "c:m a:m"],
  ])("%s", (_rule, settings, expected) => {
    expect(order(settings)).toBe(expected);
  });

  test("its time-outs are its own", () => {
    const { config } = compile({
      upstreams: { a: at("a"), b: at("b", { idle_timeout_ms: 5, total_timeout_ms: 7, eof: "lenient" }) },
      fallback: ["b"],
    }) as { config: Parameters<typeof upstreamsOf>[0] };
    expect(upstreamsOf(config).map((it) => [it.idleTimeoutMs, it.totalTimeoutMs, it.lenientEof])).toEqual([
      [120_000, 900_000, false],
      [5, 7, true],
    ]);
    expect(Object.isFrozen(config.fallbacks[0]?.upstream)).toBe(true);
  });
});

describe("C11: a list that cannot be kept to closes its tenant", () => {
  const UNKNOWN = "takes the name of one of the upstreams";
  const TWICE = "names an upstream that was asked before";
  test.each<[object, (string | number)[], string]>([
    [{ fallback: ["d"] }, ["fallback", 0], UNKNOWN],
    [{ fallback: ["b", "toString"] }, ["fallback", 1], UNKNOWN],
    [{ fallback: ["a"] }, ["fallback", 0], TWICE],
    [{ fallback: ["b", "c", "b"] }, ["fallback", 2], TWICE],
    [{ routes: [{ models: ["m"], fallback: ["d"] }] }, ["routes", 0, "fallback", 0], UNKNOWN],
    [{ routes: [{ models: ["m"], fallback: ["a"] }] }, ["routes", 0, "fallback", 0], TWICE],
    [{ routes: [{ models: ["m"], upstream: "b", fallback: ["a", "b"] }] }, ["routes", 0, "fallback", 1], TWICE],
  ])("%j", (settings, path, message) => {
    expect(compile({ upstreams, ...settings })).toEqual({ faults: [{ path, message }] });
  });
});

test("C14: the keys of all upstreams are secrets of the log, those behind others and of routes too", () => {
  const keyed = (name: string) => at(name, { api_key: `key-${name}` });
  const { config } = compile({
    upstreams: { a: keyed("a"), b: keyed("b"), c: keyed("c"), d: keyed("d") },
    fallback: ["b"],
    routes: [{ models: ["m"], upstream: "c", fallback: ["d"] }],
  }) as { config: Parameters<typeof secretsOf>[0] };
  expect(secretsOf(config)).toEqual(["key-a", "key-b", "key-c", "key-d"]);
});
