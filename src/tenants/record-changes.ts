import { fail } from "../errors.ts";
import { ADMIN_LIMITS } from "../limits.ts";
import { TENANT_ID, TENANT_NAMES } from "./record.ts";
import type { RecordChange, Revision } from "./record-keeper.ts";
import type { TenantObject } from "./tenant-object.ts";

export interface Changed {
  /** The revision that was changed; 0: there was none. */
  before: number;
  rev: number;
}

/** What becomes of a record; undefined: it is deleted. */
type Change = (current: { text: string | undefined; rev: number }) => Promise<RecordChange["fields"]>;

/** Tenants' records as operators see and change them: the latest revision, whatever the store shows to requests by now. */
export interface RecordChanges {
  /** @throws GatewayFailure `store-failed`, or `unknown-path` where there is none */
  read(id: string): Promise<Revision & { text: string }>;
  /**
   * @param ifMatch 0: there must be none; undefined: the latest one is changed, be it another one by now
   * @throws GatewayFailure `revision-conflict`, `taken`, `too-large`, `store-failed`
   */
  change(id: string, ifMatch: number | undefined, change: Change): Promise<Changed>;
}

export function createRecordChanges(objectOf: (id: string) => TenantObject): RecordChanges {
  async function latest(id: string): Promise<Revision> {
    if (!TENANT_ID.test(id)) unnamed();
    return (await askStore(() => objectOf(id).readRecord(id))) ?? { rev: 0, text: undefined };
  }

  return {
    async read(id) {
      const { rev, text } = await latest(id);
      return text === undefined ? noTenant() : { rev, text };
    },

    async change(id, ifMatch, change) {
      for (let tries = 1; ; tries += 1) {
        const current = await latest(id);
        const before = current.text === undefined ? 0 : current.rev;
        if (ifMatch !== undefined && ifMatch !== before) conflict(before);
        const fields = await change({ ...current, rev: before });
        if (JSON.stringify(fields ?? null).length > ADMIN_LIMITS.record) tooLarge();
        const written = await askStore(() => objectOf(id).writeRecord({ id, fields, ifMatch: before }));
        switch (written.outcome) {
          case "written":
            return { before, rev: written.rev };
          case "taken":
            return fail({ kind: "taken", message: `A ${written.what} of this record belongs to another tenant.` });
          case "conflict":
            if (ifMatch !== undefined || tries >= ADMIN_LIMITS.tries) conflict(written.current);
            break;
          default:
            written satisfies never;
        }
      }
    },
  };
}

/** @throws GatewayFailure `store-failed` for whatever goes wrong at the platform */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    return fail({ kind: "store-failed", detail: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

export function noTenant(): never {
  return fail({ kind: "unknown-path", message: "There is no tenant of this name." });
}

function unnamed(): never {
  return fail({ kind: "invalid-request", message: `${TENANT_NAMES}.`, param: "id" });
}

function conflict(current: number): never {
  const message = current === 0 ? "There is no record of this tenant." : `The record is of revision ${current}.`;
  return fail({ kind: "revision-conflict", message, current });
}

function tooLarge(): never {
  return fail({ kind: "too-large", message: `A record has at most ${ADMIN_LIMITS.record} characters as JSON.` });
}
