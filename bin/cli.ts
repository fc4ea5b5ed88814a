import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { compileConfig } from "../src/tenants/config.ts";
import { createKey } from "../src/tenants/gateway-key.ts";
import { TENANT_ID, TenantRecord } from "../src/tenants/record.ts";
import { SEALED, seal } from "../src/tenants/sealed.ts";
import { UpstreamId } from "../src/tenants/settings.ts";
import { NO_ACCESS } from "../src/tenants/store.ts";
import { apiKey, masterKey, upstreamHosts } from "../src/tenants/values.ts";

const USAGE = `toolsieve keys create TENANT [--label TEXT]
    Makes a key for a tenant's clients. It is printed once; what is stored is its hash.

toolsieve seal TENANT UPSTREAM [--master 1|2]
    Seals the secret of an upstream, read from standard input, under MASTER_KEY_1 (or _2) of the environment.

toolsieve tenants validate FILE…
    Says what is wrong with records of tenants; each file is named after its tenant: acme.json. UPSTREAM_HOSTS of the
    environment counts, as in the gateway.
`;

/** @returns the exit status */
export async function run(words: readonly string[]): Promise<number> {
  try {
    return await command(words);
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    return 1;
  }
}

async function command(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { label: { type: "string" }, master: { type: "string", default: "1" } },
  });
  const [noun, verb, ...rest] = positionals;
  if (noun === "keys" && verb === "create" && rest.length === 1)
    return createTenantKey(tenantOf(rest[0]), values.label);
  if (noun === "seal" && verb && rest.length === 1) return sealSecret(tenantOf(verb), rest[0] ?? "", values.master);
  if (noun === "tenants" && verb === "validate" && rest.length > 0) return validate(rest);
  console.error(USAGE);
  return 2;
}

function tenantOf(given = ""): string {
  if (TENANT_ID.test(given)) return given;
  throw new Error(
    `A tenant's name has 2 to 39 of a-z, 0-9 and "-", and begins with none of these dashes: not ${given}`,
  );
}

async function createTenantKey(tenant: string, label?: string): Promise<number> {
  const { id, key, hash } = await createKey();
  const stored = { id, hash, status: "active", ...(label !== undefined && { label }) };
  console.log(`The key, shown this once:\n  ${key}\n`);
  console.log(`Into "keys" of the record v1:tenant:${tenant}:\n  ${JSON.stringify(stored)}\n`);
  console.log(
    `So that the key alone tells its tenant:\n  npx wrangler kv key put --remote --binding TENANTS v1:key:${hash} '${JSON.stringify({ t: tenant })}'`,
  );
  return 0;
}

async function sealSecret(tenant: string, upstream: string, number: string): Promise<number> {
  if (number !== "1" && number !== "2") throw new Error("--master is 1 or 2.");
  const master = v.safeParse(masterKey, process.env[`MASTER_KEY_${number}`]);
  if (!master.success || !master.output) throw new Error(`MASTER_KEY_${number} is not 32 bytes in base64.`);
  const secret = (await readAll(process.stdin)).trim();
  if (!v.is(apiKey, secret) || secret === "")
    throw new Error("Standard input holds no key of visible ASCII characters.");
  if (!v.is(UpstreamId, upstream)) throw new Error(`No upstream can have this name: ${upstream}`);
  console.log(await seal(secret, { tenant, upstream }, number, master.output));
  return 0;
}

/** Sealed secrets are taken as they are: only the gateway has the key to them. */
function validate(files: readonly string[]): number {
  const hosts = v.safeParse(upstreamHosts, process.env.UPSTREAM_HOSTS);
  if (!hosts.success) throw new Error(`UPSTREAM_HOSTS ${hosts.issues[0].message}.`);
  let wrong = 0;
  for (const file of files) {
    const faults = faultsOf(file, hosts.output);
    wrong += faults.length > 0 ? 1 : 0;
    console.log(faults.length === 0 ? `${file}: good` : faults.map((fault) => `${file}: ${fault}`).join("\n"));
  }
  return wrong > 0 ? 1 : 0;
}

function faultsOf(file: string, hosts: readonly string[]): string[] {
  const [, tenant = ""] = /([^/\\]*)\.json$/.exec(file) ?? [];
  const named = TENANT_ID.test(tenant) ? [] : ["its name, before .json, is none of a tenant"];
  let record: unknown;
  try {
    record = JSON.parse(readFileSync(file, "utf8"));
  } catch (fault) {
    return [...named, fault instanceof Error ? fault.message : String(fault)];
  }
  const read = v.safeParse(TenantRecord, record);
  if (!read.success) {
    return [
      ...named,
      ...read.issues.map(({ path = [], message }) => `${path.map(({ key }) => key).join(".")} ${message}`),
    ];
  }
  const { settings } = read.output;
  const clear = Object.entries(settings.upstreams)
    .filter(([, { api_key: key }]) => key !== undefined && !SEALED.test(key))
    .map(([upstream]) => `settings.upstreams.${upstream}.api_key is not sealed`);
  const compiled = compileConfig(settings, { ...NO_ACCESS, upstreamHosts: hosts }, tenant);
  const senseless =
    "faults" in compiled ? compiled.faults.map(({ path, message }) => `settings.${path.join(".")} ${message}`) : [];
  return [...named, ...clear, ...senseless];
}
