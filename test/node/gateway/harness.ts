import { afterAll, beforeAll } from "vitest";
import { createTestHarness } from "wrangler";
import { type Variables, variables } from "../../variables.ts";

/** A gateway as `wrangler dev` runs it, with these variables and no others; it lives as long as the block it stands in. */
export function gateway(given: Variables): (path: string, init?: RequestInit) => Promise<Response> {
  const server = createTestHarness({ workers: [{ configPath: "./wrangler.toml", vars: variables(given) }] });
  let root: URL;
  beforeAll(async () => {
    root = (await server.listen()).url;
  });
  afterAll(() => server.close());
  return (path, init) => fetch(new URL(path, root), init);
}
