import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readBindings } from "../../src/bindings.ts";
import { createKey } from "../../src/tenants/gateway-key.ts";
import { keyKey } from "../../src/tenants/stored-keys.ts";
import { send } from "./gateway.ts";

test("C3: a key of a strict tenant that its real object has disabled is refused at once", async () => {
  const { tenants, tenantObjects } = readBindings(env);
  const object = tenantObjects?.getByName("acme");
  const { id, hash, key } = await createKey();
  const fields = { status: "active", strict: true, settings: { models: ["m"] } };
  const write = (status: string, ifMatch: number) =>
    object?.writeRecord({ id: "acme", fields: { ...fields, keys: [{ id, hash, status }] }, ifMatch });
  const ask = async (path: string) => (await send("GET", path, { headers: { "x-api-key": key } })).status;
  expect(await write("active", 0)).toEqual({ outcome: "written", rev: 1 });
  expect(await tenants?.get(keyKey(hash))).toBe('{"t":"acme"}');
  expect([await ask("/v1/models"), await ask("/t/acme/v1/models")]).toEqual([200, 200]);
  expect(await write("disabled", 1)).toEqual({ outcome: "written", rev: 2 });
  expect([await ask("/v1/models"), await ask("/t/acme/v1/models")]).toEqual([401, 401]);
  expect(await write("active", 2)).toEqual({ outcome: "written", rev: 3 });
  expect(await ask("/v1/models")).toBe(200);
});
