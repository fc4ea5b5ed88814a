import { describe, test } from "vitest";
import { judgeReply, judgeRequest, REPLIES, REQUESTS } from "../../wires/faults.ts";
import { WIRES } from "../../wires/wires.ts";
import { ask } from "./gateway.ts";

describe.each(WIRES)("$name", (wire) => {
  test.each(REPLIES)("$id, in pieces of up to $size", ({ fault, script }) => judgeReply(ask, wire, fault, script));

  const requests = REQUESTS.filter(({ request }) => request?.protocol === wire.alias);
  test.each(requests)("$id, a request", (fault) => judgeRequest(ask, wire, fault));
});
