import { describe, test } from "vitest";
import type { Ask } from "../wires/ask.ts";
import { judgeReply, judgeRequest, REPLIES, REQUESTS } from "../wires/faults.ts";
import { WIRES } from "../wires/wires.ts";
import { captureLog, scriptedModel, send } from "./gateway.ts";

captureLog();

const ask: Ask = async (wire, { stream, fields }, script) => {
  const model = await scriptedModel(script);
  const { path, fields: addressed } = wire.address({ model: model.name, stream });
  const response = await send("POST", path, { body: JSON.stringify({ ...addressed, ...fields }) });
  const body = await response.text();
  const [request] = await model.requests();
  const contentType = response.headers.get("content-type");
  return { status: response.status, contentType, body, upstream: request?.body };
};

describe.each(WIRES)("$name", (wire) => {
  // That every cut gives the same is shown where an exchange costs less: test/node/wires.
  const replies = REPLIES.filter(({ size }) => size === 7);
  test.each(replies)("$id", ({ fault, script }) => judgeReply(ask, wire, fault, script));

  const requests = REQUESTS.filter(({ request }) => request?.protocol === wire.alias);
  test.each(requests)("$id, a request", (fault) => judgeRequest(ask, wire, fault));
});
