import type * as v from "valibot";
import { afterEach, describe, expect, test, vi } from "vitest";
import { logFailure } from "../../../src/telemetry/log.ts";
import { TenantRecord } from "../../../src/tenants/record.ts";
import { recordFaults } from "../../../src/tenants/record-check.ts";
import { createTenantStore } from "../../../src/tenants/store.ts";
import { MemoryStore } from "./stored-tenant.ts";

afterEach(() => void vi.restoreAllMocks());

type Path = readonly (string | number)[];

/** As much of a schema as says what stands in what. */
interface Part {
  type: string;
  pipe?: readonly Part[];
  wrapped?: Part;
  entries?: Record<string, Part>;
  item?: Part;
  value?: Part;
  getter?: (given: unknown) => Part;
}

/** Every place of what a schema is about, itself included. A name is made up where any may stand. */
function placesIn(schema: Part, path: Path = []): Path[] {
  const { pipe = [], wrapped, entries = {}, item, value, getter } = schema;
  const inner = [
    ...pipe.filter((part) => part !== schema).map((part) => placesIn(part, path)),
    ...Object.entries(entries).map(([name, part]) => placesIn(part, [...path, name])),
    ...(wrapped ? [placesIn(wrapped, path)] : []),
    ...(item ? [placesIn(item, [...path, 0])] : []),
    ...(schema.type === "record" && value ? [placesIn(value, [...path, "main"])] : []),
    ...(getter ? [placesIn(getter([]), path)] : []),
  ];
  const places = [path, ...inner.flat()];
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

const PLACES = placesIn(TenantRecord as v.GenericSchema as unknown as Part);

const CANARY = /kanari|918273645546\.?372/;
const NUMBER = 918_273_645_546_372;
const NAME = "a \"kanari' name";
const WRONG: Readonly<Record<string, unknown>> = {
  null: null,
  "a truth value": true,
  "a number": NUMBER,
  "a negative number": -NUMBER,
  "a fraction": 918_273_645_546.372,
  "a text": "kanari",
  "a text with quotation marks": '"kanari\' "kanari\\"',
  "a text of several lines": "a\nkanari\n",
  "a long text": "kanari ".repeat(20),
  "a text with commas": "kanari,kanari",
  "an address": "https://kanari@kanari.example/?kanari#kanari",
  "an empty list": [],
  "a list of a text": ["kanari"],
  "a list of a number": [NUMBER],
  "a list of lists": [["kanari", NUMBER], { [NAME]: NUMBER }],
  "an empty object": {},
  "an object": { [NAME]: "kanari" },
  "an object with blanks in a name": { "kanari is secret": 1, main: { "kanari, too": 1 } },
  "an object of objects": { main: { [NAME]: { [NAME]: NUMBER } }, [NAME]: { base_url: NUMBER } },
};

/** A good record, but for what stands at this place. */
function recordWith(path: Path, wrong: unknown): unknown {
  const good = { v: 1, rev: 1, status: "active", keys: [], hosts: [], settings: {} };
  return set(good, path, wrong);
}

function set(inner: unknown, [name, ...rest]: Path, wrong: unknown): unknown {
  if (name === undefined) return wrong;
  if (typeof name === "number") return [set(undefined, rest, wrong)];
  const members = { ...(inner as Record<string, unknown>) };
  return { ...members, [name]: set(members[name], rest, wrong) };
}

/** The log's line on a request of a tenant whose record is this one; empty where nothing is wrong with it. */
async function logged(record: unknown): Promise<string> {
  const kv = new MemoryStore();
  kv.values.set("v1:tenant:acme", JSON.stringify(record));
  const gateway = { masters: {}, config: { upstreamHosts: ["*:443"], gatewayHosts: [] } };
  const error = (await createTenantStore(kv, gateway).tenant("acme"))?.outcome.fault;
  const log = vi.spyOn(console, "log").mockReturnValue();
  if (error) logFailure({ requestId: "req_1", route: "/", status: 503, error }, []);
  const line = String(log.mock.calls[0]?.[0] ?? "");
  log.mockRestore();
  return line;
}

describe("C14: what is wrong with a record is told in our words", () => {
  test("all of the schema is looked at", () => {
    const places = PLACES.map((path) => path.join("."));
    expect(places).toEqual(
      expect.arrayContaining(["", "v", "keys.0.hash", "hosts.0", "settings.upstreams.main.api_key"]),
    );
    expect(places).toEqual(expect.arrayContaining(["settings.routes.0.upstream", "settings.toolcall.rollout.percent"]));
    expect(places).toEqual(expect.arrayContaining(["settings.routes.0.models.0", "settings.allowed_origins.0"]));
  });

  test.each(Object.entries(WRONG))("%s at any place never stands in the log", async (_, wrong) => {
    for (const path of PLACES) {
      const line = await logged(recordWith(path, wrong));
      expect(line, path.join(".")).not.toMatch(CANARY);
      expect(line, path.join(".")).not.toMatch(/Invalid |[Ee]xpected|received/);
    }
  });

  test.each(Object.entries(WRONG))("%s at any place is never told in valibot's", (_, wrong) => {
    for (const path of PLACES) {
      const faults = recordFaults("acme", recordWith(path, wrong), { upstreamHosts: ["*:443"], gatewayHosts: [] });
      for (const { message } of faults) {
        expect(message, path.join(".")).not.toMatch(/^Invalid |[Ee]xpected|received/);
        // A value stands in quotes, where it is shown at all.
        expect(message.replace(/"(?:[^"\\]|\\.)*"/g, ""), path.join(".")).not.toMatch(CANARY);
      }
    }
  });

  test("names of members that are none of ours are quoted, too", async () => {
    expect(await logged(recordWith(["settings", NAME], 1))).toContain(
      String.raw`the record of acme: \"…\" is no setting.`,
    );
    expect(await logged(recordWith(["settings", "colour"], 1))).toContain("the record of acme: colour is no setting.");
  });
});
