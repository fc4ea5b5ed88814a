import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { unstable_readConfig as readConfig } from "wrangler";

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

/** @param variables only these exist: nothing else is in the bundle's environment */
export async function startBareGateway(variables: Record<string, string>): Promise<BareGateway> {
  const folder = await mkdtemp(join(tmpdir(), "toolsieve-"));
  bundle ??= await build();
  await writeFile(join(folder, "index.js"), bundle);
  await writeFile(join(folder, "config.capnp"), configure(variables));
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

function configure(variables: Record<string, string>): string {
  const { compatibility_date: date, compatibility_flags: flags } = readConfig({ config: "./wrangler.toml" });
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .gateway),
    (name = "egress", network = (allow = ["public", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const gateway :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "index.js")],
  compatibilityDate = "${date}",
  compatibilityFlags = ${JSON.stringify(flags)},
  globalOutbound = "egress",
  bindings = [${bindings.join(", ")}],
);
`;
}
