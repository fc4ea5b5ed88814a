import { setTimeout as sleep } from "node:timers/promises";
import { isLoopback } from "../src/tenants/keys.ts";

/** The admin API of a gateway (docs/admin-api.md), as the command line asks it. */
export interface AdminClient {
  /** @throws where there is no such API, or the token is none */
  check(): Promise<void>;
  /** @returns the record without its version and its revision; undefined where there is no such tenant */
  read(id: string): Promise<{ rev: number; record: Record<string, unknown> } | undefined>;
  /** Ids of all tenants, page by page. */
  list(): Promise<string[]>;
  batch(lines: readonly BatchLine[]): Promise<BatchAnswer[]>;
  /** @param path behind the tenant's: `keys`, `keys/abcdefgh:rotate` */
  post(id: string, path: string, body: object): Promise<Record<string, unknown>>;
}

export interface BatchLine {
  id: string;
  record: unknown;
  if_match: number;
}

export interface BatchAnswer {
  id?: string;
  status: number;
  rev?: number;
  error?: { message: string };
}

/** @param url of the gateway; the token comes from ADMIN_TOKEN of the environment */
export function connectAdmin(url: string): AdminClient {
  const base = `${baseOf(url)}/admin/v1/tenants`;
  // Several may be good, while one takes another's place.
  const token = process.env.ADMIN_TOKEN?.split(",")[0]?.trim() ?? "";
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error("ADMIN_TOKEN of the environment holds no token.");

  async function ask(method: string, path: string, body?: string): Promise<Response> {
    for (;;) {
      const response = await askOnce(method, path, body);
      if (response.ok || (method === "GET" && response.status === 404 && path.startsWith("/"))) return response;
      const wait = waitOf(response);
      if (wait === undefined) throw new Error(`The gateway answers ${response.status}: ${await messageOf(response)}`);
      await response.body?.cancel();
      await sleep(wait);
    }
  }

  async function askOnce(method: string, path: string, body: string | undefined): Promise<Response> {
    return fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      // The token is for this server alone.
      redirect: "error",
      ...(body !== undefined && { body }),
    }).catch((fault: Error) => {
      throw new Error(`${base} cannot be asked: ${fault.cause instanceof Error ? fault.cause.message : fault.message}`);
    });
  }

  return {
    async check() {
      await ask("GET", "?limit=1");
    },

    async read(id) {
      const response = await ask("GET", `/${id}`);
      if (!response.ok) return undefined;
      const { v: _version, rev, ...record } = (await response.json()) as Record<string, unknown>;
      return { rev: Number(rev), record };
    },

    async list() {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const after = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const page = (await (await ask("GET", `?limit=1000${after}`)).json()) as Page;
        ids.push(...page.tenants.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      return ids;
    },

    async batch(lines) {
      const text = await (
        await ask("POST", ":batch", lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
      ).text();
      return text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line) as BatchAnswer)));
    },

    async post(id, path, body) {
      return (await (await ask("POST", `/${id}/${path}`, JSON.stringify(body))).json()) as Record<string, unknown>;
    },
  };
}

interface Page {
  tenants: { id: string }[];
  cursor?: string;
}

/** Milliseconds, where the gateway was asked too much in this minute: nothing of such a request was done. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return status === 429 && seconds <= 60 ? seconds * 1_000 : undefined;
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  return body?.error?.message ?? response.statusText;
}

/** A token in clear is for nobody on the way to read. */
function baseOf(url: string): string {
  const { protocol, hostname = "", origin } = URL.parse(url) ?? {};
  if (origin && (protocol === "https:" || (protocol === "http:" && isLoopback(hostname)))) return origin;
  throw new Error("--url takes the https address of a gateway, or an http one of this machine.");
}
