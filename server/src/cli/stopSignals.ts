/** Under npm one Ctrl-C arrives twice: from the terminal and from npm. */
const ECHO_MS = 1_000;
/** How long before the limit the process ends itself, so that it can log the reason before it is killed. */
const BEFORE_LIMIT_MS = 500;

export interface StopSignals {
  /** Resolves on a stop signal; rejects when the process cannot continue. */
  asked: Promise<NodeJS.Signals>;
  /** Checked between the steps of a start. */
  isAsked(): boolean;
  /** A vital part is lost: stops the process in the same order as a signal would. */
  fail(reason: Error): void;
}

/**
 * Called before anything is started, so that a signal during the start is not lost. After `limitSeconds` the process
 * ends in any case; PostgreSQL recovers at the next start.
 */
export function hearStopSignals(limitSeconds: number): StopSignals {
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.Signals>();
  // A failure before anyone waits is reported when someone does.
  promise.catch(() => {});
  let firstAt: number | undefined;
  // The timer also keeps the process alive: with its server closed and its database lost, nothing else may be left that
  // does, and Node ends a process in which nothing is under way, whatever it still waits for (exit code 13).
  const endInTime = () =>
    void setTimeout(forceEnd, limitSeconds * 1000 - BEFORE_LIMIT_MS, 'it took too long');
  const hear = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      endInTime();
      resolve(signal);
    } else if (performance.now() - firstAt > ECHO_MS) forceEnd('asked twice');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
  if (process.env.npm_command === 'exec') watchParent(() => hear('SIGTERM'));
  return {
    asked: promise,
    isAsked: () => firstAt !== undefined,
    fail(reason) {
      endInTime();
      reject(reason);
    },
  };
}

const WATCH_MS = 500;

/**
 * npx runs this process in a shell that does not forward signals: the end of the parent process is the only
 * notice.
 */
function watchParent(onEnd: () => void): void {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    onEnd();
  }, WATCH_MS);
  watching.unref();
}

function forceEnd(reason: string): void {
  console.error(`malote: ending at once (${reason})`);
  process.exit(1);
}
