import { vi } from "vitest";
import { createOccupancy } from "../../../src/occupancy.ts";
import type { Protocol } from "../../../src/protocols/protocol.ts";
import type { DataPoint } from "../../../src/telemetry/analytics.ts";
import { GET_WEATHER, PING } from "../../chat-tools.ts";
import { answers, chunk, type Saying, type Script, says } from "../../scripted-upstream/script.ts";
import { variables } from "../../variables.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { MemoryObjects } from "../tenants/memory-objects.ts";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { gatewayOf } from "./in-process.ts";
import { server, VARIABLES } from "./platform.ts";

export type WireName = Protocol["name"];

/** A line of traffic.jsonl: a request in each of its wires and forms, and what each adds to the numbers. */
export interface Traffic {
  id: string;
  /** Empty: the gateway's own. */
  tenant?: string;
  model?: string;
  /** What the numbers call the model. */
  label?: string;
  /** Default: openai-chat. */
  wires?: WireName[];
  /** Default: both. */
  forms?: ("whole" | "stream")[];
  request?: Partial<WireRequest>;
  /** More of the body. */
  fields?: object;
  headers?: Record<string, string>;
  /** What upstreams answer, one after the other. */
  upstream: Answer[];
  leaves?: "upload" | "before" | "midst";
  /** A request as it is, in place of all that. */
  raw?: { method: string; path: string; body?: string; headers?: Record<string, string> };
  /** Of a failure that is told in the words of a wire. */
  wire?: WireName;
  /** In place of the tenant's. */
  key?: string;
  /** So many times more before. */
  again?: number;
  /** The isolate holds as much as it can. */
  full?: boolean;
  /** Default 200; null: there is none. Of a whole answer and of a stream, where they differ. */
  status?: number | null | [whole: number, stream: number];
  /** The kind of the failure that is counted though there is no reply; null: nothing is. */
  error?: string | null;
  /** What every reply of its kind adds besides: of one that was answered, if nothing is said. */
  like?: keyof typeof ALIKE;
  /** By series and the values of its own labels, histograms by how many observations; null: any number above 0. */
  adds: Amounts;
  /** A stream besides. */
  streams?: Amounts;
}

export type Amounts = Record<string, number | null>;

type Answer =
  | "hang"
  | (Saying & {
      says?: string;
      deltas?: object[];
      events?: object[];
      /** Ends without a finish. */
      breaks?: true;
      /** Goes on for ever. */
      hangs?: true;
      status?: number;
      body?: object;
      headers?: Record<string, string>;
    });

const EVERY = { gateway_seconds: 1, reply_seconds: 1, held_characters: 1 };
/** What is added by every reply that was answered, and where it never was. */
export const ALIKE = {
  answered: {
    ...EVERY,
    ...{ upstream_requests: 1, upstream_seconds: 1 },
    ...{ "tokens input false": 10, "tokens output false": 5 },
  },
  unanswered: { ...EVERY, upstream_requests: 1 },
  none: {},
} satisfies Record<string, Amounts>;

const route = (models: string, more: object) => ({ models: [models], ...more });
const toolcall = (models: string, settings: object) => route(models, { toolcall: settings });

/** Each route is a model to the numbers. */
const ROUTES = [
  toolcall("off-*", { mode: "off" }),
  toolcall("strict-*", { mode: "canonical" }),
  toolcall("dropping-*", { malformed: "drop" }),
  toolcall("closed-*", { undeclared: "text" }),
  toolcall("ending-*", { after_calls: "end" }),
  route("single-*", { limits: { max_calls: 1 } }),
  toolcall("short-*", { result_chars: 50 }),
  toolcall("brief-*", { docs_budget: 1 }),
  toolcall("rolled-*", { rollout: { percent: 100, teach: "hermes" } }),
  toolcall("kept-*", { rollout: { percent: 0, teach: "hermes" } }),
  toolcall("shadowed-*", { shadow: { percent: 100, mode: "canonical" } }),
  route("kimi-*-vllm", { upstream: "vllm" }),
  route("forced-*", { upstream: "llamacpp", toolcall: { force: "always" } }),
  route("spared-*", { fallback: ["spare"] }),
];
/** What the operator calls models. */
export const OWN_MODELS = ["local", ...ROUTES.flatMap(({ models }) => models)];

const TENANTS = {
  acme: {
    upstreams: {
      main: { base_url: "https://main.acme.example/v1" },
      spare: { base_url: "https://spare.acme.example/v1" },
      vllm: { base_url: "https://vllm.acme.example/v1", kind: "vllm" },
      llamacpp: { base_url: "https://llamacpp.acme.example/v1", kind: "llamacpp" },
    },
    routes: ROUTES,
  },
  beta: server("beta"),
  few: { ...server("few"), models: ["known"], max_body_bytes: 1_000 },
  poor: { ...server("poor"), limits: { tokens_per_day: 1 } },
  slow: { ...server("slow"), limits: { requests_per_minute: 1 } },
};

/** All of these have numbers of their own. */
export const TENANT_NAMES = ["", ...Object.keys(TENANTS)];

