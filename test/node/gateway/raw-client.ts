import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

/** A client that sends what it is told, right or wrong. */

export interface Outgoing {
  method: string;
  /** As it is: no dots are resolved and nothing is escaped. */
  path: string;
  /** Names and values by turns; a name may come twice. */
  headers: string[];
  body: Buffer;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** The longest that anything may take here. */
const BOUND = 10_000;

/** Whoever is refused before all is sent may find the connection gone before the answer is read: it is asked again. */
export async function send(port: number, outgoing: Outgoing, tries = 5): Promise<Answer> {
  try {
    return await sendOnce(port, outgoing);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (tries > 1 && (code === "EPIPE" || code === "ECONNRESET")) return send(port, outgoing, tries - 1);
    throw thrown;
  }
}

let clients = 0;

/** As the platform says: what one address may be refused in ten seconds is not what these are about. */
function nextAddress(): string {
  clients += 1;
  return `10.0.${clients >> 8}.${clients & 0xff}`;
}

async function sendOnce(port: number, { method, path, headers, body }: Outgoing): Promise<Answer> {
  const framing =
    body.length === 0 || headers.includes("transfer-encoding") ? [] : ["content-length", String(body.length)];
  const asked = request({
    port,
    method,
    path,
    headers: ["host", "localhost", "cf-connecting-ip", nextAddress(), ...headers, ...framing],
    signal: AbortSignal.timeout(BOUND),
  });
  const answered = once(asked, "response");
  asked.end(body);
  const [response] = (await answered) as [IncomingMessage];
  const told = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return { status: response.statusCode ?? 0, headers: new Headers(told), text: await text(response) };
}

/** Bytes, or a while in which there are none, in milliseconds; or how the client leaves. */
export type Step = string | number | "end" | "reset";

/** How long a server may say nothing that has said all. */
const QUIET = 250;

/** What a server says to these very bytes, until it closes or has no more to say. */
export async function sendBytes(port: number, steps: readonly Step[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  let heard = Date.now();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  socket.on("data", (data) => {
    said += data;
    heard = Date.now();
  });
  for (const step of steps) {
    if (step === "end") socket.end();
    else if (step === "reset") socket.resetAndDestroy();
    else if (typeof step === "number") await pause(step);
    else socket.write(step, "latin1");
  }
  const bound = Date.now() + BOUND;
  while (Date.now() < bound && !socket.destroyed && !(said !== "" && Date.now() > heard + QUIET)) {
    await Promise.race([closed, pause(QUIET / 5)]);
  }
  const hung = !socket.destroyed && said === "";
  socket.destroy();
  return hung ? "no answer" : said;
}
