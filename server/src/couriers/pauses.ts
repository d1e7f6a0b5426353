import { randomFrom } from '../kernel/random.ts';

/** Seconds that people take, at least and at most. */
const PAUSES = {
  answering: [3, 12],
  givingUp: [40, 90],
  loading: [60, 150],
  handingOver: [40, 110],
  closing: [10, 25],
} as const;

/** A recipient who is absent is waited for so long. */
export const ABSENCE_SECONDS = 300;

/** A pause of its own for each occasion, the same whenever and by whomever it is asked for. */
export function pauseSeconds(kind: keyof typeof PAUSES, occasion: number): number {
  const [least, most] = PAUSES[kind];
  return least + (most - least) * shareOf(occasion);
}

/** A number in [0, 1) that an id always has. */
export const shareOf = (id: number): number => randomFrom(Math.imul(id, 0x9e3779b1))();
