import { Hono } from "hono";

/** The least that a Worker of this kind is: what the cold start of ours is compared with. */
const app = new Hono();
app.get("/healthz", (context) => context.json({ status: "ok" }));

export default app;
