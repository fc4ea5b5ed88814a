/** Told of what is tolerated in a request. */
export type Warn = (warning: string) => void;

export interface Warnings {
  warn: Warn;
  warnings(): string[];
}

/** Each warning once, however many messages it is about. */
export function createWarnings(): Warnings {
  const warnings = new Set<string>();
  return { warn: (warning) => void warnings.add(warning), warnings: () => [...warnings] };
}
