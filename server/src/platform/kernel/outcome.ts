import { betweenPieces } from './inSlices.ts';
import { Refusal } from './refusal.ts';

/** What became of one of several things that were asked for together: a result, or why there is none. */
export type Outcome<Value> = { value: Value } | { error: Error };

export const isDone = <Value>(outcome: Outcome<Value>): outcome is { value: Value } => 'value' in outcome;

/** A refusal is an outcome; any other error is thrown. */
export async function outcomeOf<Value>(work: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { error };
  }
}

const AT_ONCE = 4;

/** Runs the next step for each that came so far, some at the same time, and yields to other requests in between. */
export async function continueEach<From, To>(
  outcomes: readonly Outcome<From>[],
  step: (value: From) => Promise<To>,
): Promise<Outcome<To>[]> {
  const results: Outcome<To>[] = [];
  const waiting = outcomes.entries();
  // The workers share one iterator, so each is taken once.
  const takeTurns = async (): Promise<void> => {
    for (const [index, outcome] of waiting) {
      await betweenPieces();
      results[index] = isDone(outcome) ? await outcomeOf(step(outcome.value)) : outcome;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return results;
}

/** Where all or none was asked for, and some are refused: nothing takes effect. */
export class ItemsRefused extends Refusal {
  override name = 'ItemsRefused';
  readonly outcomes: readonly Outcome<unknown>[];
  constructor(outcomes: readonly Outcome<unknown>[]) {
    super('items-refused', { count: outcomes.filter((outcome) => !isDone(outcome)).length });
    this.outcomes = outcomes;
  }
}

/** Refuses all where one is refused. */
export function assertAllDone(outcomes: readonly Outcome<unknown>[]): void {
  if (!outcomes.every(isDone)) throw new ItemsRefused(outcomes);
}

/** The values that came so far. */
export const valuesOf = <Value>(outcomes: readonly Outcome<Value>[]): Value[] =>
  outcomes.filter(isDone).map(({ value }) => value);

/** Gives each value that came so far its result, in the order of `valuesOf`. */
export function withResults<To>(
  outcomes: readonly Outcome<unknown>[],
  results: readonly To[],
): Outcome<To>[] {
  const rest = results.values();
  return outcomes.map((outcome) => (isDone(outcome) ? { value: rest.next().value! } : outcome));
}
