import { afterAll, beforeAll, describe, expect, test } from "vitest";
import trafficFile from "../../cases/traffic.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import { nameOf, type Sums, sumsOfLog, sumsOfPoints, sumsOfText } from "./outputs.ts";
import { unstubUpstreams } from "./platform.ts";
import { ALIKE, type Amounts, TENANT_NAMES, type Traffic, trafficGateway, wireOf } from "./traffic.ts";

const lines = jsonLines<Traffic>(trafficFile);

const runs = lines.flatMap((line) => {
  if (line.raw) return [{ line, wire: line.wire ?? ("openai-chat" as const), stream: false }];
  const { wires = ["openai-chat" as const], forms = ["whole", "stream"] } = line;
  return wires.flatMap((wire) => forms.map((form) => ({ line, wire, stream: form === "stream" })));
});

test.only("probe", async () => {
  const gateway = await trafficGateway();
  for (const { line, wire, stream } of runs) {
    let before = gateway.log.length;
    let status: unknown;
    for (let i = 0; i <= (line.again ?? 0); i++)
    try { status = await gateway.run(line, wireOf(wire), stream); } catch (e) { status = String(e); }
    await new Promise((r) => setTimeout(r, 0));
    process.stderr.write(`${line.id} ${wire} ${stream} ${status} ${gateway.log.slice(before).map((l)=>l.replace(/"(request_id|level|event)":"[^"]*",?/g,"")).join("\n    ")}\n`);
  }
});
