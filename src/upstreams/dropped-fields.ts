import { UPSTREAM_LIMITS } from "../limits.ts";
import { Recent } from "../recent.ts";

/**
 * Which fields an upstream has refused of late, and what else it has taught (`lessons.ts`), model by model: the servers
 * behind one address may differ.
 */
export interface DroppedFields {
  /** @param server its address, and whose requests it is about */
  at(server: string): ServerFields;
}

/** Of one server. */
export interface ServerFields {
  add(model: string, fields: readonly string[]): void;
  of(model: string): ReadonlySet<string>;
}

/**
 * Kept in the isolate alone: another one learns the same from one refusal of its own. After an hour the server is asked
 * again, since it may have become a newer one.
 *
 * @param now milliseconds
 */
export function createDroppedFields(now: () => number = Date.now): DroppedFields {
  /** By the field, until when; of as many models as had one refused last, since a client may name as many as it likes. */
  const known = new Recent<Map<string, number>>(UPSTREAM_LIMITS.droppedModels);

  return {
    at: (server) => ({
      add(model, fields) {
        if (fields.length === 0) return;
        const until = known.get(`${server} ${model}`, () => new Map());
        for (const field of fields) until.set(field, now() + UPSTREAM_LIMITS.dropped);
      },
      of(model) {
        const fields = [...(known.peek(`${server} ${model}`) ?? [])];
        return new Set(fields.flatMap(([field, until]) => (now() < until ? field : [])));
      },
    }),
  };
}
