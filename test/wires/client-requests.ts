import { expect } from "vitest";
import type { Turn } from "../../src/conversation.ts";

/** What a client sent; prompt text is replaced by its length. */
interface Sent<Body> {
  method: string;
  path: string;
  body: Body;
}

const files = import.meta.glob<Sent<unknown>[]>("../cases/client-requests/*.json", {
  import: "default",
  eager: true,
});

/** What real clients send for a task of three turns, as far as it goes to these paths. */
export function clientRequests<Body>(isWanted: (path: string) => boolean = () => true) {
  const sessions = Object.entries(files)
    .map(([file, sent]) => ({
      name: file.split("/").at(-1) ?? "",
      sent: (sent as Sent<Body>[]).filter(({ path }) => isWanted(path)),
    }))
    .filter(({ sent }) => sent.length > 0);
  const requests = sessions.flatMap(({ name, sent }) =>
    sent.map((request, index) => ({ ...request, name: `${name} request ${index + 1}` })),
  );
  return { sessions, requests };
}

/** Prompts are cached by their beginning: what was read once may not be read differently a turn later. */
export function expectEachToBeginTheNext(histories: readonly Turn[][]) {
  for (const [index, turns] of histories.entries()) {
    expect(turns).toEqual(histories.at(-1)?.slice(0, turns.length));
    expect(turns.length).toBeGreaterThanOrEqual(histories[index - 1]?.length ?? 0);
  }
}
