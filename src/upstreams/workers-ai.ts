import { parseJson } from "../json.ts";
import { fields, string } from "./json-fields.ts";
import { workersAiStatus } from "./workers-ai-errors.ts";

/** Stands for the address where a binding is asked, not a server. */
export const AI_BINDING = "binding:AI";

/** As much of Workers AI as is asked for here. */
export interface AiBinding {
  /** The raw response, as `fetch` would give it; older runtimes give the stream or the value in it, and reject a refusal. */
  run(model: string, inputs: object, options: { returnRawResponse: true; signal: AbortSignal }): Promise<unknown>;
}

/**
 * Workers AI as a server that speaks Chat Completions: a `fetch` for the egress, which has then the same time-outs, the
 * same one retry and the same refusals for it.
 */
export function createAiFetch(ai: AiBinding): typeof fetch {
  return async (_url, init) => {
    const { model, ...inputs } = fields(parseJson(String(init?.body)));
    const signal = init?.signal ?? new AbortController().signal;
    return unlessAborted(run(ai, string(model), inputs, signal), signal);
  };
}

async function run(ai: AiBinding, model: string, inputs: object, signal: AbortSignal): Promise<Response> {
  let answer: unknown;
  try {
    answer = await ai.run(model, inputs, { returnRawResponse: true, signal });
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const status = workersAiStatus({}, message);
    // Anything else is a connection that was not made.
    if (status === undefined) throw thrown;
    return Response.json({ message }, { status });
  }
  if (answer instanceof Response) return answer;
  if (answer instanceof ReadableStream) return new Response(answer);
  return Response.json(typeof answer === "string" ? { response: answer } : (answer ?? null));
}

/** Should a binding not heed the signal, nobody waits for it all the same, and what it answers later is let go. */
function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason);
      answer.then(({ body }) => body?.cancel()).catch(() => {});
    };
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave);
  });
}
