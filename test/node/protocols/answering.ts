import { toGatewayError } from "../../../src/errors.ts";
import type { Protocol } from "../../../src/protocols/protocol.ts";
import { createFold, type ReplyEvent } from "../../../src/reply.ts";
import { targetOf } from "./gemini/requests.ts";

/**
 * A server of this wire alone, for an official SDK to talk to: every request is read, and these events are what the model
 * answers.
 *
 * @param bodies gets what was asked
 */
export function answering(protocol: Protocol, events: readonly ReplyEvent[], bodies: unknown[] = []): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.json();
    bodies.push(body);
    try {
      const target = targetOf(request.url);
      if (target.method === "countTokens") {
        protocol.tokenCount?.readRequest(body, target);
        return Response.json(protocol.tokenCount?.render(42));
      }
      const { conversation, createRenderer } = protocol.readRequest(body, target);
      let made = 0;
      const randomId = () => String(made++).padStart(24, "A");
      const renderer = createRenderer({ requestId: "req_1", created: 1, randomId, promptTokens: () => 7 });
      if (!conversation.stream) {
        const fold = createFold();
        for (const event of events) fold.push(event);
        return Response.json(renderer.body(fold.reply()));
      }
      const pieces = [renderer.start(), renderer.heartbeat(), ...events.map((event) => renderer.event(event))];
      return new Response(streamOf(pieces), { headers: { "content-type": renderer.contentType } });
    } catch (thrown) {
      const { status, body, headers } = protocol.renderError(toGatewayError(thrown), { requestId: "req_1" });
      return Response.json(body, { status, headers });
    }
  };
}

/** One write for each event, as the gateway does it. */
function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream<string>({
    start(controller) {
      for (const piece of pieces) if (piece !== "") controller.enqueue(piece);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
}
