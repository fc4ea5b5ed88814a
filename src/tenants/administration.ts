import type { Json, JsonObject } from "../conversation.ts";
import { fail, type GatewayError, toGatewayError } from "../errors.ts";
import { isObject, parseJson } from "../json.ts";
import { inLanes } from "../lanes.ts";
import { ADMIN_LIMITS } from "../limits.ts";
import { type Deed, writeAudit } from "./audit.ts";
import type { Access } from "./config.ts";
import { describeFaults, type SettingsFault } from "./faults.ts";
import { createKey } from "./gateway-key.ts";
import { addKey, disableKey, type KeyTerms, keyOf, readKeys, rotateKey, type WithKeys } from "./key-changes.ts";
import type { KeyValueBinding } from "./key-value.ts";
import type { StoredKey } from "./record.ts";
import { askStore, type Changed, createRecordChanges, noTenant } from "./record-changes.ts";
import { recordFaults } from "./record-check.ts";
import { isSealed, type MasterKeys } from "./sealed.ts";
import { TENANT_PREFIX } from "./stored-keys.ts";
import type { TenantObject } from "./tenant-object.ts";
import { sealUpstreamKeys } from "./upstream-key.ts";

export interface AdministrationParts {
  kv: KeyValueBinding;
  objectOf(id: string): TenantObject;
  gateway: { readonly masters: MasterKeys; readonly config: Pick<Access, "upstreamHosts" | "gatewayHosts"> };
  /** Told of what could not be written down. */
  onUnaudited(deed: Deed): void;
  /** Milliseconds. */
  now?: () => number;
}

export interface BatchChange {
  /** The tenant. */
  id: string;
  /** `null` deletes it. */
  record: unknown;
  /** 0: there must be none; absent: whatever is there is replaced. */
  ifMatch: number | undefined;
}

/** One line of a batch, or what is wrong with it; without an id where none can be read. */
export interface BatchEntry {
  id: string | undefined;
  change: BatchChange | GatewayError;
}

export interface BatchOutcome {
  id: string | undefined;
  outcome: Changed | GatewayError;
}

export type Administration = ReturnType<typeof createAdministration>;

/**
 * What operators do with tenants. Every change compares revisions, is checked as requests would check it, and is written
 * down; nothing that is answered holds a secret in clear, but for a key that is made: once.
 */
