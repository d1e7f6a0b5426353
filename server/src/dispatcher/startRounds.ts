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
