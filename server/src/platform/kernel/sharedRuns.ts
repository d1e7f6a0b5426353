interface Lane<Result> {
  run: Promise<Result>;
  newestWork: () => Promise<Result>;
  /** Begins after the run; present when somebody waits for it. */
  next: Promise<Result> | undefined;
}

/**
 * Concurrent calls with the same key share a run of their work. A call never joins a run that has already begun: it
 * shares the next one with all calls that come meanwhile. So a result is never older than its call, and a key has one
 * run at a time. The next run does the work of the newest call, which knows the newest settings.
 */
export function sharedRuns<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const lanes = new Map<string, Lane<Result>>();

  const begin = (key: string, work: () => Promise<Result>): Promise<Result> => {
    const lane: Lane<Result> = { run: work(), newestWork: work, next: undefined };
    lanes.set(key, lane);
    return lane.run.finally(() => {
      if (!lane.next) lanes.delete(key);
    });
  };

  return (key, work) => {
    const lane = lanes.get(key);
    if (!lane) return begin(key, work);
    lane.newestWork = work;
    lane.next ??= lane.run.then(ignore, ignore).then(() => begin(key, lane.newestWork));
    return lane.next;
  };
}

const ignore = (): void => undefined;