const ASKED: WireRequest = {
  turns: [{ user: "The weather?" }],
  tools: [GET_WEATHER, PING].map((tool) => tool.function as RequestTool),
  maxTokens: 100,
};

/** A gateway with those tenants and all three outputs. Stubs `fetch`, the log and the clock, which moves whenever it is looked at. */
export async function trafficGateway() {
  const log: string[] = [];
  const points: DataPoint[] = [];
  let answered: Answer[] = [];
  let time = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => (time += 1));
  vi.spyOn(console, "log").mockImplementation((line: string) => void log.push(line));
  vi.stubGlobal("fetch", async (_url: string, { signal }: RequestInit) => respond(answered.shift(), signal));
  const store = new MemoryStore();
  const objects = new MemoryObjects(store);
  const occupancy = createOccupancy();
  const own = { GATEWAY_API_KEYS: "own", ADMIN_TOKEN: "operator", MODELS: "local,*" };
  const env = {
    ...{ ...VARIABLES, ...variables({ ...own, UPSTREAM_BASE_URL: "https://own.example/v1" }) },
    MASTER_KEY_1: VARIABLES.MASTER_KEY_1,
    ...{ TENANTS: store, TENANT_OBJECTS: objects },
    ANALYTICS: { writeDataPoint: (point: DataPoint) => void points.push(structuredClone(point)) },
  };
  const { send } = gatewayOf(env, { occupancy });
  const keys: Record<string, string> = { "": "own" };
  for (const [name, settings] of Object.entries(TENANTS)) keys[name] = (await store.tenant(name, settings)).key;

  /** What it was answered; undefined for one that has left. */
  async function run(line: Traffic, wire: Wire, stream: boolean): Promise<number | undefined> {
    answered = [...line.upstream];
    const key = line.key ?? keys[line.tenant ?? "acme"] ?? "";
    const { path, ...init } = line.raw ?? written(line, wire, stream);
    const headers = { ...(key !== "" && { authorization: `Bearer ${key}` }), ...init.headers };
    const leaving = new AbortController();
    const lease = line.full ? occupancy.enter("acme", undefined, new AbortController().signal) : undefined;
    const free = lease?.hold();
    lease?.add(50_000_000);
    const upload = line.leaves === "upload" && { body: breakingOff(leaving), duplex: "half" };
    const asking = send(path, { ...init, ...upload, headers, signal: leaving.signal });
    if (line.leaves === "before") {
      await vi.waitFor(() => answered.length === 0 || Promise.reject());
      leaving.abort();
    }
    const response = await asking;
    if (line.leaves === "midst") await readSome(response, leaving);
    else await response.text();
    lease?.add(-50_000_000);
    free?.();
    return response.status;
  }

  /** The numbers of a tenant, as Prometheus gets them. */
  async function metrics(tenant: string): Promise<string> {
    const path = tenant === "" ? "/metrics" : `/t/${tenant}/metrics`;
    const response = await send(path, { headers: { authorization: "Bearer operator" } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    return response.text();
  }

  return { run, metrics, log, points, objects };
}

function breakingOff(leaving: AbortController): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      leaving.abort();
      controller.error(leaving.signal.reason);
    },
  });
}

async function readSome(response: Response, leaving: AbortController) {
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel();
}

function written({ model = "m", request, fields, headers }: Traffic, wire: Wire, stream: boolean) {
  const address = wire.address({ model: encodeURIComponent(model), stream });
  const named = "model" in address.fields ? { ...address.fields, model } : address.fields;
  const body = JSON.stringify({ ...named, ...wire.write({ ...ASKED, ...request }, stream), ...fields });
  return { path: address.path, method: "POST", body, headers };
}

export function wireOf(name: WireName): Wire {
  const wire = WIRES.find(({ protocol }) => protocol.name === name);
  if (!wire) throw new Error(`no wire ${name}`);
  return wire;
}

function scriptOf(answer: Exclude<Answer, "hang">): Script {
  const { says: text = "", deltas, events, breaks, status, body, headers, usage = [10, 5], ...saying } = answer;
  if (status !== undefined) return answers(status, body ?? {}, headers);
  const { steps = [] } = says(text, { ...saying, ...(usage && { usage }) });
  if (events) return { steps: events.map((each) => ({ send: `data: ${JSON.stringify(each)}\n\n` })) };
  if (breaks) return { steps: steps.slice(0, -3) };
  return { steps: [...(deltas ?? []).map((delta) => ({ send: chunk(delta) })), ...steps] };
}

/** One read for each step; it heeds the signal as a real one does. */
function respond(answer: Answer | undefined, signal: AbortSignal | null | undefined): Promise<Response> | Response {
  if (!answer) throw new Error("nothing more was to be asked");
  if (answer === "hang")
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const { status = 200, headers = { "content-type": "text/event-stream" }, steps = [] } = scriptOf(answer);
  const pieces = steps.flatMap((step) => (typeof step === "string" ? [] : step.send));
  const hangs = answer.hangs;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = hangs && pieces.length < 3 ? undefined : pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (hangs) return new Promise(() => {});
        if (pieces.length === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}
