import * as v from "valibot";
import { fail, toGatewayError } from "../errors.ts";
import { parseJson } from "../json.ts";
import { ADMIN_LIMITS } from "../limits.ts";
import { etagOf } from "../protocols/failure.ts";
import type { Administration, BatchEntry } from "../tenants/administration.ts";
import { describeFaults, faultOf } from "../tenants/faults.ts";
import { KeyTerms } from "../tenants/key-changes.ts";
import { strict } from "../tenants/settings.ts";
import { parseBody, readTextBody } from "./body.ts";
import { type Call, unknownPath } from "./handlers.ts";

/**
 * @param by the operator
 * @throws GatewayFailure for whatever cannot be done
 */
export type AdminHandler = (call: Call, administration: Administration, by: string) => Promise<Response>;

/** What operators do, over HTTP (docs/admin-api.md). */
export const adminHandlers = { listTenants, showTenant, putTenant, deleteTenant, changeTenants, createKey, changeKey };

async function listTenants({ url }: Call, administration: Administration): Promise<Response> {
  const limit = Number(url.searchParams.get("limit") ?? ADMIN_LIMITS.page);
  if (!Number.isInteger(limit) || limit < 1 || limit > ADMIN_LIMITS.largestPage) {
    const message = `limit takes a whole number from 1 to ${ADMIN_LIMITS.largestPage}.`;
    fail({ kind: "invalid-request", message, param: "limit" });
  }
  return Response.json(await administration.list(url.searchParams.get("cursor") ?? undefined, limit));
}

async function showTenant({ params }: Call, administration: Administration): Promise<Response> {
  const { rev, record } = await administration.read(tenantOf(params));
  return Response.json(record, { headers: { etag: etagOf(rev) } });
}

async function putTenant(call: Call, administration: Administration, by: string): Promise<Response> {
  const { request, params } = call;
  const [id, ifMatch] = [tenantOf(params), expectedOf(request)];
  const record = readBody(await readTextBody(request, call.config.maxBodyBytes, call.lease));
  // In a batch it deletes.
  if (record === null) fail({ kind: "invalid-request", message: "A record is an object." });
  const { before, rev } = await administration.write({ id, record, ifMatch }, by);
  return Response.json({ id, rev }, { status: before === 0 ? 201 : 200, headers: { etag: etagOf(rev) } });
}

async function deleteTenant({ request, params }: Call, administration: Administration, by: string): Promise<Response> {
  const change = { id: tenantOf(params), record: null, ifMatch: expectedOf(request) };
  const { rev } = await administration.write(change, by);
  return Response.json({ id: change.id, rev });
}

/** A change in each line, and a line on each change, in the same order. */
async function changeTenants(call: Call, administration: Administration, by: string): Promise<Response> {
  const { request, protocol, requestId } = call;
  const text = await readTextBody(request, call.config.maxBodyBytes, call.lease);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > ADMIN_LIMITS.batch) {
    fail({ kind: "invalid-request", message: `A batch has at most ${ADMIN_LIMITS.batch} lines.` });
  }
  const outcomes = await administration.batch(readChanges(lines), by);
  const told = outcomes.map(({ id, outcome }, index) => {
    if (!("kind" in outcome)) return { id, status: outcome.before === 0 ? 201 : 200, rev: outcome.rev };
    const { status, body } = protocol.renderError(outcome, { requestId });
    const current = outcome.kind === "revision-conflict" ? { rev: outcome.current } : {};
    const named = id === undefined ? { line: index + 1 } : { id };
    return { ...named, status, ...current, ...(body as object) };
  });
  const answer = told.map((line) => `${JSON.stringify(line)}\n`).join("");
  return new Response(answer, { headers: { "content-type": "application/x-ndjson" } });
}

async function createKey(call: Call, administration: Administration, by: string): Promise<Response> {
  const { params } = call;
  const terms = await readOptions(call, KeyTerms);
  const made = await administration.createKey(tenantOf(params), terms, by);
  return Response.json(made, { status: 201 });
}

