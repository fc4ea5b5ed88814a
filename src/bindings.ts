/** What the platform gives a Worker besides variables. Each is optional: without it, what needs it is refused or off. */
export interface Bindings {
  readonly ai?: AiBinding;
}

/** As much of Workers AI as is asked for here. */
export interface AiBinding {
  /** The raw response, as `fetch` would give it; older runtimes give the stream or the value in it, and reject a refusal. */
  run(model: string, inputs: object, options: { returnRawResponse: true; signal: AbortSignal }): Promise<unknown>;
}

export function readBindings(env: object): Bindings {
  const ai: unknown = Reflect.get(env, "AI");
  return isAi(ai) ? { ai } : {};
}

function isAi(value: unknown): value is AiBinding {
  return typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";
}
