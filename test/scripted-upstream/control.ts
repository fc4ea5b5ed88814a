import type { Ending, ReceivedRequest, Script } from "./script.ts";

/** A model that answers as scripted. */
export interface ScriptedModel {
  name: string;
  /** What the gateway has sent so far. */
  requests(): Promise<ReceivedRequest[]>;
  openGate(): Promise<void>;
  /** How an answer came to its end; waits for it. Each is told once, in order. */
  ending(): Promise<Ending>;
}

/**
 * Lets a test tell the scripted upstream what to answer, over HTTP, since the test may run inside workerd.
 *
 * @param baseUrl the one that the gateway is given
 * @returns makes a model; each request gets the next of the scripts, and the last one for ever
 */
export function connectUpstream(baseUrl: string): (...scripts: Script[]) => Promise<ScriptedModel> {
  const root = new URL("/models/", baseUrl);

  return async (...scripts) => {
    // Without digits: by `-003b-` it would be a small model, and be taught another notation than its neighbours.
    const name = `model-${crypto.randomUUID().replace(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)))}`;
    const ask = async (path: string, init: RequestInit = {}) => (await fetch(new URL(path, root), init)).json();
    await ask(name, { method: "PUT", body: JSON.stringify(scripts) });
    return {
      name,
      requests: () => ask(`${name}/requests`) as Promise<ReceivedRequest[]>,
      openGate: () => ask(`${name}/gate`, { method: "POST" }) as Promise<void>,
      ending: () => ask(`${name}/ending`) as Promise<Ending>,
    };
  };
}
