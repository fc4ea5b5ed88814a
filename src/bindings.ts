/** What the platform gives a Worker besides variables. Each is optional: without it, what needs it is refused or off. */
export interface Bindings {
  readonly ai?: AiBinding;
  /** Where tenants are kept; without it there is the one that variables make. */
  readonly tenants?: KeyValueBinding;
  readonly rates?: RateBindings;
}

/** Limits of rates, by what stands behind `RATE_` in their names: how many requests a minute, or what else is counted. */
export type RateBindings = Readonly<Record<string, RateBinding>>;

/** Counts by a limit that stands in the Worker's configuration. */
export interface RateBinding {
  /** @returns whether this one is within the limit */
  limit(asked: { key: string }): Promise<{ success: boolean }>;
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

const RATE = /^RATE_(?=[1-9]\d*$|FAILURES$)/;

export function readBindings(env: object): Bindings {
  const ai: unknown = Reflect.get(env, "AI");
  const tenants: unknown = Reflect.get(env, "TENANTS");
  const rates = Object.entries(env).filter(([name, value]) => RATE.test(name) && can<RateBinding>(value, "limit"));
  return {
    ...(can<AiBinding>(ai, "run") && { ai }),
    ...(can<KeyValueBinding>(tenants, "get") && { tenants }),
    ...(rates.length > 0 && {
      rates: Object.fromEntries(rates.map(([name, value]) => [name.replace(RATE, ""), value])),
    }),
  };
}

function can<Binding extends object>(value: unknown, method: keyof Binding & string): value is Binding {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, method) === "function";
}
