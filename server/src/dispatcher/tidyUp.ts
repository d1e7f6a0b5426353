import { deleteExpiredSessions } from '../centrals/sessionStore.ts';
import { forgetEvents } from '../events/forgetEvents.ts';
import { deleteExpiredClaims } from '../grouping/claimStore.ts';
import { forgetOldKeys } from '../http/idempotency.ts';
import type { Deps } from '../postgres/deps.ts';
import { forgetWebhooks } from '../webhooks/forgetWebhooks.ts';

export interface TidiedUp {
  keys: number;
  claims: number;
  sessions: number;
  events: number;
  positions: number;
  messages: number;
}

/** Removes what has served its time, in small steps that hold nobody up. Repeating it does no harm. */
export async function tidyUp({ db, clock }: Deps): Promise<TidiedUp> {
  const keys = await forgetOldKeys({ db, clock });
  const claims = await deleteExpiredClaims(db, clock.now());
  const sessions = await deleteExpiredSessions(db, clock.now());
  return {
    keys,
    claims,
    sessions,
    ...(await forgetEvents({ db, clock })),
    ...(await forgetWebhooks({ db })),
  };
}
