import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../../../bin/cli.ts";
import { operate, record, TOKEN } from "../gateway/operator.ts";
import { server, stubUpstreams, unstubUpstreams, VARIABLES } from "../gateway/platform.ts";

const PROGRAM = fileURLToPath(import.meta.resolve("../../../bin/toolsieve.mjs"));

let world: ReturnType<typeof operate>;
/** The gateway of the test, on loopback. */
const http = createServer(async (request, response) => {
  const body = await text(request);
  const { method = "GET", url = "/", headers } = request;
  const answer = await world.send(url, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(body !== "" && { body }),
  });
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(await answer.text());
});
let url: string;

beforeAll(async () => {
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => void http.close());

let folder: string;
beforeEach(() => {
  stubUpstreams();
  world = operate();
  folder = mkdtempSync(join(tmpdir(), "tenants-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  unstubUpstreams();
});

/** The program as a process of its own. */
async function toolsieve(words: string[], { env = {}, input = "" } = {}) {
  const variables = { ADMIN_TOKEN: `${TOKEN}, another`, MASTER_KEY_1: VARIABLES.MASTER_KEY_1, ...env };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: variables as object as NodeJS.ProcessEnv });
  child.stdin.end(input);
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, out, err };
}

function file(id: string, given: unknown) {
  const path = join(folder, `${id}.json`);
  writeFileSync(path, typeof given === "string" ? given : JSON.stringify(given));
  return path;
}

describe("C10: a folder of tenants", () => {
  test("is compared and applied, by who has seen the latest revisions; nothing of secrets is said", async () => {
    const sealed = (await toolsieve(["seal", "acme", "main"], { input: "sk-SECRET\n" })).out.trim();
    const other = (await toolsieve(["seal", "acme", "main"], { input: "sk-OTHER" })).out.trim();
    file("acme", record(server("acme", { api_key: sealed, model: "a" })));
    file("beta", { v: 1, rev: 9, ...record() });
    const fresh = await toolsieve(["tenants", "diff", "--url", url, folder]);
    expect(fresh).toEqual({ status: 1, out: "acme: is created\nbeta: is created\n", err: "" });
    const applied = await toolsieve(["tenants", "apply", "--url", url, folder]);
    expect(applied).toEqual({ status: 0, out: "acme: created, revision 1\nbeta: created, revision 1\n", err: "" });
    expect((await toolsieve(["tenants", "diff", "--url", `${url}/`, folder])).status).toBe(0);

    // Keys are made by the gateway, and no file says anything of them.
    const made = await toolsieve(["keys", "create", "acme", "--url", url, "--label", "ci", "--expires", "2100-01-01"]);
    const [, id = "", key = ""] = /The key (\w{8}), shown this once:\n {2}(gk_\w+)\n/.exec(made.out) ?? [];
    expect((await world.ask(key)).calls).toBe(1);
    expect((await world.admin("GET", "/acme")).body.keys).toMatchObject([{ id, label: "ci", expires: 4_102_444_800 }]);

    file("acme", record(server("acme", { api_key: other, model: "b" }), { hosts: ["ai.acme.example"] }));
    const changed = await toolsieve(["tenants", "diff", "--url", url, folder]);
    expect([changed.status, changed.out.split("\n").toSorted()]).toEqual([
      1,
      [
        "",
        'acme: hosts: none → ["ai.acme.example"]',
        "acme: settings.upstreams.main.api_key: another secret",
        'acme: settings.upstreams.main.model: "a" → "b"',
      ],
    ]);
    rmSync(join(folder, "beta.json"));
    expect((await toolsieve(["tenants", "diff", "--url", url, "--delete", folder])).out).toContain(
      "beta: is deleted\n",
    );
    const second = await toolsieve(["tenants", "apply", "--url", url, "--delete", folder]);
    expect(second.out).toBe("acme: changed, revision 3\nbeta: deleted\n");
    expect((await world.admin("GET", "/beta")).status).toBe(404);
    expect((await toolsieve(["tenants", "apply", "--url", url, folder])).out).toBe("Nothing has changed.\n");
    expect((await world.ask(key)).calls).toBe(1);
    for (const secret of ["SECRET", "OTHER", sealed, other]) expect(changed.out + second.out).not.toContain(secret);
  });

  test("that has no file in it is a mistake: no tenant is deleted for it", async () => {
    await world.create("acme", record());
    for (const words of [["validate"], ["diff", "--url", url], ["apply", "--url", url, "--delete"]]) {
      const { status, err } = await toolsieve(["tenants", ...words, folder]);
      expect([status, err]).toEqual([expect.any(Number), expect.stringContaining("holds no file that ends in .json")]);
      expect(status).not.toBe(0);
    }
    expect((await world.admin("GET", "/acme")).status).toBe(200);
  });

  test("that is faulty is not applied at all, and what the gateway refuses is told", async () => {
    file("acme", record({ colour: "blue" }));
    file("beta", record(server("beta", { api_key: "sk-CLEAR" })));
    file("gamma", '{"settings": sk-CLEAR');
    file("Delta", record());
    const asked = world.objects.calls.length;
    for (const verb of ["validate", "diff", "apply"]) {
      const { status, out, err } = await toolsieve([
        "tenants",
        verb,
        ...(verb === "validate" ? [] : ["--url", url]),
        folder,
      ]);
      expect(status).toBe(1);
      for (const fault of [
        "acme.json: settings.colour is no setting.",
        "beta.json: settings.upstreams.main.api_key is not sealed.",
        "gamma.json: It holds no JSON.",
        "Delta.json: Its name, before .json, is none of a tenant.",
      ]) {
        expect(out + err).toContain(fault);
      }
      expect(out + err).not.toContain("CLEAR");
    }
    expect(world.objects.calls).toHaveLength(asked);
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), "tenants-"));
    await world.create("acme", record({}, { hosts: ["ai.acme.example"] }));
    file("beta", record({}, { hosts: ["ai.acme.example"] }));
    const refused = await toolsieve(["tenants", "apply", "--url", url, folder]);
    expect([refused.status, refused.out]).toEqual([1, expect.stringMatching(/^beta: refused \(409\): A host of this/)]);
  });

  test("of more tenants than a batch takes goes in several", async () => {
    for (let index = 0; index < 450; index += 1) file(`t-${index}`, record());
    const { status, out } = await toolsieve(["tenants", "apply", "--url", url, folder]);
    expect([status, out.match(/created, revision 1/g)?.length]).toEqual([0, 450]);
    expect(world.audits().map(({ what, changes }) => [what, changes.length])).toEqual([
      ["batch", 400],
      ["batch", 50],
    ]);
  });
});

