import { expect, test, vi } from "vitest";
import { createModelList } from "../../../src/http/model-list.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

const load = (env: object) => {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  return config;
};
const upstream = (key: string) => load({ UPSTREAM_BASE_URL: "https://host.example/v1", UPSTREAM_API_KEY: key });

test("the upstream's list is kept for a minute", async () => {
  let now = 0;
  const ask = vi.fn(async () => ["a"]);
  const list = createModelList(ask, () => now);
  const config = upstream("k");
  for (const time of [0, 59_999, 60_000]) {
    now = time;
    expect(await list(config, 0)).toEqual(["a"]);
  }
  expect(ask).toHaveBeenCalledTimes(2);
});

test("an empty list, which may be a failure, is not kept", async () => {
  const lists = [[], ["a"]];
  const list = createModelList(
    async () => lists.shift() ?? [],
    () => 0,
  );
  const config = upstream("k");
  expect([await list(config, 0), await list(config, 0)]).toEqual([[], ["a"]]);
});

test("what one configuration was told is never another's", async () => {
  const list = createModelList(
    async ({ apiKey = "" }) => [apiKey],
    () => 0,
  );
  expect([await list(upstream("k"), 0), await list(upstream("l"), 0)]).toEqual([["k"], ["l"]]);
});

test("hops are counted on", async () => {
  const ask = vi.fn(async () => []);
  await createModelList(ask)(upstream("k"), 2);
  expect(ask).toHaveBeenCalledWith(expect.objectContaining({ baseUrl: "https://host.example/v1" }), 2);
});

test("what is configured needs no upstream", async () => {
  const ask = vi.fn(async () => []);
  expect(await createModelList(ask)(load({}), 0)).toEqual(["demo", "echo"]);
  expect(ask).not.toHaveBeenCalled();
});
