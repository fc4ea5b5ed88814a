import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { chunk, DONE, event } from "../../scripted-upstream/script.ts";

/**
 * An answer down to its bytes, as plain data: what no library of HTTP would send. In every text `{leak}` stands for all that
 * no client may get to see, `{trap}` for an address that must never be asked, `{url}` for the upstream's own.
 */
export interface HostileAnswer {
  /** Default 200; its reason is `{leak}`. */
  status?: number;
  headers?: Record<string, string>;
  /** In place of status line and headers. */
  head?: string;
  /** What bounds the body; default `chunked`. With `none` its bytes go out as they are, and the connection stays. */
  framing?: "chunked" | "length" | "close" | "none";
  /** The body is compressed; `broken`: and a byte in its middle is another one then. */
  gzip?: "good" | "broken" | "cut";
  steps?: HostileStep[];
}

export type HostileStep =
  /** A delta of text. */
  | { say: string; bytes?: number }
  /** An event. */
  | { data: unknown }
  /** As it is, or in writes of so many bytes. */
  | { send: string; bytes?: number }
  | { hex: string }
  /** A delta of text as a chunk of its own, where no framing is made. */
  | { chunk: string }
  /** Again and again, as long as somebody reads. */
  | { flood: string; megabytes: number }
  | { wait: number }
  /** Deltas of text, evenly over this time. */
  | { drip: readonly string[]; seconds: number }
  | "finish"
  | "done"
  /** Never goes on. As the first step: not even the status is sent. */
  | "hang"
  | "reset"
  /** Closes the connection as if all had been said. */
  | "cut";

/** What one model has been asked and has sent. */
interface Model {
  answers: HostileAnswer[];
  requests: number;
  /** Bytes that the system has taken. */
  written: number;
  /** Milliseconds since the epoch; of the last connection that broke while it was being answered. */
  abandoned: number | undefined;
}

export interface HostileUpstream {
  /** The root of its API. */
  url: string;
  /** @returns what becomes of it; one answer for each request, the last one for all that follow */
  model(name: string, answers: HostileAnswer[]): Readonly<Model>;
  /** Requests to any other path, or by any other method. */
  readonly strays: number;
  close(): Promise<void>;
}

/** `{x*1000}` is a thousand times what stands before the asterisk. */
const fillWith = (texts: { [name: string]: string }) => (text: string) =>
  text
    .replace(/\{(leak|trap|url)\}/g, (_, name: string) => texts[name] ?? "")
    .replace(/\{([^{}*]+)\*(\d+)\}/g, (_, unit: string, times: string) => unit.repeat(Number(times)));