test("C2, C3: keys are rotated and disabled by their ids", async () => {
  const { key, id } = await world.store.tenant("acme", server("acme"));
  const rotated = await toolsieve(["keys", "rotate", "acme", id, "--url", url, "--grace", "0"]);
  const [made = ""] = /gk_\w+/.exec(rotated.out) ?? [];
  expect((await world.ask(key)).response.status).toBe(401);
  expect((await world.ask(made)).calls).toBe(1);
  const disabled = await toolsieve(["keys", "disable", "acme", made.slice(3, 11), "--url", url]);
  expect(disabled).toEqual({ status: 0, out: `${made.slice(3, 11)} is disabled.\n`, err: "" });
  expect((await toolsieve(["keys", "rotate", "acme", id, "--url", url])).err).toContain(
    "400: This key is disabled, or has",
  );
});

test("C2: without a gateway it says what is to be stored", async () => {
  const { status, out } = await toolsieve(["keys", "create", "acme", "--label", "ci"]);
  const [key = ""] = /gk_\w+/.exec(out) ?? [];
  expect(status).toBe(0);
  expect(out).toContain('"status":"active","label":"ci"');
  expect(out.split(key)).toHaveLength(2);
});

test("C10: --delete takes no single file: it would delete all tenants but one", async () => {
  file("acme", record());
  const { status, err } = await toolsieve(["tenants", "apply", "--url", url, "--delete", join(folder, "acme.json")]);
  expect([status, err]).toEqual([1, expect.stringContaining("--delete takes folders alone")]);
});

test("C17: where it has asked too much for this minute, it waits as it is told", async () => {
  let asked = 0;
  const busy = createServer((_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(429, { "retry-after": "1" }).end("{}");
    else response.end(JSON.stringify(asked === 2 ? { tenants: [] } : record()));
  });
  busy.listen(0, "127.0.0.1");
  await once(busy, "listening");
  const { port } = busy.address() as AddressInfo;
  file("acme", record());
  const begun = Date.now();
  const { status } = await toolsieve(["tenants", "diff", "--url", `http://127.0.0.1:${port}`, folder]);
  busy.close();
  expect([status, asked]).toEqual([0, 3]);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
});

describe("C10: the token", () => {
  test("goes to a gateway over https, or on this machine, and is not shown", async () => {
    file("acme", record());
    const tried: [string, object, string][] = [
      ["http://gateway.example", {}, "takes the https address"],
      ["gateway.example", {}, "takes the https address"],
      [url, { ADMIN_TOKEN: "" }, "ADMIN_TOKEN of the environment holds no token"],
      [url, { ADMIN_TOKEN: "wrong" }, "answers 401: A valid API key is required"],
      ["http://127.0.0.1:1", {}, "cannot be asked"],
    ];
    await Promise.all(
      tried.map(async ([given, env, told]) => {
        const { status, err } = await toolsieve(["tenants", "diff", "--url", given, folder], { env });
        expect([status, err]).toEqual([1, expect.stringContaining(told)]);
        expect(err).not.toContain(TOKEN);
      }),
    );
  });

  test("opens nothing where there is no admin API", async () => {
    world = operate({ ADMIN_TOKEN: "" });
    file("acme", record());
    expect((await toolsieve(["tenants", "apply", "--url", url, folder])).err).toContain("answers 404");
  });
});

test.each([
  [[]],
  [["tenants"]],
  [["tenants", "apply"]],
  [["keys", "rotate", "acme"]],
  [["seal", "acme"]],
  [["x", "y", "z"]],
])("%j is told how it is used", async (words) => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await run(words)).toBe(2);
  expect(told).toHaveBeenCalledWith(expect.stringContaining("toolsieve tenants apply"));
});
