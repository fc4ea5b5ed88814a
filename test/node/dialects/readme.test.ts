import { expect, test } from "vitest";
import { withNotations } from "../../../bin/notations-table.ts";
import readme from "../../../README.md?raw";

test("the README's table of notations is what the dialects say of themselves (npm run notations)", () => {
  expect(readme).toBe(withNotations(readme));
});
