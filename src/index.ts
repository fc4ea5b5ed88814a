import { createApp } from "./app.ts";
import { exchange } from "./exchange.ts";
import { createEgress } from "./stream/egress.ts";
import { listModels } from "./upstreams/openai-compatible.ts";

const app = createApp({
  exchange,
  listUpstreamModels: (upstream, hops) => listModels(upstream, createEgress({ hops })),
});

export default { fetch: app.fetch } satisfies ExportedHandler<object>;
