/** Within npm one Ctrl-C arrives twice: from the terminal, and handed on by npm. */
const ECHO_MS = 1_000;
/** After this long the process ends come what may; PostgreSQL recovers by itself at the next start. */
const PATIENCE_MS = 9_500;

export interface StopSignals {
  /** Resolves when somebody asks the process to end; rejects when it cannot go on by itself. */
  asked: Promise<NodeJS.Signals>;
  /** Between the steps of a start: there is no point in going on. */
  isAsked(): boolean;
  /** Something that everything stands on is lost: ends the process in order and as soon as a signal would. */
  fail(reason: Error): void;
}

/** To be called before anything is started, so that a signal during the start is not lost. */
export function hearStopSignals(): StopSignals {
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.Signals>();
  // A failure before anybody waits is told when somebody does.
  promise.catch(() => {});
  let firstAt: number | undefined;
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

const endInTime = () => void setTimeout(forceEnd, PATIENCE_MS, 'it took too long').unref();

const WATCH_MS = 500;

/** npx runs us in a shell that keeps signals to itself: when npx is ended, only our parent's end tells us. */
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
