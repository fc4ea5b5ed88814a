import { isIP } from "node:net";
import fc from "fast-check";
import * as v from "valibot";
import { afterEach, describe, expect, test, vi } from "vitest";
import { toGatewayError } from "../../../src/errors.ts";
import { compileConfig, NO_ACCESS } from "../../../src/tenants/config.ts";
import { Settings } from "../../../src/tenants/settings.ts";
import { hostPattern, upstreamAddressFault } from "../../../src/tenants/upstream-address.ts";
import { upstreamHosts } from "../../../src/tenants/values.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { openEgress } from "../../../src/upstream-access.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const ANY = ["*:443"];
const SCHEME = /begins with https/;
const PARTS = /without a user, a query or a fragment/;
const HOST = /public name/;

/** Each with what is wrong with it. */
const BARRED: [string, RegExp][] = [
  ["", SCHEME],
  ["llm.acme.example/v1", SCHEME],
  ["http://llm.acme.example/v1", SCHEME],
  ["HTTP://llm.acme.example/v1", SCHEME],
  ["ftp://llm.acme.example/v1", SCHEME],
  ["file:///etc/passwd", SCHEME],
  ["data:application/json,{}", SCHEME],
  ["binding:AI", SCHEME],
  ["https://", SCHEME],
  ["https://0x7f.1.example.1/v1", SCHEME],
  ["https://llm.acme.example:65536/v1", SCHEME],
  ["https://user@llm.acme.example/v1", PARTS],
  ["https://:secret@llm.acme.example/v1", PARTS],
  ["https://llm.acme.example@127.0.0.1/v1", PARTS],
  ["https://llm.acme.example/v1?", PARTS],
  ["https://llm.acme.example/v1?to=x", PARTS],
  ["https://llm.acme.example/v1#", PARTS],
  ["https://llm.acme.example#.example/v1", PARTS],
  ["https://0.0.0.0/v1", HOST],
  ["https://127.1/v1", HOST],
  ["https://127.0.0.1./v1", HOST],
  ["https://0x7f.1/v1", HOST],
  ["https://0177.0.0.1/v1", HOST],
  ["https://2130706433/v1", HOST],
  ["https://0x7f000001/v1", HOST],
  ["https://１２７.０.０.１/v1", HOST],
  ["https://127。0．0｡1/v1", HOST],
  ["https://%31%32%37.0.0.1/v1", HOST],
  ["https://8.8.8.8/v1", HOST],
  ["https://169.254.169.254/latest", HOST],
  ["https://[::1]/v1", HOST],
  ["https://[::]/v1", HOST],
  ["https://[::ffff:7f00:1]/v1", HOST],
  ["https://[::ffff:127.0.0.1]/v1", HOST],
  ["https://[2606:4700:4700::1111]/v1", HOST],
  ["https:/127.0.0.1/v1", HOST],
  ["https:127.0.0.1/v1", HOST],
  ["https:\\\\127.0.0.1\\v1", HOST],
  ["https://127.0.0.1\\@llm.acme.example/v1", HOST],
  ["ht\ttps://127.0\n.0.1/v1", HOST],
  ["https://localhost/v1", HOST],
  ["https://LOCALHOST/v1", HOST],
  ["https://ｌｏｃａｌｈｏｓｔ/v1", HOST],
  ["https://llm.localhost/v1", HOST],
  ["https://localhost.localdomain/v1", HOST],
  ["https://llm/v1", HOST],
  ["https://xn--bcher-kva/v1", HOST],
  ["https://printer.local/v1", HOST],
  ["https://printer。local/v1", HOST],
  ["https://metadata.google.internal/v1", HOST],
  ["https://1.0.0.127.in-addr.arpa/v1", HOST],
  ["https://router.home.arpa/v1", HOST],
  ["https://box.lan/v1", HOST],
  ["https://hidden.onion/v1", HOST],
  ["https://llm.acme.example./v1", HOST],
  ["https://llm.acme.example。/v1", HOST],
  ["https://localhost./v1", HOST],
  ["https://llm..example/v1", HOST],
  ["https://.example/v1", HOST],
  ["https://llm.acme.example:8443/v1", /UPSTREAM_HOSTS/],
  ["https://llm.acme.example:80/v1", /UPSTREAM_HOSTS/],
];

const GOOD: [string, string][] = [
  ["https://llm.acme.example/v1", "llm.acme.example"],
  ["https://acme.example", "acme.example"],
  ["https://LLM.Acme.Example:443/v1/", "llm.acme.example"],
  ["https:/llm.acme.example/v1", "llm.acme.example"],
  ["https://llm。acme.example/v1", "llm.acme.example"],
  ["https://bücher.example/v1", "xn--bcher-kva.example"],
  ["https://models.例え/v1", "models.xn--r8jz45g"],
  ["https://10.acme.example/v1", "10.acme.example"],
  ["https://local.internal.example/v1", "local.internal.example"],
  ["https://llm.acme.example/v1/@cf/a..b", "llm.acme.example"],
];

