import { invalid } from '../http/invalidInput.ts';

/** The last row of a page in the order of time, with the id among rows of the same instant. */
export interface TimeCursor {
  at: Temporal.Instant;
  id: number;
}

export const TIME_CURSOR_LENGTH_MAX = 40;

/** In microseconds, the precision of the database. */
export const writeTimeCursor = ({ at, id }: TimeCursor): string => `${at.epochNanoseconds / 1_000n}-${id}`;

export function readTimeCursor(text: string): TimeCursor {
  const [, at, id] = /^(\d{1,17})-(\d{1,15})$/.exec(text) ?? [];
  if (!at || !id)
    throw invalid('cursor', 'deve ser o da página anterior', 'must be that of the previous page');
  return { at: new Temporal.Instant(BigInt(at) * 1_000n), id: Number(id) };
}
