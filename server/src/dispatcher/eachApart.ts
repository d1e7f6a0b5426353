/**
 * Does the same for each, one after another. What goes wrong with one keeps nobody else waiting: it is thrown when
 * all have had their turn.
 */
export async function eachApart<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`);
  if (errors.length === 1) throw errors[0];
}
