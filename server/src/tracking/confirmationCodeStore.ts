import { randomInt } from 'node:crypto';
import type { Tx } from '../postgres/database.ts';

/**
 * Makes a stop's confirmation code, unless it has one: whoever comes second gets what the first one made,
 * also while the first one is still about to commit. Undefined when the stop is gone: its delivery was edited.
 */
export async function giveConfirmationCode(
  tx: Tx,
  centralId: number,
  stopId: number,
): Promise<number | undefined> {
  const [row] = await tx<{ confirmation_code: number }>`
    update stops set confirmation_code = coalesce(confirmation_code, ${randomInt(1_000, 10_000)}::integer)
    where central_id = ${centralId} and id = ${stopId}
    returning confirmation_code`;
  return row?.confirmation_code;
}
