import { latestDate } from '../kernel/clock.ts';
import type { Tx } from '../postgres/database.ts';

/*
 * Corrects times that were written while a clock ran ahead. Otherwise these messages, and all later ones of the same
 * subject, would wait until that time has come.
 */
const AHEAD = latestDate('$1');

const IS_MISDATED = `s.state = 'waiting' and s.next_attempt_at > $1
  and greatest(s.occurred_at, s.last_attempt_at, s.replayed_at) > ${AHEAD}`;
/** A hold lasts seconds. A misdated hold begins again instead of ending, because its sender may be alive. */
const IS_HELD_TOO_LONG = `s.held_until > greatest(${AHEAD}, $2::timestamptz)`;

/** Centrals with such messages or endpoints: one index look-up for each endpoint. */
export async function findMisdatedCentrals(
  tx: Tx,
  now: Temporal.Instant,
  heldUntil: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct w.central_id from webhooks w
     where w.active and (w.next_attempt_at > $1 and w.last_failure_at > ${AHEAD}
       or exists (select from webhook_messages s
         where s.central_id = w.central_id and s.webhook_id = w.id and ${IS_MISDATED})
       or exists (select from webhook_messages s
         where s.central_id = w.central_id and s.webhook_id = w.id and ${IS_HELD_TOO_LONG}))`,
    [now, heldUntil],
  );
  return rows.map((row) => row.central_id);
}

/** Makes them due in a central. */
export async function makeMisdatedDue(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  heldUntil: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `update webhooks set next_attempt_at = $1
     where central_id = $2 and next_attempt_at > $1 and last_failure_at > ${AHEAD}`,
    [now, centralId],
  );
  await tx.run(
    `update webhook_messages s set next_attempt_at = least(s.next_attempt_at, $1::timestamptz),
       held_until = case when s.held_until > $2::timestamptz then $2 else s.held_until end
     where s.central_id = $3 and s.id in (
       select s.id from webhooks w
       join webhook_messages s on s.central_id = $3 and s.webhook_id = w.id
       where w.central_id = $3 and w.active and (${IS_MISDATED} or ${IS_HELD_TOO_LONG})
       for update of s skip locked)`,
    [now, heldUntil, centralId],
  );
}
