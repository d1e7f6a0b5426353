import { CLOCK_TOLERANCE } from '../../platform/kernel/clock.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';

/*
 * Corrects times of messages and webhooks that were written while a clock ran ahead. Otherwise these messages, and all
 * later ones of the same subject, would wait until that time has come.
 */
const latestOf = (now: Temporal.Instant): Temporal.Instant => now.add(CLOCK_TOLERANCE);

const isAhead = (now: Temporal.Instant): Sql => sql`
  s.state = 'waiting' and s.next_attempt_at > ${now}
  and greatest(s.occurred_at, s.last_attempt_at, s.replayed_at) > ${latestOf(now)}`;
/** A hold lasts seconds. A hold dated ahead begins again instead of ending, because its sender may be alive. */
const isHeldTooLong = (now: Temporal.Instant, heldUntil: Temporal.Instant): Sql =>
  sql`s.held_until > greatest(${latestOf(now)}::timestamptz, ${heldUntil}::timestamptz)`;

/** Centrals with messages or webhooks that have such times. The statement costs one index look-up for each webhook. */
export async function findCentralsAhead(
  tx: Tx,
  now: Temporal.Instant,
  heldUntil: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct w.central_id from webhooks w
    where w.active and (w.next_attempt_at > ${now} and w.last_failure_at > ${latestOf(now)}
      or exists (select from webhook_messages s
        where s.central_id = w.central_id and s.webhook_id = w.id and ${isAhead(now)})
      or exists (select from webhook_messages s
        where s.central_id = w.central_id and s.webhook_id = w.id and ${isHeldTooLong(now, heldUntil)}))`;
  return rows.map((row) => row.centralId);
}

/** Makes the messages and webhooks of a central that have such times due now. */
export async function makeAheadDue(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  heldUntil: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update webhooks set next_attempt_at = ${now}
    where central_id = ${centralId} and next_attempt_at > ${now} and last_failure_at > ${latestOf(now)}`;
  await tx.rows`
    update webhook_messages s set next_attempt_at = least(s.next_attempt_at, ${now}::timestamptz),
      held_until = case when s.held_until > ${heldUntil} then ${heldUntil}::timestamptz else s.held_until end
    where s.central_id = ${centralId} and s.id in (
      select s.id from webhooks w
      join webhook_messages s on s.central_id = ${centralId} and s.webhook_id = w.id
      where w.central_id = ${centralId} and w.active and (${isAhead(now)} or ${isHeldTooLong(now, heldUntil)})
      for update of s skip locked)`;
}