describe("C7: an address of a tenant's upstream", () => {
  test.each(BARRED)("is not %j", (address, why) => {
    expect(upstreamAddressFault(address, ANY)).toMatch(why);
  });

  test.each(GOOD)("may be %j", (address, host) => {
    expect(upstreamAddressFault(address, ANY)).toBeUndefined();
    expect(URL.parse(address)?.hostname).toBe(host);
  });

  test.each([
    ["gateway.example", true],
    ["gateway.example.", true],
    ["other.example", false],
  ])("is not the gateway's own, asked as %s: %s", (own, barred) => {
    for (const address of ["https://gateway.example/v1", "https://GATEWAY。example:443"]) {
      const fault = upstreamAddressFault(address, ANY, [own]);
      if (barred) expect(fault).toMatch(/itself/);
      else expect(fault).toBeUndefined();
    }
  });

  /** One part of an address in numbers, in any radix, maybe in wide digits. */
  const part = (value: number) =>
    fc
      .tuple(
        fc.constantFrom(String(value), `0x${value.toString(16)}`, `0X${value.toString(16)}`, `0${value.toString(8)}`),
        fc.boolean(),
      )
      .map(([text, wide]) =>
        wide ? text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))) : text,
      );
  const dot = fc.constantFrom(".", ".", "。", "．", "｡", "%2e");
  const v4 = fc
    .tuple(fc.nat(0xffffffff), fc.integer({ min: 1, max: 4 }), dot, fc.constantFrom("", "."))
    .chain(([address, count, between, end]) => {
      // The last part has all the bits that those before it leave.
      const heads = Array.from({ length: count - 1 }, (_, index) => (address >>> (24 - 8 * index)) & 255);
      const last = count === 1 ? address : address % 2 ** (8 * (5 - count));
      return fc.tuple(...[...heads, last].map(part)).map((parts) => parts.join(between) + end);
    });
  const v6 = fc
    .tuple(fc.ipV6(), fc.ipV4(), fc.constantFrom("whole", "mapped", "compatible"))
    .map(([six, four, form]) =>
      form === "whole" ? `[${six}]` : form === "mapped" ? `[::ffff:${four}]` : `[::${four}]`,
    );
  const scheme = fc.constantFrom(
    "https://",
    "https:/",
    "https:",
    "HTTPS://",
    "https:\\\\",
    "ht\ttps:/\n/",
    " https:///",
  );
  const rest = fc.constantFrom("", "/", "/v1", ":443/v1", "\\v1", "\t/v1");

  test("is no number, however it is spelled", () => {
    fc.assert(
      fc.property(scheme, fc.oneof(v4, v6), rest, (begin, host, end) => {
        const address = begin + host + end;
        // Else nothing is tried here.
        expect(isIP(URL.parse(address)?.hostname.replace(/^\[|\]$/g, "") ?? ""), address).not.toBe(0);
        expect(upstreamAddressFault(address, ["*:443", "*"]), address).toMatch(HOST);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is a public name over https, whatever was written", () => {
    const piece = fc.constantFrom(
      ...[
        "https:",
        "http:",
        "/",
        "//",
        "\\",
        "@",
        ":",
        "?",
        "#",
        ".",
        "。",
        "%2e",
        "%00",
        "[",
        "]",
        "\t",
        " ",
        "*",
        "_",
      ],
      ...["127", "0x7f", "１", "1", "::", "443", "8443", "a", "acme.example", "localhost", "local", "internal", "arpa"],
      ...["ｌｏｃａｌ", "xn--", "bücher", "ß", "\u00ad", "\u200b", "LOCAL", "-"],
    );
    const written = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom("https://", "https:/", ""), written, (begin, text) => {
        const address = begin + text;
        if (upstreamAddressFault(address, ANY) !== undefined) return;
        taken += 1;
        const { protocol, hostname, port, username, password, search, hash } = new URL(address);
        expect([protocol, port, username, password, search, hash]).toEqual(["https:", "", "", "", "", ""]);
        expect(isIP(hostname)).toBe(0);
        expect(hostname).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/);
        expect(hostname.split(".").at(-1)).not.toMatch(/^(localhost|local|internal|arpa|\d+)$/);
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

describe("C7: UPSTREAM_HOSTS", () => {
  test.each([
    ["llm.example", "llm.example:443"],
    ["LLM.Example:443", "llm.example:443"],
    ["llm.example:08443", "llm.example:8443"],
    ["*.llm.example", "*.llm.example:443"],
    ["*.xx.example:8443", "*.xx.example:8443"],
    ["*.example", "*.example:443"],
    ["bücher.example", "xn--bcher-kva.example:443"],
    ["*", "*:443"],
    ["*:8443", "*:8443"],
  ])("takes %s", (entry, pattern) => {
    expect(hostPattern(entry)).toBe(pattern);
  });

  test.each([
    ..."https://llm.example llm.example/v1 llm.example. u@llm.example llm.example?x llm.example:x :443".split(" "),
    ..."llm 127.0.0.1 127.1 [::1] localhost llm.local *.internal **.example *llm.example *. llm.*.example".split(" "),
    "llm.example:65536",
    "a b.example",
  ])("does not take %s", (entry) => {
    const read = v.safeParse(upstreamHosts, `ok.example,${entry}`);
    expect([hostPattern(entry), read.success]).toEqual([undefined, false]);
  });

  test.each<[string, string, boolean]>([
    ["", "https://any.example/v1", true],
    ["", "https://any.example:8443/v1", false],
    ["*,*:8443", "https://any.example:8443/v1", true],
    ["llm.example", "https://llm.example/v1", true],
    ["llm.example", "https://LLM。example:443/v1", true],
    ["llm.example", "https://a.llm.example/v1", false],
    ["llm.example", "https://evil-llm.example/v1", false],
    ["llm.example", "https://llm.example.evil.example/v1", false],
    ["llm.example:8443", "https://llm.example:8443/v1", true],
    ["llm.example:8443", "https://llm.example/v1", false],
    ["*.llm.example", "https://a.b.llm.example/v1", true],
    ["*.llm.example", "https://llm.example/v1", false],
    ["*.llm.example", "https://evilllm.example/v1", false],
    ["other.example, *.llm.example", "https://a.llm.example/v1", true],
    ["*", "https://10.0.0.1/v1", false],
    ["*", "https://llm.internal/v1", false],
  ])("%j has %s: %s", (given, address, has) => {
    expect(upstreamAddressFault(address, v.parse(upstreamHosts, given)) === undefined).toBe(has);
  });

  test("what is wrong with it is told under its name", () => {
    const { error } = loadConfig({ UPSTREAM_HOSTS: "localhost" }) as { error: { message: string } };
    expect(error.message).toMatch(/UPSTREAM_HOSTS takes public host names/);
  });
});

const compile = (base_url: string, tenant?: string, hosts = ANY) =>
  compileConfig(
    v.parse(Settings, { upstreams: { main: { base_url: "https://a.example" }, spare: { base_url } } }),
    { ...NO_ACCESS, upstreamHosts: hosts },
    tenant,
  );

describe("C7: is looked at twice", () => {
  const served = BARRED.filter(([address]) => v.safeParse(Settings, settings(address)).success && address !== "");
  function settings(base_url: string) {
    return { upstreams: { main: { base_url } } };
  }

  test.each(served)("where a tenant's record is compiled: %j", (address, why) => {
    const compiled = compile(address, "acme");
    expect(compiled).toMatchObject({ faults: [{ path: ["upstreams", "spare", "base_url"] }] });
    expect("faults" in compiled && compiled.faults[0]?.message).toMatch(why);
    expect(compile(address)).toHaveProperty("config");
  });

  test.each(BARRED)("where it is asked: %j", async (address) => {
    const fetch = vi.fn(async () => new Response("{}"));
    vi.stubGlobal("fetch", fetch);
    const compiled = compile("https://b.example", "acme");
    if (!("config" in compiled)) throw new Error("invalid");
    const { tenant: _, ...operators } = compiled.config;
    const send = (config: typeof compiled.config) => {
      const egress = openEgress({ config, url: new URL("https://gateway.example"), hops: 0 });
      const request = { method: "GET", url: address, accept: "*/*", headersTimeoutMs: 1_000 } as const;
      return egress.send(request, new AbortController().signal);
    };
    const thrown = await send(compiled.config).catch(toGatewayError);
    expect(thrown).toMatchObject({ kind: "config-invalid", detail: expect.stringContaining("base_url") });
    expect(fetch).not.toHaveBeenCalled();
    await send(operators);
    expect(fetch).toHaveBeenCalledOnce();
  });

  test("a variable's upstream is where the operator says", () => {
    const { config } = loadConfig({ UPSTREAM_BASE_URL: "http://127.0.0.1:9399/v1", UPSTREAM_HOSTS: "llm.example" });
    expect(config?.upstream).toMatchObject({ baseUrl: "http://127.0.0.1:9399/v1" });
  });
});
