/** Does one thing to every item, so many at a time; the first rejection ends it once those in flight have ended. */
export async function each<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (errors.length > 0) return;
      try {
        await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
}
