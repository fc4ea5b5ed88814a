import { createApp } from "./app.ts";
import { exchange } from "./exchange.ts";
import { listUpstreamModels } from "./upstream-access.ts";

const app = createApp({ exchange, listUpstreamModels });

export default { fetch: app.fetch } satisfies ExportedHandler<object>;
