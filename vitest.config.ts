import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

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
            // Every variable a test depends on is set here, so that a developer's .dev.vars cannot leak into the tests.
            miniflare: {
              bindings: {
                UPSTREAM_BASE_URL: inject("upstream"),
                UPSTREAM_API_KEY: "upstream-key",
                UPSTREAM_KIND: "",
                UPSTREAM_MODEL: "",
                MODELS: "",
                GATEWAY_API_KEYS: "test-key",
                GATEWAY_AUTH: "",
                TOOLCALL_MODE: "",
                TOOLCALL_EARLY_EMIT: "",
                HEARTBEAT_MS: "200",
                UPSTREAM_HEADERS_TIMEOUT_MS: "1500",
                UPSTREAM_IDLE_TIMEOUT_MS: "1500",
                MAX_BODY_BYTES: "",
                ALLOWED_ORIGINS: "",
              },
            },
          })),
        ],
        test: { name: "workerd", include: ["test/workerd/**/*.test.ts"], globalSetup: ["./test/upstream.ts"] },
      },
    ],
  },
});
