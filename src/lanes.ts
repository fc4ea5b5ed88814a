/**
 * Works on several at a time; what became of each, in order. The first that fails is thrown.
 * @param items is gone through once, and no more of it held than what is being worked on
 */
export async function inLanes<T, R>(items: Iterable<T>, lanes: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = numbered(items);
  async function lane() {
    for (const [index, item] of waiting) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

function* numbered<T>(items: Iterable<T>): Generator<[number, T]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}
