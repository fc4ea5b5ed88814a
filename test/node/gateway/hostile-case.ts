import { GET_WEATHER } from "../../chat-tools.ts";
import type { RequestTool } from "../../wires/requests.ts";
import type { Wire } from "../../wires/wires.ts";
import type { Outgoing, Step } from "./raw-client.ts";

/**
 * A request that somebody sends who means no good, or does not know better, and what becomes of it; one line of
 * `test/cases/clients.jsonl`. Where nothing is said it is a good request of the tenant "acme".
 */
export interface HostileCase {
  id: string;
  /** Of docs/security.md. */
  control: string;
  /** Default: all. */
  wires?: string[];
  /** Before the wire's own path; each is tried. Default: none. */
  doors?: string[];
  method?: string;
  /** In place of the wire's own. */
  path?: Given;
  query?: string;
  /** Over those that a good request has; null: without this one; a list: sent as often as it is long. */
  headers?: Record<string, Given>;
  model?: string;
  stream?: boolean;
  /** Members of the body, by their places in it. */
  set?: Record<string, Given>;
  /** In place of the body: any JSON; pieces of a text; bytes in hex. */
  body?: Given;
  text?: Given[];
  bytes?: string;
  /** In place of all that: what goes into a socket. */
  socket?: (Step | Given)[];

  status?: number;
  /** Of all that a socket gives back, in order. */
  statuses?: number[];
  /** How many requests go upstream; default: one where the status is 200, else none. */
  upstream?: number;
  /** A pattern of the answer's body. */
  says?: string;
  /** Of the answer; null: there is none. */
  answers?: Record<string, string | null>;
  /** What must not go upstream. */
  withheld?: string;
  /** The platform refuses it by itself, in words of its own. */
  platform?: true;
}

/** JSON in which `{"$repeat": [x, n]}` is n times a text, `{"$list": [x, n]}` a list of n, and `{"$nest": n}` a list in a list … */
type Given = unknown;

/** What stands for texts in braces, such as `{acme}` for that tenant's key. */
export type Names = Readonly<Record<string, string>>;

const question = {
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};

export function outgoing(hostile: HostileCase, wire: Wire, door: string, names: Names): Outgoing {
  const { id, stream = false, model = "m", method = "POST", query } = hostile;
  const { path, fields } = wire.address({ model: encodeURI(model), stream });
  const good = { ...fields, ...("model" in fields && { model }), ...wire.write(askingFor(id), stream) };
  const asked = String(expand(hostile.path) ?? path);
  const whole = query === undefined ? asked : `${asked}${asked.includes("?") ? "&" : "?"}${query}`;
  return {
    method,
    path: fill(door + whole, names),
    headers: headersOf(hostile, names),
    body: ["GET", "HEAD", "OPTIONS"].includes(method) ? Buffer.alloc(0) : bodyOf(hostile, good, names),
  };
}

/** Its prompt is one that no log may show. */
const askingFor = (id: string) => ({ ...question, turns: [{ user: `prompt-canary ${id}` }] });

function headersOf({ headers = {} }: HostileCase, names: Names): string[] {
  const all = { "x-api-key": "{acme}", "content-type": "application/json", ...headers };
  return Object.entries(all).flatMap(([name, value]) =>
    [expand(value) ?? []].flat().flatMap((one) => [name, fill(String(one), names)]),
  );
}

function bodyOf({ set, body, text, bytes }: HostileCase, good: object, names: Names): Buffer {
  if (bytes !== undefined) return Buffer.from(bytes, "hex");
  if (text) return Buffer.from(fill(text.map(expand).join(""), names));
  if (body !== undefined) return Buffer.from(fill(JSON.stringify(expand(body)), names));
  const changed = Object.entries(set ?? {}).reduce<unknown>(
    (whole, [place, value]) => put(whole, place.split("."), expand(value)),
    JSON.parse(JSON.stringify(good)),
  );
  return Buffer.from(fill(JSON.stringify(changed), names));
}

/** The bytes of a case for a socket; `{body}` is a good one of Chat's, in one piece, in two or as a chunk. */
export function socketSteps({ id, socket = [] }: HostileCase, chat: Wire, names: Names): Step[] {
  const body = JSON.stringify({ model: "m", ...chat.write(askingFor(id), false) });
  const known = {
    ...names,
    body,
    length: String(body.length),
    head: body.slice(0, 20),
    tail: body.slice(20),
    chunk: `${body.length.toString(16)}\r\n${body}\r\n`,
  };
  return socket.map((step) => (typeof step === "number" ? step : fill(String(expand(step)), known)));
}

/** In one go: what stands for a text may hold braces itself. */
function fill(text: string, names: Names): string {
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const known = names[name];
    if (known === undefined) throw new Error(`nothing is called {${name}}`);
    return known;
  });
}

function expand(given: Given): unknown {
  if (Array.isArray(given)) return given.map(expand);
  if (typeof given !== "object" || given === null) return given;
  const { $repeat, $list, $nest } = given as { $repeat?: [string, number]; $list?: [Given, number]; $nest?: number };
  if ($repeat) return $repeat[0].repeat($repeat[1]);
  if ($list) return Array($list[1]).fill(expand($list[0]));
  if ($nest) return JSON.parse("[".repeat($nest) + "]".repeat($nest));
  return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, expand(member)]));
}

/** Null takes nothing out: it is a value as any other. */
function put(whole: unknown, [name = "", ...rest]: readonly string[], value: unknown): unknown {
  const inner = Array.isArray(whole) ? [...whole] : { ...(whole as object) };
  const before = Object.hasOwn(inner, name) ? Reflect.get(inner, name) : {};
  const after = rest.length === 0 ? value : put(before, rest, value);
  // Not by assignment: one of the names is `__proto__`.
  Object.defineProperty(inner, name, { value: after, enumerable: true, configurable: true, writable: true });
  return inner;
}
