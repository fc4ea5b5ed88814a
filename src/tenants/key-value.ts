/** As much of Workers KV as is asked for here. */
export interface KeyValueBinding {
  /** @returns null for a key that is not there */
  get(key: string): Promise<string | null>;
  /** @param options `expirationTtl` in seconds */
  put(key: string, value: string, options?: { expirationTtl?: number; metadata?: object }): Promise<void>;
  delete(key: string): Promise<void>;
  /** In the order of their bytes; `cursor` of the answer leads on while `list_complete` is false. */
  list(options: { prefix: string; cursor?: string | undefined; limit?: number }): Promise<KeyList>;
}

export type KeyList = { keys: { name: string }[] } & (
  | { list_complete: true; cursor?: undefined }
  | { list_complete: false; cursor: string }
);
