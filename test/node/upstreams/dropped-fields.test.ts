import { describe, expect, test } from "vitest";
import { createDroppedFields } from "../../../src/upstreams/dropped-fields.ts";

describe("what is known", () => {
  const HOUR = 3_600_000;
  const clock = () => {
    let time = 0;
    return { dropped: createDroppedFields(() => time), pass: (ms: number) => (time += ms) };
  };

  test("holds for an hour, each field by itself", () => {
    const { dropped, pass } = clock();
    dropped.at("https://a").add("m", ["top_k"]);
    pass(HOUR / 2);
    dropped.at("https://a").add("m", ["seed"]);
    pass(HOUR / 2 - 1);
    expect([...dropped.at("https://a").of("m")]).toEqual(["top_k", "seed"]);
    pass(1);
    expect([...dropped.at("https://a").of("m")]).toEqual(["seed"]);
  });

  test("holds for one model at one address", () => {
    const { dropped } = clock();
    dropped.at("https://a").add("m", ["top_k"]);
    dropped.at("https://a").add("n", []);
    expect([dropped.at("https://a").of("n").size, dropped.at("https://b").of("m").size]).toEqual([0, 0]);
  });

  test("is bounded: of too many models the one that was refused first is forgotten", () => {
    const { dropped } = clock();
    for (let model = 0; model < 512; model += 1) dropped.at("https://a").add(`m${model}`, ["top_k"]);
    dropped.at("https://a").add("m0", ["seed"]);
    dropped.at("https://a").add("one more", ["top_k"]);
    const sizes = ["m0", "m1", "m2", "one more"].map((model) => dropped.at("https://a").of(model).size);
    expect(sizes).toEqual([2, 0, 1, 1]);
  });
});
