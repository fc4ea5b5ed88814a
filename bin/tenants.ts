import { statSync } from "node:fs";
import { inLanes } from "../src/lanes.ts";
import type { AdminClient, BatchAnswer, BatchLine } from "./admin-client.ts";
import { differences } from "./record-diff.ts";
import { readTenantFiles, type TenantFile } from "./tenant-files.ts";

/** @returns the exit status */
export function validate(paths: readonly string[]): number {
  const files = readTenantFiles(paths);
  for (const { path, faults } of files) {
    console.log(faults.length === 0 ? `${path}: good` : faults.map((fault) => `${path}: ${fault}`).join("\n"));
  }
  return files.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

/** @returns the exit status: 1 where something would change */
export async function diff(client: AdminClient, paths: readonly string[], alsoDelete: boolean): Promise<number> {
  const planned = await plan(client, paths, alsoDelete);
  for (const { id, told } of planned) console.log(told.map((line) => `${id}: ${line}`).join("\n"));
  return planned.length > 0 ? 1 : 0;
}

/** As many as a request may change, and about half of the characters that it may have. */
const BATCH = { lines: 400, characters: 4_000_000 };

/** @returns the exit status: 1 where something could not be done */
export async function apply(client: AdminClient, paths: readonly string[], alsoDelete: boolean): Promise<number> {
  const planned = await plan(client, paths, alsoDelete);
  let refused = 0;
  for (const lines of inBatches(planned)) {
    const answers = await client.batch(lines.map(({ id, record, if_match }) => ({ id, record, if_match })));
    for (const [index, { id, record }] of lines.entries()) {
      const answer = answers[index];
      if (answer?.rev === undefined || answer.error) refused += 1;
      console.log(`${id}: ${describe(answer, record)}`);
    }
  }
  if (planned.length === 0) console.log("Nothing has changed.");
  return refused > 0 ? 1 : 0;
}

function inBatches(planned: readonly Planned[]): Planned[][] {
  const batches: Planned[][] = [];
  let characters = 0;
  for (const change of planned) {
    const batch = batches.at(-1);
    const size = JSON.stringify(change.record).length;
    characters += size;
    if (batch && batch.length < BATCH.lines && characters <= BATCH.characters) batch.push(change);
    else {
      batches.push([change]);
      characters = size;
    }
  }
  return batches;
}

function describe(answer: BatchAnswer | undefined, record: unknown): string {
  if (!answer || answer.error) return `refused (${answer?.status}): ${answer?.error?.message}`;
  if (record === null) return "deleted";
  return `${answer.status === 201 ? "created" : "changed"}, revision ${answer.rev}`;
}

interface Planned extends BatchLine {
  /** What changes, in words. */
  told: readonly string[];
}

/** Tenants that are asked for at a time. */
const LANES = 8;

async function plan(client: AdminClient, paths: readonly string[], alsoDelete: boolean): Promise<Planned[]> {
  // One file would delete all tenants but one.
  if (alsoDelete && !paths.every((path) => statSync(path).isDirectory()))
    throw new Error("--delete takes folders alone: tenants that have no file in them are deleted.");
  const files = readTenantFiles(paths);
  for (const { path, faults } of files) for (const fault of faults) console.error(`${path}: ${fault}`);
  if (files.some(({ faults }) => faults.length > 0))
    throw new Error("Nothing is asked of the gateway before this is mended.");
  await client.check();
  const changes = await inLanes(files, LANES, (file) => planFile(client, file));
  const kept = new Set(files.map(({ id }) => id));
  const gone = alsoDelete ? (await client.list()).filter((id) => !kept.has(id)) : [];
  const deletions = await inLanes(gone, LANES, (id) => planDeletion(client, id));
  return [...changes, ...deletions].filter((planned) => planned !== undefined);
}

async function planFile(client: AdminClient, { id, record }: TenantFile): Promise<Planned | undefined> {
  const there = await client.read(id);
  if (!there) return { id, record, if_match: 0, told: ["is created"] };
  // Keys that a file says nothing of are the gateway's own affair.
  const { keys, ...rest } = there.record;
  const told = differences("keys" in record ? { ...rest, keys } : rest, record);
  return told.length > 0 ? { id, record, if_match: there.rev, told } : undefined;
}

async function planDeletion(client: AdminClient, id: string): Promise<Planned | undefined> {
  const there = await client.read(id);
  return there && { id, record: null, if_match: there.rev, told: ["is deleted"] };
}
