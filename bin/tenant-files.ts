import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";
import { isObject } from "../src/json.ts";
import { describeFault } from "../src/tenants/faults.ts";
import { TENANT_ID } from "../src/tenants/record.ts";
import { recordFaults } from "../src/tenants/record-check.ts";
import { isSealed } from "../src/tenants/sealed.ts";
import { gatewayHosts, upstreamHosts } from "../src/tenants/values.ts";

/** A record in a file that is named after its tenant: `acme.json`. */
export interface TenantFile {
  path: string;
  id: string;
  /** As the admin API takes it: neither version nor revision. */
  record: Record<string, unknown>;
  /** Sentences. */
  faults: readonly string[];
}

/** @param paths files, and folders whose files that end in `.json` are meant */
export function readTenantFiles(paths: readonly string[]): TenantFile[] {
  const hosts = {
    upstreamHosts: variable("UPSTREAM_HOSTS", upstreamHosts),
    gatewayHosts: variable("GATEWAY_HOSTS", gatewayHosts),
  };
  const files = paths.flatMap((path) => (statSync(path).isDirectory() ? inFolder(path) : [path]));
  const read = files.map((path) => readTenantFile(path, hosts));
  const seen = new Set<string>();
  for (const { id, path } of read) {
    if (seen.has(id)) throw new Error(`${path}: another file is of the same tenant.`);
    seen.add(id);
  }
  return read;
}

function inFolder(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  // A folder that was misspelled: all tenants would be good, or deleted.
  if (names.length === 0) throw new Error(`${folder} holds no file that ends in .json.`);
  return names.toSorted().map((name) => join(folder, name));
}

function variable<T>(name: string, schema: v.GenericSchema<unknown, T>): T {
  const read = v.safeParse(schema, process.env[name]);
  if (read.success) return read.output;
  throw new Error(`${name} ${read.issues[0].message}.`);
}

function readTenantFile(path: string, hosts: Parameters<typeof recordFaults>[2]): TenantFile {
  const id = basename(path).replace(/\.json$/, "");
  const named = path.endsWith(".json") && TENANT_ID.test(id) ? [] : ["Its name, before .json, is none of a tenant."];
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // The parser's own words would quote what may be a secret.
    return { path, id, record: {}, faults: [...named, "It holds no JSON."] };
  }
  const { v: version = 1, rev = 1, ...record } = isObject(given) ? given : {};
  const whole = isObject(given) ? { keys: [], ...record, v: version, rev } : given;
  const faults = recordFaults(id, whole, hosts).map(describeFault);
  return { path, id, record, faults: [...named, ...inClear(record), ...faults] };
}

/** Sealed secrets are taken as they are: only the gateway has the key to them. */
function inClear({ settings }: Record<string, unknown>): string[] {
  const upstreams = isObject(settings) && isObject(settings.upstreams) ? settings.upstreams : {};
  return Object.entries(upstreams).flatMap(([upstream, given]) => {
    const key = isObject(given) ? given.api_key : undefined;
    return key === undefined || key === "" || isSealed(key)
      ? []
      : [`settings.upstreams.${upstream}.api_key is not sealed.`];
  });
}
