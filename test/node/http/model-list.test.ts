import { expect, test, vi } from "vitest";
import { createModelList } from "../../../src/http/model-list.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

const load = (env: object) => {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  return config;
};
const sender = (env: object, hops = 0) => ({ config: load(env), url: new URL("https://gateway.example"), hops });
const upstream = (key: string, hops = 0) =>
  sender({ UPSTREAM_BASE_URL: "https://host.example/v1", UPSTREAM_API_KEY: key }, hops);

test("the upstream's list is kept for a minute", async () => {
  let now = 0;
  const ask = vi.fn(async () => ["a"]);
  const list = createModelList(ask, () => now);
  const asking = upstream("k");
  for (const time of [0, 59_999, 60_000]) {
    now = time;
    expect(await list(asking)).toEqual(["a"]);
  }
  expect(ask).toHaveBeenCalledTimes(2);
});

test("an empty list, which may be a failure, is not kept", async () => {
  const lists = [[], ["a"]];
  const list = createModelList(
    async () => lists.shift() ?? [],
    () => 0,
  );
  const asking = upstream("k");
  expect([await list(asking), await list(asking)]).toEqual([[], ["a"]]);
});

test("what one configuration was told is never another's", async () => {
  const list = createModelList(
    async ({ apiKey = "" }) => [apiKey],
    () => 0,
  );
  expect([await list(upstream("k")), await list(upstream("l"))]).toEqual([["k"], ["l"]]);
});

test("hops are counted on", async () => {
  const ask = vi.fn(async () => []);
  const asking = upstream("k", 2);
  await createModelList(ask)(asking);
  expect(ask).toHaveBeenCalledWith(expect.objectContaining({ baseUrl: "https://host.example/v1" }), asking);
});

test("what is configured needs no upstream", async () => {
  const ask = vi.fn(async () => []);
  expect(await createModelList(ask)(sender({}))).toEqual(["demo", "echo"]);
  expect(ask).not.toHaveBeenCalled();
});
