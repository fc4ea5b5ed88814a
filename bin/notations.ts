import { readFileSync, writeFileSync } from "node:fs";
import { withNotations } from "./notations-table.ts";

/** Writes the table of notations into the README; run from the root, as npm does. */
const README = "README.md";
writeFileSync(README, withNotations(readFileSync(README, "utf8")));
