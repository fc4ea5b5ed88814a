import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { unstable_readConfig as readConfig } from "wrangler";

const binary = (name: string) => fileURLToPath(import.meta.resolve(`../../../node_modules/.bin/${name}`));

/** The built bundle on workerd alone, as near to production as this machine gets. */
export interface BareGateway {
  port: number;
  /** What it has logged so far. */
  readonly log: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Around the Worker, where it is not what the machine has. */
interface Surroundings {
  /** With a store of tenants, and their Durable Objects. */
  tenants?: boolean;
  /** Host and port of a server that is the store, in place of one that begins empty and nobody else can look into. */
  store?: string;
  /** Host and port of a server that all requests of the Worker's go to, whatever their address, in place of the network. */
  outside?: string;
}

/** @param variables only these exist: nothing else is in the bundle's environment */
export async function startBareGateway(
  variables: Record<string, string>,
  surroundings: Surroundings = {},
): Promise<BareGateway> {
  const folder = await mkdtemp(join(tmpdir(), "toolsieve-"));
  const built = spawnSync(process.execPath, [binary("wrangler"), "deploy", "--dry-run", "--outdir", folder]);
  if (built.status !== 0) throw new Error(`the bundle was not built: ${built.stderr}`);
  await writeFile(join(folder, "config.capnp"), configure(variables, surroundings));
  await writeFile(join(folder, "key-value.js"), KEY_VALUE);
  await mkdir(join(folder, "objects"));
  // The port that the system has chosen is told on the control descriptor.
  const server = spawn(binary("workerd"), ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const log: Record<string, unknown>[] = [];
  if (!server.stdout) throw new Error("workerd has no output");
  createInterface({ input: server.stdout }).on("line", (line) => void log.push(JSON.parse(line)));
  const port = await new Promise<number>((resolve, reject) => {
    server.once("exit", () => reject(new Error("workerd did not start")));
    server.stdio[3]?.once("data", (told) => resolve(JSON.parse(String(told)).port));
  });
  return {
    port,
    log,
    async close() {
      server.kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** The protocol that workerd speaks to the store behind a binding of Workers KV. */
const KEY_VALUE = `
const values = new Map();
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const key = decodeURIComponent(pathname.slice(1));
    if (request.method === "PUT") values.set(key, await request.text());
    else if (request.method === "DELETE") values.delete(key);
    else if (key !== "") return values.has(key) ? new Response(values.get(key)) : new Response(null, { status: 404 });
    else {
      const [prefix, cursor] = [searchParams.get("prefix") ?? "", searchParams.get("cursor") ?? ""];
      const names = [...values.keys()].filter((name) => name.startsWith(prefix) && name > cursor).sort();
      const keys = names.slice(0, Number(searchParams.get("key_count_limit") ?? 1000)).map((name) => ({ name }));
      const complete = keys.length === names.length;
      return Response.json({ keys, list_complete: complete, ...(!complete && { cursor: keys.at(-1).name }) });
    }
    return new Response();
  },
};
`;

function configure(variables: Record<string, string>, { tenants = false, store, outside }: Surroundings): string {
  const { compatibility_date: date, compatibility_flags: flags } = readConfig({ config: "./wrangler.toml" });
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  if (tenants) {
    bindings.push(
      `(name = "TENANTS", kvNamespace = "kv")`,
      `(name = "TENANT_OBJECTS", durableObjectNamespace = "TenantObject")`,
    );
  }
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .gateway),
    (name = "kv", ${store ? `external = (address = "${store}", http = ())` : "worker = .keyValue"}),
    (name = "disk", disk = (path = "objects", writable = true)),
    (name = "egress", ${outside ? external(outside) : 'network = (allow = ["public", "local"])'}),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const keyValue :Workerd.Worker = (
  modules = [(name = "key-value.js", esModule = embed "key-value.js")],
  compatibilityDate = "${date}",
);
const gateway :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "index.js")],
  compatibilityDate = "${date}",
  compatibilityFlags = ${JSON.stringify(flags)},
  globalOutbound = "egress",
  durableObjectNamespaces = [(className = "TenantObject", uniqueKey = "toolsieve-tenants", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [${bindings.join(", ")}],
);
`;
}

/** It is told the whole address of what it is asked for. */
const external = (address: string) => `external = (address = "${address}", http = (style = proxy))`;
