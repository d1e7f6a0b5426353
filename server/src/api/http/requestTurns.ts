const TURN_MS = 10;
/** Work of a request that has begun may run later in the same turn, so the time limit alone does not bound a batch. */
const BATCH_MAX = 12;

/**
 * Begins requests. Hundreds that arrive in one turn of the event loop would add up to one long pause, so those
 * beyond the first ten milliseconds begin in the following turns, in their order.
 */
export function requestTurns(now: () => number = () => performance.now()): (begin: () => void) => void {
  let waiting: (() => void)[] = [];
  let turnEndsAt: number | undefined;

  const nextTurn = (): void => {
    const batch = waiting.slice(0, BATCH_MAX);
    turnEndsAt = undefined;
    if (batch.length === 0) return;
    waiting = waiting.slice(BATCH_MAX);
    startTurn();
    for (const begin of batch) begin();
  };
  const startTurn = (): void => {
    turnEndsAt = now() + TURN_MS;
    setImmediate(nextTurn);
  };

  return (begin) => {
    if (turnEndsAt === undefined) {
      startTurn();
      begin();
    } else if (waiting.length > 0 || now() >= turnEndsAt) waiting.push(begin);
    else begin();
  };
}
