/** Something that is done again and again while the service runs. */
export interface Rounds {
  everyMs: number;
  round(): Promise<unknown>;
  onError(error: unknown): void;
}

/** The next round begins that long after the last one ended, so a slow one is never overtaken. */
export function startRounds({ everyMs, round, onError }: Rounds): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const running = (async () => {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (!stopped) await round().catch(onError);
    }
  })();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/**
 * Does the same for each, one after another or several at a time. What goes wrong with one keeps nobody else waiting: it
 * is thrown when all have had their turn.
 */
export async function forEachIsolated<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const errors: unknown[] = [];
  const waiting = items.values();
  // They share one iterator, so each item is taken once.
  const takeTurns = async () => {
    for (const item of waiting) await work(item).catch((error) => errors.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`);
  if (errors.length === 1) throw errors[0];
}