/** @param texts what the placeholders stand for */
export async function startHostileUpstream(texts: { leak: string; trap: string }): Promise<HostileUpstream> {
  const models = new Map<string, Model>();
  const sockets = new Set<Socket>();
  let strays = 0;

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    serve(socket).catch(() => socket.destroy());
  });

  async function serve(socket: Socket) {
    for await (const { head, body } of readRequests(socket)) {
      const model = models.get(modelOf(body));
      if (!head.startsWith("POST /v1/chat/completions ") || !model) {
        strays += 1;
        socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      model.requests += 1;
      const answer = model.answers[Math.min(model.requests, model.answers.length) - 1] ?? {};
      const leave = () => {
        model.abandoned ??= Date.now();
      };
      socket.once("close", leave);
      await play(answer, { socket, model, fill: fillWith({ ...texts, url }) });
      socket.off("close", leave);
      // A write that fails is told of before the close.
      if (socket.destroyed) leave();
    }
  }

  const url = await listen(server, "/v1");
  return {
    url,
    model(name, answers) {
      const model: Model = { answers, requests: 0, written: 0, abandoned: undefined };
      models.set(name, model);
      return model;
    },
    get strays() {
      return strays;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** @returns its address */
export async function listen(server: Server, path = ""): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

function modelOf(body: string): string {
  try {
    return JSON.parse(body).model;
  } catch {
    return "";
  }
}

/** As the gateway sends them: with a length, one behind the other. */
async function* readRequests(socket: Socket): AsyncGenerator<{ head: string; body: string }> {
  let unread = Buffer.alloc(0);
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    unread = Buffer.concat([unread, piece as Buffer]);
    const end = unread.indexOf("\r\n\r\n") + 4;
    if (end < 4) continue;
    const head = unread.subarray(0, end).toString("latin1");
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (unread.length < end + length) continue;
    const body = unread.subarray(end, end + length).toString();
    unread = unread.subarray(end + length);
    yield { head, body };
  }
}

interface Stage {
  socket: Socket;
  model: Model;
  fill(text: string): string;
}

async function play(answer: HostileAnswer, stage: Stage) {
  const { framing = "chunked", steps = [], gzip } = answer;
  const { socket } = stage;
  if (!(await act(steps[0], stage))) return;
  const body = gzip && compress(gzip, steps, stage.fill);
  const whole =
    body ?? (framing === "length" ? Buffer.concat(steps.map((step) => bytesOf(step, stage.fill))) : undefined);
  await put(stage, Buffer.from(headOf(answer, whole?.length, stage.fill), "latin1"));
  const frame = (bytes: Buffer) => (framing === "chunked" ? chunked(bytes) : bytes);
  if (whole) await putPieces(stage, whole, 65_536, frame);
  else
    for (const step of steps) {
      if (!(await act(step, stage)) || socket.destroyed) return;
      await putStep(stage, step, frame);
    }
  if (framing === "chunked") await put(stage, Buffer.from("0\r\n\r\n"));
  if (framing === "close") socket.end();
}

function headOf(
  { status = 200, headers, head, framing = "chunked", gzip }: HostileAnswer,
  length: number | undefined,
  fill: Stage["fill"],
) {
  if (head !== undefined) return fill(head);
  const fields = {
    "content-type": "text/event-stream",
    ...(gzip && { "content-encoding": "gzip" }),
    ...(framing === "chunked" && { "transfer-encoding": "chunked" }),
    ...(framing === "length" && { "content-length": String(length ?? 0) }),
    ...(framing === "close" && { connection: "close" }),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${fill(value)}\r\n`);
  return `HTTP/1.1 ${status} ${fill("{leak}")}\r\n${lines.join("")}\r\n`;
}

/** @returns whether the answer goes on */
async function act(step: HostileStep | undefined, { socket }: Stage): Promise<boolean> {
  if (step === "reset") socket.resetAndDestroy();
  if (step === "cut") socket.end();
  if (step === "hang") await once(socket, "close");
  return step !== "reset" && step !== "cut" && step !== "hang";
}

async function putStep(stage: Stage, step: HostileStep, frame: (bytes: Buffer) => Buffer) {
  if (typeof step === "object" && "wait" in step) {
    await new Promise((resolve) => setTimeout(resolve, step.wait));
  } else if (typeof step === "object" && "drip" in step) {
    const start = Date.now();
    for (const [index, content] of step.drip.entries()) {
      const due = start + (index / step.drip.length) * step.seconds * 1000 - Date.now();
      if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
      await put(stage, frame(Buffer.from(chunk({ content }))));
    }
  } else if (typeof step === "object" && "flood" in step) {
    const { piece, times } = floodOf(step, stage.fill);
    const framed = frame(piece);
    for (let sent = 0; sent < times && !stage.socket.destroyed; sent += 1) await put(stage, framed);
  } else {
    const bytes = bytesOf(step, stage.fill);
    const size = typeof step === "object" && "bytes" in step ? step.bytes : undefined;
    await putPieces(stage, bytes, size ?? Math.max(1, bytes.length), frame);
  }
}

async function putPieces(stage: Stage, bytes: Buffer, size: number, frame: (bytes: Buffer) => Buffer) {
  for (let at = 0; at < bytes.length; at += size) await put(stage, frame(bytes.subarray(at, at + size)));
}

/** Waits until the system has taken it: so a reader that does not read stops what is sent. */
async function put({ socket, model }: Stage, bytes: Buffer) {
  if (socket.destroyed) return;
  const error = await new Promise((resolve) => socket.write(bytes, resolve));
  if (!error) model.written += bytes.length;
  // Each write in a packet of its own, as far as a sender can tell.
  await new Promise((resolve) => setImmediate(resolve));
}

function chunked(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

function bytesOf(step: HostileStep, fill: Stage["fill"]): Buffer {
  if (step === "finish") return Buffer.from(chunk({}, "stop"));
  if (step === "done") return Buffer.from(DONE);
  if (typeof step === "string") return Buffer.alloc(0);
  if ("say" in step) return Buffer.from(chunk({ content: step.say }));
  if ("data" in step) return Buffer.from(fill(event(step.data as object | string)));
  if ("send" in step) return Buffer.from(fill(step.send));
  if ("chunk" in step) return chunked(Buffer.from(chunk({ content: step.chunk })));
  if ("hex" in step) return Buffer.from(step.hex, "hex");
  if ("wait" in step || "drip" in step) return Buffer.alloc(0);
  const { piece, times } = floodOf(step, fill);
  return Buffer.concat(Array.from({ length: times }, () => piece));
}

function floodOf({ flood, megabytes }: { flood: string; megabytes: number }, fill: Stage["fill"]) {
  const text = fill(flood);
  const piece = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  return { piece, times: Math.ceil((megabytes * 1_000_000) / piece.length) };
}

/** A bomb is made once. */
const compressed = new Map<string, Buffer>();

function compress(how: "good" | "broken" | "cut", steps: HostileStep[], fill: Stage["fill"]): Buffer {
  const name = JSON.stringify(steps);
  const bytes = compressed.get(name) ?? gzipSync(Buffer.concat(steps.map((step) => bytesOf(step, fill))), { level: 1 });
  compressed.set(name, bytes);
  if (how === "good") return bytes;
  const middle = Math.floor(bytes.length / 2);
  if (how === "cut") return bytes.subarray(0, middle);
  return Buffer.concat([bytes.subarray(0, middle), Buffer.from("????"), bytes.subarray(middle + 4)]);
}
