/** Writes the events of one stream, numbered from 0 without a gap. */
export interface EventWriter {
  write(type: string, fields: object): string;
  /** For an event that comes often: all but the text and the number is written once. */
  prepareDelta(type: string, fields: object): (delta: string) => string;
}

export function createEventWriter(): EventWriter {
  let next = 0;
  const open = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields }).slice(0, -1)},`;
  const close = () => `"sequence_number":${next++}}\n\n`;
  return {
    write: (type, fields) => open(type, fields) + close(),
    prepareDelta(type, fields) {
      const head = `${open(type, fields)}"delta":`;
      return (delta) => `${head}${JSON.stringify(delta)},${close()}`;
    },
  };
}
