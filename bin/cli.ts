import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { KEY_ID } from "../src/tenants/gateway-key.ts";
import { NEW_KEY_TOKENS_PER_DAY, TENANT_ID, TENANT_NAMES } from "../src/tenants/record.ts";
import { seal } from "../src/tenants/sealed.ts";
import { UpstreamId } from "../src/tenants/settings.ts";
import { apiKey, masterKey } from "../src/tenants/values.ts";
import { type AdminClient, connectAdmin } from "./admin-client.ts";
import { create, createByHand, disable, type KeyTerms, rotate } from "./client-keys.ts";
import { apply, diff, validate } from "./tenants.ts";

const USAGE = `Files are named after their tenants: acme.json; of a folder all its .json files are meant. --url is a gateway, asked with
ADMIN_TOKEN of the environment. UPSTREAM_HOSTS and GATEWAY_HOSTS of the environment count as in the gateway.

toolsieve tenants validate FILE|FOLDER…
    Says what is wrong with records of tenants.

toolsieve tenants diff --url URL FILE|FOLDER… [--delete]
    Says what would change, and ends with 1 if anything would.

toolsieve tenants apply --url URL FILE|FOLDER… [--delete]
    Changes it. With --delete, which takes folders alone, tenants that have no file are deleted.

toolsieve keys create TENANT [--url URL] [--label TEXT] [--expires TIME] [--tokens-per-day N|none]
    Makes a key for a tenant's clients. It is shown once; what is stored is its hash. Without --url it says what to store. Its budget is
    ${NEW_KEY_TOKENS_PER_DAY} tokens a day unless another one is given.

toolsieve keys rotate TENANT KEY_ID --url URL [--grace SECONDS]
    Makes a key in the place of another, which goes on to be good for a day, or for as long as it is told.

toolsieve keys disable TENANT KEY_ID --url URL

toolsieve seal TENANT UPSTREAM [--master 1|2]
    Seals the secret of an upstream, read from standard input, under MASTER_KEY_1 (or _2) of the environment.
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

interface Options {
  url?: string;
  label?: string;
  expires?: string;
  "tokens-per-day"?: string;
  grace?: string;
  delete: boolean;
  master: string;
}

async function command(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h", default: false },
      url: { type: "string" },
      label: { type: "string" },
      expires: { type: "string" },
      "tokens-per-day": { type: "string" },
      grace: { type: "string" },
      delete: { type: "boolean", default: false },
      master: { type: "string", default: "1" },
    },
  });
  const [noun = "", verb = "", ...rest] = positionals;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const status =
    noun === "seal" && verb !== "" && rest.length === 1
      ? await sealSecret(tenantOf(verb), rest[0] ?? "", values.master)
      : ((await onTenants(noun, verb, rest, values)) ?? (await onKeys(noun, verb, rest, values)));
  if (status !== undefined) return status;
  if (words.length > 0) console.error(`There is no such command: ${[noun, verb].join(" ").trim()}\n`);
  console.error(USAGE);
  return 2;
}

/** Undefined for what is no such command. */
async function onTenants(noun: string, verb: string, paths: string[], options: Options): Promise<number | undefined> {
  if (noun !== "tenants" || paths.length === 0) return undefined;
  if (verb === "validate") return validate(paths);
  if (verb === "diff") return diff(clientOf(options), paths, options.delete);
  return verb === "apply" ? apply(clientOf(options), paths, options.delete) : undefined;
}

async function onKeys(noun: string, verb: string, rest: string[], options: Options): Promise<number | undefined> {
  if (noun !== "keys") return undefined;
  if (verb === "create" && rest.length === 1) {
    const [tenant, terms] = [tenantOf(rest[0]), termsOf(options)];
    return options.url === undefined ? createByHand(tenant, terms) : create(clientOf(options), tenant, terms);
  }
  if (rest.length !== 2) return undefined;
  const [tenant, id] = [tenantOf(rest[0]), keyIdOf(rest[1])];
  if (verb === "rotate") return rotate(clientOf(options), tenant, id, secondsOf(options.grace));
  return verb === "disable" ? disable(clientOf(options), tenant, id) : undefined;
}

function clientOf({ url }: Options): AdminClient {
  if (url === undefined) throw new Error("--url takes the address of the gateway.");
  return connectAdmin(url);
}

function termsOf({ label, expires, "tokens-per-day": tokens }: Options): KeyTerms {
  const until = expires === undefined ? undefined : Math.floor(Date.parse(expires) / 1_000);
  if (Number.isNaN(until)) throw new Error("--expires takes a time, such as 2027-01-31.");
  return {
    ...(label !== undefined && { label }),
    ...(until !== undefined && { expires: until }),
    ...(tokens !== undefined && { tokens_per_day: tokensOf(tokens) }),
  };
}

/** @returns null: as many as the tenant has */
function tokensOf(given: string): number | null {
  if (given === "none") return null;
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  throw new Error(`--tokens-per-day takes a whole number from 1 on, or none: not ${given}`);
}

function secondsOf(given: string | undefined): number | undefined {
  if (given === undefined || /^\d{1,9}$/.test(given)) return given === undefined ? undefined : Number(given);
  throw new Error("--grace takes whole seconds.");
}

function tenantOf(given = ""): string {
  if (TENANT_ID.test(given)) return given;
  throw new Error(`${TENANT_NAMES}: not ${given}`);
}

function keyIdOf(given = ""): string {
  if (KEY_ID.test(given)) return given;
  // Not shown: somebody may have put the key here.
  throw new Error("The id of a key is the 8 characters behind its gk_.");
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
