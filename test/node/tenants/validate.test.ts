import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { run } from "../../../bin/cli.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("C7: the command line says the same", () => {
  test.each([
    ["https://llm.acme.example/v1", "", 0, "good"],
    ["https://127.1/v1", "", 1, "settings.upstreams.main.base_url takes an address with a host's public name"],
    [
      "http://llm.acme.example/v1",
      "",
      1,
      "settings.upstreams.main.base_url takes an address that begins with https://",
    ],
    ["https://llm.acme.example/v1", "*.other.example", 1, "has not"],
    ["https://llm.acme.example/v1", "*.acme.example", 0, "good"],
    ["https://llm.acme.example/v1", "localhost", 1, "UPSTREAM_HOSTS takes public host names"],
  ])("of %s, with %j", async (base_url, hosts, status, told) => {
    const said: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
    vi.spyOn(console, "error").mockImplementation((line: string) => void said.push(line));
    vi.stubEnv("UPSTREAM_HOSTS", hosts);
    const folder = mkdtempSync(join(tmpdir(), "records-"));
    try {
      const file = join(folder, "acme.json");
      const record = { v: 1, rev: 1, status: "active", keys: [], settings: { upstreams: { main: { base_url } } } };
      writeFileSync(file, JSON.stringify(record));
      expect(await run(["tenants", "validate", file])).toBe(status);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(said.join("\n")).toContain(told);
  });
});
