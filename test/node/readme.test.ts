import { expect, test } from "vitest";
import example from "../../.dev.vars.example?raw";
import { withNotations } from "../../bin/notations-table.ts";
import readme from "../../README.md?raw";
import { variables } from "../variables.ts";

test("the table of notations is what the dialects say of themselves (npm run notations)", () => {
  expect(readme).toBe(withNotations(readme));
});

const names = Object.keys(variables({})).toSorted();

test("the table of variables has all of them", () => {
  expect([...readme.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name).toSorted()).toEqual(names);
});

test("the example of .dev.vars has all of them", () => {
  expect([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name).toSorted()).toEqual(names);
});
