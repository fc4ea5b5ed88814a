import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { variables } from "./test/variables.ts";

/** A hang is noticed late, a busy machine is none. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

/**
 * Two projects: `node` for everything that is pure, and for black-box tests through wrangler's test harness;
 * `workerd` for what has to run inside the Workers runtime.
 */
export default defineConfig({
  test: {
    // One core is left to the rest of the machine otherwise, which is half of it where there are two.
    maxWorkers: "100%",
    // A gateway under test logs each reply; what a test wants of that it captures.
    onConsoleLog: (text) => !text.includes('"event":"reply"'),
    projects: [
      {
        test: {
          name: "node",
          environment: "node",
          include: ["test/node/**/*.test.ts"],
          setupFiles: ["./test/setup.ts"],
          ...patience,
        },
      },
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
          // One isolate for all files: else most of the time goes into loading the SDK once more for each of them.
          isolate: false,
          ...patience,
          include: ["test/workerd/**/*.test.ts", "test/sdk/**/*.test.ts"],
          globalSetup: ["./test/upstream.ts"],
        },
      },
    ],
  },
});
