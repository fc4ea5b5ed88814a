import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian has it in its package `prometheus`. */
export function promtool(words: readonly string[], input = ""): { status: number | null; told: string } {
  const { status, stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8", input });
  return { status, told: `${stdout}${stderr}` };
}

/** Where there is none its tests are skipped; on a machine that is there to test, they fail. */
export const missesPromtool = promtool(["--version"]).status !== 0 && !process.env.CI;

/** Gives a file to whatever reads it, and takes it away again. */
export function withFile<T>(text: string, read: (path: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), "ops-"));
  try {
    const path = join(directory, "file.yaml");
    writeFileSync(path, text);
    return read(path);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
