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
    dropped.add("https://a", "m", ["top_k"]);
    pass(HOUR / 2);
    dropped.add("https://a", "m", ["seed"]);
    pass(HOUR / 2 - 1);
    expect([...dropped.of("https://a", "m")]).toEqual(["top_k", "seed"]);
    pass(1);
    expect([...dropped.of("https://a", "m")]).toEqual(["seed"]);
  });

  test("holds for one model at one address", () => {
    const { dropped } = clock();
    dropped.add("https://a", "m", ["top_k"]);
    dropped.add("https://a", "n", []);
    expect([dropped.of("https://a", "n").size, dropped.of("https://b", "m").size]).toEqual([0, 0]);
  });

  test("is bounded: of too many models the one that was refused first is forgotten", () => {
    const { dropped } = clock();
    for (let model = 0; model < 512; model += 1) dropped.add("https://a", `m${model}`, ["top_k"]);
    dropped.add("https://a", "m0", ["seed"]);
    dropped.add("https://a", "one more", ["top_k"]);
    const sizes = ["m0", "m1", "m2", "one more"].map((model) => dropped.of("https://a", model).size);
    expect(sizes).toEqual([2, 0, 1, 1]);
  });
});
