import { describe, expect, test } from "vitest";
import { GatewayFailure } from "../../../src/errors.ts";
import { createKey } from "../../../src/tenants/gateway-key.ts";
import { checkAccess, checkAdmin } from "../../../src/tenants/keys.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";

/** "in", or the kind of the refusal. */
async function knock(env: object, headers: Record<string, string>, hostname = "gateway.example"): Promise<string> {
  const { config } = loadConfig(env);
  if (!config) throw new Error("invalid");
  try {
    await checkAccess(config, new Headers(headers), hostname);
    return "in";
  } catch (thrown) {
    return thrown instanceof GatewayFailure ? thrown.error.kind : "a fault";
  }
}

const UPSTREAM = { UPSTREAM_BASE_URL: "https://host/v1" };
/** SHA-256 of `hashed`. */
const DIGEST = "sha256:1a06df824ed741b53c785079a6347f00eec5af82f9850775409ca69dff4068a6";
const KEYS = { ...UPSTREAM, GATEWAY_API_KEYS: `first,second,${DIGEST}` };

describe("with keys", () => {
  test.each([
    [{ authorization: "Bearer first" }],
    [{ authorization: "bearer   second" }],
    [{ "x-api-key": "second" }],
    [{ "x-goog-api-key": "first" }],
    [{ authorization: "Bearer hashed" }],
    [{ authorization: "Bearer first", "x-api-key": "first" }],
  ])("%j is let in", async (headers) => {
    expect(await knock(KEYS, headers)).toBe("in");
  });

  test.each([
    [{}],
    [{ authorization: "Bearer wrong" }],
    [{ authorization: "Bearer" }],
    [{ authorization: "Bearer " }],
    [{ authorization: "Bearer first, second" }],
    [{ authorization: "Basic Zmlyc3Q6" }],
    [{ authorization: "first" }],
    [{ "x-api-key": "" }],
    [{ authorization: "Bearer first", "x-api-key": "second" }],
    [{ authorization: "Basic Zmlyc3Q6", "x-api-key": "first" }],
    [{ authorization: `Bearer ${DIGEST}` }],
    [{ authorization: "Bearer firs" }],
    [{ authorization: "Bearer first1" }],
  ])("%j is unauthorized", async (headers: Record<string, string>) => {
    expect(await knock(KEYS, headers)).toBe("unauthorized");
  });

  test("the demo asks for them too", async () => {
    expect(await knock({ GATEWAY_API_KEYS: "first" }, {})).toBe("unauthorized");
  });

  test("GATEWAY_AUTH=none does not take them away", async () => {
    expect(await knock({ ...KEYS, GATEWAY_AUTH: "none" }, {}, "localhost")).toBe("unauthorized");
  });

  test("nothing tells a wrong key from a missing one", async () => {
    const refusals = await Promise.all(
      [{}, { "x-api-key": "wrong" }, { "x-api-key": "first", "x-goog-api-key": "second" }].map((headers) => {
        const { config } = loadConfig(KEYS);
        return config && checkAccess(config, new Headers(headers as never), "h").catch((thrown) => thrown.error);
      }),
    );
    expect(new Set(refusals.map((error) => JSON.stringify(error))).size).toBe(1);
  });
});

/** Whether an operator who shows this is let in where this is an operator's token. */
async function knockAsOperator(token: string, given: string): Promise<string> {
  const { config } = loadConfig({ ...KEYS, ADMIN_TOKEN: token });
  if (!config) return "invalid";
  const asked = checkAdmin(config, new Headers({ "x-api-key": given }));
  return asked.then(
    () => "in",
    () => "refused",
  );
}

test.each([
  ["first", "refused"],
  [DIGEST, "refused"],
  ["sha256:a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e", "refused"],
  ["third", "in"],
])("C10: an operator's token %s, where clients have the keys first, second and hashed: %s", async (token, outcome) => {
  const given = { third: "third", [DIGEST]: "hashed" }[token] ?? "first";
  expect(await knockAsOperator(token, given)).toBe(outcome);
});

describe("C10: a key of a tenant's is no operator's token", () => {
  test("in clear it is refused at once, and not shown", async () => {
    const { key } = await createKey();
    for (const token of [key, `third, ${key}`]) {
      expect(loadConfig({ ...KEYS, ADMIN_TOKEN: token })).toEqual({
        error: {
          kind: "config-invalid",
          message:
            "The configuration of this gateway is invalid. ADMIN_TOKEN takes no key of a tenant's, which begins with `gk_`.",
        },
      });
    }
  });

  test("by its hash it opens nothing", async () => {
    const { key, hash } = await createKey();
    expect(await knockAsOperator(`sha256:${hash}`, key)).toBe("refused");
  });

  test("another one may begin like it", async () => {
    expect(await knockAsOperator("gk_mine", "gk_mine")).toBe("in");
  });
});

describe("without keys", () => {
  test.each([
    ["the demo is open on this machine", {}, "localhost", "in"],
    ["C11: and nowhere else: a deployment boots closed", {}, "gateway.example", "not-configured"],
    ["a real upstream refuses everyone", UPSTREAM, "localhost", "not-configured"],
    ["GATEWAY_AUTH=none opens it on localhost", { ...UPSTREAM, GATEWAY_AUTH: "none" }, "localhost", "in"],
    ["GATEWAY_AUTH=none opens it on 127.0.0.1", { ...UPSTREAM, GATEWAY_AUTH: "none" }, "127.0.0.1", "in"],
    ["GATEWAY_AUTH=none opens it on ::1", { ...UPSTREAM, GATEWAY_AUTH: "none" }, "[::1]", "in"],
    ["and nowhere else", { ...UPSTREAM, GATEWAY_AUTH: "none" }, "gateway.example", "not-configured"],
    ["not on a name that only begins so", { ...UPSTREAM, GATEWAY_AUTH: "none" }, "localhost.example", "not-configured"],
  ])("%s", async (_rule, env, hostname, outcome) => {
    expect(await knock(env, { authorization: "Bearer whatever" }, hostname)).toBe(outcome);
  });

  test("two that differ are none of its business", async () => {
    expect(await knock({}, { authorization: "Bearer one", "x-api-key": "two" }, "localhost")).toBe("in");
  });
});
