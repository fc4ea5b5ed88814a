import { describe, expect, test } from "vitest";
import wrangler from "../../wrangler.toml?raw";

const sources = import.meta.glob<string>("../../src/**/*.ts", { query: "?raw", import: "default", eager: true });

/** Every import, type-only ones too: a name that is known is a dependency. */
const arrows = Object.entries(sources).flatMap(([key, source]) => {
  const from = key.replace("../../src/", "");
  return [...source.matchAll(/^(?:import|(?:import|export|\}).* from) "([^"\n]+)";$/gm)].map(([, specifier = ""]) => {
    const to = specifier.startsWith(".") ? new URL(specifier, `file:///${from}`).pathname.slice(1) : specifier;
    return { from, to };
  });
});

/** The first folder, or the file where it lies in src/ itself. `sieve/index.ts` joins the sieve to its notations. */
const room = (path: string) => (path === "sieve/index.ts" ? path : (path.split("/")[0] ?? path));

describe("no arrow goes up", () => {
  test.each([
    [
      "the sieve knows no wire, tenant, prompt or platform",
      /^sieve\//,
      /^(protocols|upstreams|tenants|telemetry|stream|prompt|http)\/|^hono|^cloudflare:/,
    ],
    [
      "a dialect knows no wire, tenant, prompt or platform",
      /^dialects\//,
      /^(protocols|upstreams|tenants|telemetry|stream|prompt|http)\/|^hono|^cloudflare:/,
    ],
    ["the sieve knows no notation, its entry apart", /^sieve\/(?!index\.ts)/, /^dialects\//],
    ["a dialect is not read through the sieve's entry", /^dialects\//, /^sieve\/index\.ts/],
    [
      "a wire knows nothing of what stands behind it",
      /^protocols\//,
      /^(dialects|sieve|upstreams|tenants|prompt|http|stream|telemetry)\//,
    ],
    ["streams carry any wire", /^stream\//, /^(protocols\/(?!protocol\.ts)|sieve|dialects)/],
    ["the platform enters at the door", /^(?!index\.ts|app\.ts)/, /^cloudflare:/],
    ["there is no Node on the edge", /^/, /^node:/],
  ])("%s", (_rule, from, to) => {
    expect(arrows.filter((arrow) => from.test(arrow.from) && to.test(arrow.to))).toEqual([]);
  });

  test("rooms do not lean on each other in a circle", () => {
    const leans = new Map<string, Set<string>>();
    for (const { from, to } of arrows) {
      if (room(from) !== room(to)) leans.set(room(from), (leans.get(room(from)) ?? new Set()).add(room(to)));
    }
    const done = new Set<string>();
    const circle = (path: readonly string[]): readonly string[] | undefined => {
      const last = path.at(-1) ?? "";
      if (path.indexOf(last) < path.length - 1) return path;
      if (done.has(last)) return undefined;
      for (const next of leans.get(last) ?? []) {
        const found = circle([...path, next]);
        if (found) return found;
      }
      done.add(last);
      return undefined;
    };
    for (const start of leans.keys()) expect(circle([start])).toBeUndefined();
  });
});

describe("C6: one way out", () => {
  /** What talks to the world, wherever it is named: as a call, a value, or a name taken from a global object. */
  const WAYS =
    /\bfetch\b|\b(?:WebSocket|EventSource|XMLHttpRequest|WebTransport|sendBeacon|caches)\b|cloudflare:sockets/;
  /** Lines that name it and do not go out by it. */
  const NO_WAY = [
    ["app.ts", /^fetch\(request: Request, env\?: object, context\?: Pick<ExecutionContext, >\): Promise<Response>;$/],
    ["app.ts", /^async fetch\(request, env = \{\}, context\) \{$/],
    ["index.ts", /^export default \{ fetch: app\.fetch \} satisfies ExportedHandler<object>;$/],
    // Takes the place of `fetch` at the egress, and asks a binding.
    ["upstreams/workers-ai.ts", /^export function createAiFetch\(ai: AiBinding\): typeof fetch \{$/],
    [
      "upstream-access.ts",
      /^if \(bindings\?\.ai\) return createEgress\(\{ .*fetch: createAiFetch\(bindings\.ai\) \}\);$/,
    ],
  ] as const;

  const named = Object.entries(sources).flatMap(([key, source]) => {
    const path = key.replace("../../src/", "");
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "");
    const lines = code.split("\n").map((line) => line.trim());
    return lines.filter((line) => WAYS.test(line)).map((line) => ({ path, line }));
  });

  test("is the egress: nothing else fetches, or opens a connection of another kind", () => {
    const others = named.filter(({ path, line }) => {
      const known = NO_WAY.some(([where, what]) => path === where && what.test(line));
      return path !== "stream/egress.ts" && !known;
    });
    expect(others).toEqual([]);
  });

  test("the exceptions are there", () => {
    for (const [where, what] of NO_WAY)
      expect(named.some(({ path, line }) => path === where && what.test(line))).toBe(true);
  });

  test("nothing is imported that was not written down", () => {
    const dynamic = Object.entries(sources).filter(([, source]) => /\bimport\(|\beval\(|new Function\(/.test(source));
    expect(dynamic.map(([path]) => path)).toEqual([]);
  });
});

describe("C9: the public front door", () => {
  test("is taken by every environment, and no private network is bound", () => {
    const lines = wrangler.split("\n").filter((line) => !line.startsWith("#"));
    const flags = lines.filter((line) => line.startsWith("compatibility_flags"));
    expect(flags.length).toBeGreaterThan(0);
    for (const line of flags) expect(line).toContain('"global_fetch_strictly_public"');
    expect(lines.filter((line) => /vpc|services|hyperdrive|tunnel/.test(line))).toEqual([]);
  });
});

describe("files", () => {
  test("none is a drawer", () => {
    const drawers = Object.keys(sources).filter((path) => /\/(utils?|helpers?|common|shared|misc)(\.|\/)/.test(path));
    expect(drawers).toEqual([]);
  });

  test("none only passes on what others export", () => {
    const barrels = Object.entries(sources).filter(([path, source]) => {
      const code = source
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
        .replace(/^(import|export)\b[^;]*?from "[^"]+";/gm, "");
      return code.trim() === "" && !path.endsWith("/sieve/index.ts");
    });
    expect(barrels.map(([path]) => path)).toEqual([]);
  });
});
