/**
 * V8 13.6, which Node 24 has, reads `{"a":1,"\"":0}` as `{"a":1,"\\":0}` once it has read an object of the latter kind: it
 * takes the key that it expects for the one that stands there. Laws that read with `JSON.parse` do without such keys.
 */
export const isReadRight = (key: string) => !key.includes("\\");
