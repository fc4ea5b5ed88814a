import type { ServerResponse } from "node:http";
import { chunk } from "../../scripted-upstream/script.ts";
import type { Host, OutsideRequest } from "./outside.ts";

/** A server that fails in the way that its model is called, and repeats in it whatever it was sent. */
export const repeating: Host = (request, response) => {
  const { model } = JSON.parse(request.body);
  const fault = BY_MODEL[model];
  if (fault) fault(repeat(request), response);
  else response.destroy(new Error(`what is ${model}?`));
};

/** All that a server knows of a request. */
function repeat({ url, headers, body }: OutsideRequest): string {
  const key = headers.authorization?.replace("Bearer ", "");
  const asked = JSON.parse(body).messages.at(-1).content;
  return `Bad ${key} for "${asked}", or ${headers.authorization}: ${body} at ${url.href}`;
}

type Fault = (repeated: string, response: ServerResponse) => void;

const refuses =
  (status: number, write: (repeated: string) => string, headers: Record<string, string> = {}): Fault =>
  (repeated, response) =>
    response.writeHead(status, { "x-canary": "1", ...headers }).end(write(repeated));

const inError = (message: string) =>
  JSON.stringify({ error: { message, type: message, code: message, param: message } });

const streams =
  (write: (repeated: string) => string): Fault =>
  (repeated, response) =>
    response.writeHead(200, { "content-type": "text/event-stream", "x-canary": "1" }).end(write(repeated));

const BY_MODEL: Record<string, Fault> = {
  "a-refusal": refuses(400, inError),
  "a-refusal-in-words": refuses(400, (repeated) => repeated),
  "a-list-of-faults": refuses(422, (repeated) => JSON.stringify({ detail: [{ msg: repeated, input: repeated }] })),
  "a-key-refused": refuses(401, inError),
  "a-key-forbidden": refuses(403, inError),
  "a-model-missing": refuses(404, inError),
  "a-limit": refuses(429, inError, { "retry-after": "60" }),
  "a-breakdown": refuses(500, (repeated) => `<h1>${repeated}</h1>`),
  "a-busy-server": refuses(503, inError, { "retry-after": "60" }),
  "a-redirect": refuses(307, (repeated) => repeated, { location: "https://trap-canary.example/" }),
  "a-page": refuses(200, (repeated) => `<html>${repeated}</html>`, { "content-type": "text/html" }),
  "a-context-too-long": refuses(400, (repeated) =>
    inError(`This model's maximum context length is 9 tokens. ${repeated}`),
  ),
  "an-error-in-a-stream": streams((repeated) => `data: ${inError(repeated)}\n\n`),
  "an-error-in-mid-stream": streams((repeated) => `${chunk({ content: "Half" })}data: ${inError(repeated)}\n\n`),
  "no-JSON": streams((repeated) => `data: {${repeated}\n\n`),
  "no-event": streams((repeated) => repeated),
  "a-cut": (_repeated, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk({ content: "Half" }));
    setTimeout(() => response.destroy(), 20);
  },
  "a-reset": (_repeated, response) => void response.destroy(),
};

/** Names of its models. */
export const FAULTS = Object.keys(BY_MODEL);
