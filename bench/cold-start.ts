/** `npm run bench:start`: from the spawn of workerd to its first answer, our bundle beside a bare Hono Worker. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const RUNS = 25;
const DATE = "2026-11-02";

const path = (relative: string) => join(import.meta.dirname, "..", relative);

/** @returns the folder with a bundle and the configuration to serve it */
async function build(entry: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolsieve-start-"));
  // Without the bindings of ours, which the bare Worker has no classes for.
  const config = join(folder, "wrangler.toml");
  await writeFile(config, `name = "start"\ncompatibility_date = "${DATE}"\nkeep_names = false\n`);
  const options = ["deploy", path(entry), "--config", config, "--dry-run", "--minify", "--outdir", folder];
  const built = spawnSync(process.execPath, [path("node_modules/.bin/wrangler"), ...options], { cwd: path(".") });
  if (built.status !== 0) throw new Error(String(built.stderr));
  const name = entry.replace(/^.*\//, "").replace(".ts", ".js");
  await writeFile(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "${name}")],
  compatibilityDate = "${DATE}",
);
`,
  );
  return folder;
}

/** Milliseconds. */
async function start(folder: string): Promise<number> {
  const began = performance.now();
  const server = spawn(path("node_modules/.bin/workerd"), ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const port = await new Promise<number>((resolve) => {
    server.stdio[3]?.once("data", (told) => resolve(JSON.parse(String(told)).port));
  });
  await (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
  const took = performance.now() - began;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill();
  await gone;
  return took;
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

const folders = { "bare Hono": await build("bench/bare-hono.ts"), toolsieve: await build("src/index.ts") };
const times: Record<string, number[]> = { "bare Hono": [], toolsieve: [] };
// In turns, so that a busy machine slows both alike.
for (let run = 0; run < RUNS; run += 1) {
  for (const [name, folder] of Object.entries(folders)) times[name]?.push(await start(folder));
}
for (const [name, took] of Object.entries(times)) console.log(`${name}: ${median(took).toFixed(1)} ms`);
const ratio = median(times.toolsieve ?? []) / median(times["bare Hono"] ?? []);
console.log(`ratio of the medians of ${RUNS} starts each: ${ratio.toFixed(2)}`);
for (const folder of Object.values(folders)) await rm(folder, { recursive: true });
