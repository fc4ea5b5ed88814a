import { describe, expect, test } from "vitest";
import workflow from "../../.github/workflows/ci.yml?raw";
import manifest from "../../package.json";
import lock from "../../package-lock.json?raw";

interface Entry {
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: object;
}

const { packages }: { packages: Record<string, Entry> } = JSON.parse(lock);

describe("C36: what the gateway is made of", () => {
  test("are at most four packages, in one version each, that run nothing when they are installed", () => {
    const names = Object.keys(manifest.dependencies);
    expect(names.length).toBeLessThanOrEqual(4);
    const versions = [...Object.values(manifest.dependencies), ...Object.values(manifest.devDependencies)];
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const own = names.map((name) => packages[`node_modules/${name}`]);
    expect(own.filter((entry) => !entry || entry.hasInstallScript || entry.dependencies)).toEqual([]);
  });

  test("is told by hashes, and from whatever registry it comes", () => {
    const { "": _own, ...installed } = packages;
    expect(Object.values(installed).filter(({ integrity }) => !integrity?.startsWith("sha512-"))).toEqual([]);
    expect(Object.values(installed).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  test("is checked by actions that nobody can exchange", () => {
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, name = ""]) => name);
    expect(actions.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });
});
