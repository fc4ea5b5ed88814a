import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { unstable_readConfig as readConfig } from "wrangler";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { serveStore } from "./served-store.ts";

const binary = (name: string) => fileURLToPath(import.meta.resolve(`../../../node_modules/.bin/${name}`));

/** The built bundle on workerd alone, as near to production as this machine gets. */
export interface BareGateway {
  port: number;
  /** Of the process. */
  pid: number;
  /** What workerd itself has said on its error output. */
  readonly complaints: readonly string[];
  /** What it has logged so far. */
  readonly log: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Around the Worker, where it is not what the machine has. */
interface Surroundings {
  /** With a store of tenants, this one or one that begins empty, and their Durable Objects. */
  tenants?: boolean | MemoryStore;
  /** Host and port of a server that all requests of the Worker's go to, whatever their address, in place of the network. */
  outside?: string;
}

/** @param variables only these exist: nothing else is in the bundle's environment */
export async function startBareGateway(
  variables: Record<string, string>,
  { tenants = false, outside }: Surroundings = {},
): Promise<BareGateway> {
  const store = tenants ? await serveStore(tenants === true ? new MemoryStore() : tenants) : undefined;
  const folder = await mkdtemp(join(tmpdir(), "toolsieve-"));
  bundle ??= await build();
  await writeFile(join(folder, "index.js"), bundle);
  await writeFile(join(folder, "config.capnp"), configure(variables, store?.address, outside));
  await mkdir(join(folder, "objects"));
  // The port that the system has chosen is told on the control descriptor.
  const server = spawn(binary("workerd"), ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const log: Record<string, unknown>[] = [];
  const complaints: string[] = [];
  if (!server.stdout || !server.stderr || server.pid === undefined) throw new Error("workerd has no output");
  createInterface({ input: server.stderr }).on("line", (line) => void complaints.push(line));
  createInterface({ input: server.stdout }).on("line", (line) => void log.push(JSON.parse(line)));
  const port = await new Promise<number>((resolve, reject) => {
    server.once("exit", () => reject(new Error("workerd did not start")));
    server.stdio[3]?.once("data", (told) => resolve(JSON.parse(String(told)).port));
  });
  return {
    port,
    pid: server.pid,
    complaints,
    log,
    async close() {
      server.kill();
      await store?.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Of all the gateways of one test file. */
let bundle: string | undefined;

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolsieve-"));
  const built = spawnSync(process.execPath, [binary("wrangler"), "deploy", "--dry-run", "--outdir", folder]);
  if (built.status !== 0) throw new Error(`the bundle was not built: ${built.stderr}`);
  const code = await readFile(join(folder, "index.js"), "utf8");
  await rm(folder, { recursive: true });
  return code;
}

function configure(variables: Record<string, string>, store: string | undefined, outside: string | undefined): string {
  const { compatibility_date: date, compatibility_flags: flags } = readConfig({ config: "./wrangler.toml" });
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  const services = [
    `(name = "main", worker = .gateway)`,
    `(name = "disk", disk = (path = "objects", writable = true))`,
    outside
      ? `(name = "egress", external = (address = "${outside}", http = (style = proxy)))`
      : `(name = "egress", network = (allow = ["public", "local"]))`,
  ];
  if (store) {
    services.push(`(name = "kv", external = (address = "${store}", http = ()))`);
    bindings.push(
      `(name = "TENANTS", kvNamespace = "kv")`,
      `(name = "TENANT_OBJECTS", durableObjectNamespace = "TenantObject")`,
    );
  }
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(", ")}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
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
