import { afterEach, expect, test } from "vitest";
import { createTenantObject } from "../../../src/tenants/tenant-object.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { WIRES } from "../../wires/wires.ts";
import { memorySql } from "../tenants/memory-objects.ts";
import { platform, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(unstubUpstreams);

/** An object that notes what it is asked for, and what it asks of its storage. */
function notingObject() {
  const asked: string[] = [];
  const queries: string[] = [];
  const sql = memorySql();
  const object = createTenantObject(
    {
      exec(query, ...bindings) {
        queries.push(query.split(" ")[0] ?? "");
        return sql.exec(query, ...bindings);
      },
    },
    undefined,
  );
  const noting = new Proxy(object, {
    get(target, method: keyof typeof object & string) {
      asked.push(method);
      return target[method];
    },
  });
  return { asked, queries, binding: { getByName: () => noting } };
}

const shapes = WIRES.flatMap((wire) => [false, true].map((stream) => [wire.name, stream, wire] as const));

test.each(shapes)(
  "a reply of 2,000 deltas, shadow and all, writes one row; %s, stream: %s",
  async (_name, stream, wire) => {
    const { asked, queries, binding } = notingObject();
    const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo",}}</tool_call>';
    const deltas = Array.from({ length: 2_000 }, (_, count) =>
      chunk({ content: count % 100 === 0 ? call : `word ${count} ` }),
    );
    // Each in a read of its own.
    const events = [...deltas, chunk({}, "stop"), DONE].map((event) => new TextEncoder().encode(event));
    stubUpstreams(() => {
      const left = events.values();
      const pull = (controller: ReadableStreamDefaultController) => {
        const { done, value } = left.next();
        if (done) controller.close();
        else controller.enqueue(value);
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    });
    const variables = { UPSTREAM_BASE_URL: "https://llm.example/v1", TOOLCALL_SHADOW_MODE: "canonical" };
    const { ask } = platform({ ...variables, TENANT_OBJECTS: binding }, { bound: false });
    // The first one reads what there was.
    for (const rows of [["SELECT", "INSERT"], ["INSERT"]]) {
      asked.length = queries.length = 0;
      expect((await ask("own", { wire, stream })).calls).toBe(20);
      expect(asked).toEqual(["count"]);
      expect(queries).toEqual(rows);
    }
  },
);
