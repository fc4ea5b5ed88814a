import { expect, test } from "vitest";
import example from "../../.dev.vars.example?raw";
import { withNotations } from "../../bin/notations-table.ts";
import metrics from "../../docs/metrics.md?raw";
import schema from "../../docs/storage-schema.md?raw";
import manifest from "../../package.json?raw";
import readme from "../../README.md?raw";
import { COLUMNS } from "../../src/telemetry/analytics.ts";
import { PLACES } from "../../src/tenants/variables.ts";
import { UPSTREAM_KINDS } from "../../src/upstreams/capabilities.ts";
import wrangler from "../../wrangler.toml?raw";
import { variables } from "../variables.ts";

test("the table of notations is what the dialects say of themselves (npm run notations)", () => {
  expect(readme).toBe(withNotations(readme));
});

const names = Object.keys(variables({})).toSorted();

test("the table of variables has all of them", () => {
  const cells = [...readme.matchAll(/^\| (`[A-Z_\d]+`(?:, `[A-Z_\d]+`)*) /gm)].map(([, cell = ""]) => cell);
  const told = cells.flatMap((cell) => cell.split(", ")).map((name) => name.slice(1, -1));
  expect(told.toSorted()).toEqual(names);
});

test("the table of settings has all variables that make one, and where it stands", () => {
  const rows = [...schema.matchAll(/^\| `([A-Z_\d]+)` \| `([^`]+)` \|$/gm)].map(([, name, place]) => [name, place]);
  const places = Object.entries(PLACES).map(([name, path]) => {
    return [name, path.map((part) => (part === "default" ? "<name>" : part)).join(".")];
  });
  expect(rows).toEqual(places);
});

test("the example of .dev.vars has all of them, and a value for none", () => {
  expect([...example.matchAll(/^(?:# )?([A-Z_\d]+)=(.*)$/gm)].map(([, name]) => name).toSorted()).toEqual(names);
  expect(example).not.toMatch(/=./);
});

test("what a deploy button asks for is described", () => {
  const asked = [...example.matchAll(/^([A-Z_\d]+)=/gm)].map(([, name = ""]) => name);
  const { bindings } = JSON.parse(manifest).cloudflare;
  expect(asked.filter((name) => !bindings[name]?.description)).toEqual([]);
  const bound = [...wrangler.matchAll(/^(?:binding|name) = "([A-Z_\d]+)"$/gm)].map(([, name = ""]) => name);
  expect(bound.filter((name) => name !== "AI" && !bindings[name]?.description)).toEqual([]);
});

test("the table of Analytics Engine's columns has all of them, in their order", () => {
  const rows = [...metrics.matchAll(/^\| `((?:blob|double)\d+)` \| `(\w+)` \|/gm)].map(([, column, name]) => [
    column,
    name,
  ]);
  const numbered = (kind: string, names: readonly string[]) => names.map((name, at) => [`${kind}${at + 1}`, name]);
  expect(rows).toEqual([...numbered("blob", COLUMNS.blobs), ...numbered("double", COLUMNS.doubles)]);
});

test("the table of upstreams has all kinds", () => {
  const [, table = ""] = readme.split("### Kinds of upstreams");
  const rows = [...(table.split("\n### ")[0] ?? "").matchAll(/^\| (`[^|]+)\|/gm)].map(([, kinds = ""]) => kinds);
  const named = rows.flatMap((kinds) => [...kinds.matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind));
  expect(named).toEqual(UPSTREAM_KINDS.filter((kind) => kind !== "generic"));
});
