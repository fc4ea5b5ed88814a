import type { Variables } from "../../variables.ts";
import { platform } from "./platform.ts";

export const TOKEN = "operator-token";

interface Told {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  body: any;
  text: string;
}

/** A platform, and an operator of it. */
export function operate(given: Variables = {}) {
  const world = platform({ ADMIN_TOKEN: TOKEN, ...given });
  const base = world.send;

  async function admin(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Told> {
    const response = await base(`/admin/v1/tenants${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text !== "" && !response.headers.get("content-type")?.includes("ndjson");
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : undefined, text };
  }

  const create = (id: string, record: unknown) => admin("PUT", `/${id}`, record, { "if-none-match": "*" });
  const put = (id: string, record: unknown, rev: number) => admin("PUT", `/${id}`, record, { "if-match": `"${rev}"` });

  async function batch(lines: readonly unknown[]) {
    const body = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    const { status, text } = await admin("POST", ":batch", body);
    return { status, lines: text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])), text };
  }

  /** What was written down, in order. */
  const audits = () =>
    [...world.store.values].filter(([key]) => key.startsWith("v1:audit:")).map(([, text]) => JSON.parse(text));

  return { ...world, admin, create, put, batch, audits };
}

export const record = (settings: object = {}, fields: object = {}) => ({ status: "active", settings, ...fields });
