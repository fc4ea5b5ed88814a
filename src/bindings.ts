/** What the platform gives a Worker besides variables. Each is optional: without it, what needs it is refused or off. */
export interface Bindings {
  readonly ai?: AiBinding;
  /** Where tenants are kept; without it there is the one that variables make. */
  readonly tenants?: KeyValueBinding;
}

/** As much of Workers KV as is asked for here. */
export interface KeyValueBinding {
  /** @returns null for a key that is not there */
  get(key: string): Promise<string | null>;
}

/** As much of Workers AI as is asked for here. */
export interface AiBinding {
  /** The raw response, as `fetch` would give it; older runtimes give the stream or the value in it, and reject a refusal. */
  run(model: string, inputs: object, options: { returnRawResponse: true; signal: AbortSignal }): Promise<unknown>;
}

export function readBindings(env: object): Bindings {
  const ai: unknown = Reflect.get(env, "AI");
  const tenants: unknown = Reflect.get(env, "TENANTS");
  return {
    ...(can<AiBinding>(ai, "run") && { ai }),
    ...(can<KeyValueBinding>(tenants, "get") && { tenants }),
  };
}

function can<Binding extends object>(value: unknown, method: keyof Binding & string): value is Binding {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, method) === "function";
}
