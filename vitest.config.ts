import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { variables } from "./test/variables.ts";

/**
 * Two projects: `node` for everything that is pure, and for black-box tests through wrangler's test harness;
 * `workerd` for what has to run inside the Workers runtime.
 */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "node", environment: "node", include: ["test/node/**/*.test.ts"] } },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: variables({
                UPSTREAM_BASE_URL: inject("upstream"),
                UPSTREAM_API_KEY: "upstream-key",
                UPSTREAM_HEADERS_TIMEOUT_MS: "1500",
                UPSTREAM_IDLE_TIMEOUT_MS: "1500",
                GATEWAY_API_KEYS: "test-key",
                HEARTBEAT_MS: "200",
                MAX_BODY_BYTES: "1000000",
              }),
            },
          })),
        ],
        test: {
          name: "workerd",
          isolate: false,
          include: ["test/workerd/**/*.test.ts"],
          globalSetup: ["./test/upstream.ts"],
        },
      },
    ],
  },
});