/** The path names the key and, behind a colon, what becomes of it. */
async function changeKey(call: Call, administration: Administration, by: string): Promise<Response> {
  const { params } = call;
  const [id, [key = "", verb]] = [tenantOf(params), (params.key ?? "").split(":")];
  switch (verb) {
    case "rotate": {
      const { grace_seconds } = await readOptions(call, Rotation);
      return Response.json(await administration.rotateKey(id, key, grace_seconds, by), { status: 201 });
    }
    case "disable":
      return Response.json(await administration.disableKey(id, key, by));
    default:
      return unknownPath();
  }
}

const GRACE = `takes whole seconds, at most ${ADMIN_LIMITS.longestGrace}`;
const Rotation = strict({
  grace_seconds: v.optional(
    v.pipe(v.number(GRACE), v.integer(GRACE), v.minValue(0, GRACE), v.maxValue(ADMIN_LIMITS.longestGrace, GRACE)),
    ADMIN_LIMITS.grace,
  ),
});

const REVISION = "takes a revision, or 0 where there must be none";
const BatchLine = strict({
  id: v.string("takes a tenant's name"),
  record: v.unknown(),
  if_match: v.optional(v.pipe(v.number(REVISION), v.safeInteger(REVISION), v.minValue(0, REVISION))),
});

/**
 * One after the other, when it is asked for: parsed, all of them could have many times the body's size. Changes are made several at a
 * time: of two of one tenant nobody could say which came last.
 */
function* readChanges(lines: readonly string[]): Generator<BatchEntry> {
  const seen = new Set<string>();
  const message = "An earlier line of this batch is of the same tenant.";
  for (const line of lines) {
    const entry = readChange(line);
    const repeated = entry.id !== undefined && seen.has(entry.id);
    if (entry.id !== undefined) seen.add(entry.id);
    yield repeated ? { id: entry.id, change: { kind: "invalid-request", message, param: "id" } } : entry;
  }
}

function readChange(line: string): BatchEntry {
  try {
    const { id, record, if_match } = check(readBody(line), BatchLine);
    return { id, change: { id, record, ifMatch: if_match } };
  } catch (thrown) {
    return { id: undefined, change: toGatewayError(thrown) };
  }
}

/** Numbers are plain ones here, as they are where records are read. */
function readBody(text: string): unknown {
  return parseBody(text, parseJson);
}

/** Nothing at all is an object without members. */
async function readOptions<T>({ request, config, lease }: Call, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const text = await readTextBody(request, config.maxBodyBytes, lease);
  return check(text.trim() === "" ? {} : readBody(text), schema);
}

function check<T>(given: unknown, schema: v.GenericSchema<unknown, T>): T {
  const read = v.safeParse(schema, given);
  if (read.success) return read.output;
  const faults = read.issues.map(faultOf);
  return fail({ kind: "invalid-request", message: describeFaults(faults), param: faults[0]?.path.join(".") || "body" });
}

/** No name of a tenant has anything to be escaped. */
function tenantOf(params: Call["params"]): string {
  return params.tenant ?? "";
}

/**
 * The revision that a change is of; 0: there must be none. A proxy that compresses answers makes their tags weak ones.
 * @throws GatewayFailure `revision-required`
 */
function expectedOf({ method, headers }: Request): number {
  const [match, none] = [headers.get("if-match"), headers.get("if-none-match")];
  if (match === null && none === null) {
    const message =
      'A change names the revision that it changes: If-Match: "<revision>". To create takes If-None-Match: *.';
    return fail({ kind: "revision-required", message });
  }
  if (match === null && none === "*" && method === "PUT") return 0;
  const [, rev] = /^(?:W\/)?"([1-9]\d{0,14})"$/.exec(match ?? "") ?? [];
  if (rev !== undefined && none === null) return Number(rev);
  const message = 'If-Match takes one revision, such as "7", and If-None-Match only *, where a record is created.';
  return fail({ kind: "invalid-request", message, param: "if-match" });
}
