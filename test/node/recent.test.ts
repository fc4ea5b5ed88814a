import { expect, test } from "vitest";
import { Recent } from "../../src/recent.ts";

function asking(most: number, keys: string): string {
  const recent = new Recent<string>(most);
  let made = "";
  for (const key of keys) {
    const value = recent.get(key, () => {
      made += key;
      return key.toUpperCase();
    });
    expect(value).toBe(key.toUpperCase());
  }
  return made;
}

test.each([
  ["is made once", 2, "aaba", "ab"],
  ["is forgotten when others were asked for later", 2, "abca", "abca"],
  ["is kept when it is asked for again", 2, "abaca", "abc"],
  ["is forgotten alone", 3, "abcdcbd", "abcd"],
  ["is made anew each time where nothing is kept", 0, "aa", "aa"],
])("what was made %s", (_rule, most, keys, made) => {
  expect(asking(most, keys)).toBe(made);
});

test("undefined is a value like any other", () => {
  const recent = new Recent<undefined>(1);
  let made = 0;
  const make = () => {
    made += 1;
    return undefined;
  };
  recent.get("a", make);
  recent.get("a", make);
  expect(made).toBe(1);
});
