/** Under which keys things stand in the key-value store (docs/storage-schema.md). */

export const tenantKey = (id: string) => `v1:tenant:${id}`;
/** @param hash SHA-256 of a client's key, in hex */
export const keyKey = (hash: string) => `v1:key:${hash}`;
export const hostKey = (hostname: string) => `v1:host:${hostname}`;
