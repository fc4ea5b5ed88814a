import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { gzipSync } from "node:zlib";

/**
 * The budget of the bundle that `wrangler deploy --dry-run --minify --outdir dist` writes, in bytes; assets apart. What it
 * stands for is the cold start (`npm run bench:start`); the platform itself takes 3 MB of gzip. The notations and their
 * grammars are about a third of it.
 */
const LIMITS = { minified: 427_000, gzip: 148_000 };

const code = readFileSync("dist/index.js");
const sizes = { minified: code.length, gzip: gzipSync(code, { level: 9 }).length };

/** The platform offers no Node: a built-in would fail only when it is deployed. Minified code leaves out most blanks. */
const imports = code.toString().matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g);
const builtins = [...imports]
  .map(([, name = ""]) => name)
  .filter((name) => /^node:/.test(name) || builtinModules.includes(name));

for (const [name, size] of Object.entries(sizes)) {
  console.log(`${name}: ${size} of ${LIMITS[name as keyof typeof LIMITS]} bytes`);
}
if (builtins.length > 0) console.log(`Node built-ins in the bundle: ${builtins.join(", ")}`);

process.exitCode = sizes.minified > LIMITS.minified || sizes.gzip > LIMITS.gzip || builtins.length > 0 ? 1 : 0;