export function createAdministration({ kv, objectOf, gateway, onUnaudited, now = Date.now }: AdministrationParts) {
  const records = createRecordChanges(objectOf);

  /** A change stands whether it can be written down or not: then the log has it. */
  async function audit(deed: Deed): Promise<void> {
    await writeAudit(kv, deed, now()).catch(() => onUnaudited(deed));
  }

  function write({ id, record, ifMatch }: BatchChange): Promise<Changed> {
    return records.change(id, ifMatch, async ({ text, rev }) => {
      if (record !== null) return toFields(id, record, { text, rev }, gateway);
      return text === undefined ? noTenant() : undefined;
    });
  }

  async function changeKeys(
    id: string,
    deed: Pick<Deed, "by" | "what" | "keys">,
    change: (record: WithKeys) => WithKeys,
  ): Promise<{ rev: number; record: WithKeys }> {
    let record: WithKeys | undefined;
    const { before, rev } = await records.change(id, undefined, async ({ text }) => {
      record = change(readKeys(text));
      return record;
    });
    await audit({ ...deed, changes: [{ tenant: id, before, after: rev }] });
    return { rev, record: record ?? noTenant() };
  }

  return {
    async list(cursor: string | undefined, limit: number) {
      const page = await askStore(() => kv.list({ prefix: TENANT_PREFIX, cursor, limit }));
      const tenants = page.keys.map(({ name }) => ({ id: name.slice(TENANT_PREFIX.length) }));
      return { tenants, ...(!page.list_complete && { cursor: page.cursor }) };
    },

    async read(id: string): Promise<{ rev: number; record: Json }> {
      const { rev, text } = await records.read(id);
      const message = `The record is no JSON. It is of revision ${rev}, and can be replaced.`;
      return { rev, record: withoutSecrets(text) ?? fail({ kind: "config-invalid", message }) };
    },

    async write(change: BatchChange, by: string): Promise<Changed> {
      const changed = await write(change);
      const changes = [{ tenant: change.id, before: changed.before, after: changed.rev }];
      await audit({ by, what: change.record === null ? "delete" : "put", changes });
      return changed;
    },

    /** Several at a time, each for itself; what became of each, in order. */
    async batch(entries: Iterable<BatchEntry>, by: string): Promise<BatchOutcome[]> {
      const outcomes = await inLanes(entries, ADMIN_LIMITS.batchLanes, async ({ id, change }) => ({
        id,
        outcome: "kind" in change ? change : await write(change).catch(toGatewayError),
      }));
      const changes = outcomes.flatMap(({ id, outcome }) =>
        id === undefined || "kind" in outcome ? [] : { tenant: id, before: outcome.before, after: outcome.rev },
      );
      if (changes.length > 0) await audit({ by, what: "batch", changes });
      return outcomes;
    },

    async createKey(id: string, terms: KeyTerms, by: string) {
      const made = await createKey();
      const deed = { by, what: "key-create", keys: [made.id] } as const;
      const { rev, record } = await changeKeys(id, deed, (current) => addKey(current, made, terms));
      return { key: made.key, ...shown(keyOf(record, made.id)), rev };
    },

    /** @param grace seconds that the old key goes on to be good */
    async rotateKey(id: string, old: string, grace: number, by: string) {
      const made = await createKey();
      const seconds = Math.floor(now() / 1_000);
      const deed = { by, what: "key-rotate", keys: [old, made.id] } as const;
      const { rev, record } = await changeKeys(id, deed, (current) =>
        rotateKey(current, old, made, seconds + grace, seconds),
      );
      return { key: made.key, ...shown(keyOf(record, made.id)), rev, old: shown(keyOf(record, old)) };
    },

    async disableKey(id: string, key: string, by: string) {
      const deed = { by, what: "key-disable", keys: [key] } as const;
      const { rev, record } = await changeKeys(id, deed, (current) => disableKey(current, key));
      return { ...shown(keyOf(record, key)), rev };
    },
  };
}

/** What is to be stored of a record as it was given: keys that it says nothing of stay, secrets are sealed. */
async function toFields(
  id: string,
  given: unknown,
  current: { text: string | undefined; rev: number },
  { masters, config }: AdministrationParts["gateway"],
): Promise<JsonObject> {
  if (!isObject(given)) return invalid([{ path: [], message: "is no object" }]);
  const before = parseJson(current.text ?? "");
  const keys = isObject(before) && before.keys !== undefined ? before.keys : [];
  const sealed = await sealUpstreamKeys(id, given.settings, masters);
  const fields = { v: 1, keys, ...given, settings: sealed.settings as Json };
  const faults = [...recordFaults(id, { ...fields, rev: 1 }, config), ...sealed.faults];
  if (given.rev !== undefined && given.rev !== current.rev) {
    faults.push({ path: ["rev"], message: "takes the revision that is changed, or is left out" });
  }
  return faults.length > 0 ? invalid(faults) : fields;
}

function invalid(faults: readonly SettingsFault[]): never {
  const message = `The record is invalid. ${describeFaults(faults)}`;
  const param = faults[0]?.path.join(".");
  return fail({ kind: "invalid-request", message, ...(param && { param }) });
}

/** Who writes by hand may have written a secret in clear; the words in its place are none that could be put back. */
const HIDDEN = "not shown: not sealed";

function withoutSecrets(text: string): Json | undefined {
  const record = parseJson(text);
  if (!isObject(record)) return undefined;
  const hide = (name: string, value: unknown) => (name === "api_key" && !isShown(value) ? HIDDEN : value);
  return parseJson(JSON.stringify(record, hide));
}

/** What is sealed, and what is as if it were not there: that can be put back. */
function isShown(key: unknown): boolean {
  const unset = key === null || (typeof key === "string" && key.trim() === "");
  return unset || isSealed(key);
}

/** Of a key, once it is stored: its hash is nothing to be read. */
function shown({ hash: _hash, ...key }: StoredKey): Omit<StoredKey, "hash"> {
  return key;
}
