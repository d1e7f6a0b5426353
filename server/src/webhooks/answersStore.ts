import type { Tx } from '../postgres/database.ts';

/**
 * What receivers answered about some deliveries or scheduled ones: their words, in which they may repeat anything.
 * The messages themselves name no recipient (event.ts), and are dropped with their events.
 */
export async function forgetReceiversAnswers(
  tx: Tx,
  centralId: number,
  { deliveries, scheduled }: { deliveries: readonly number[]; scheduled: readonly number[] },
): Promise<void> {
  await tx`
    update webhook_sendings set last_answer = null
    where central_id = ${centralId} and last_answer is not null and event_id in (
      select id from events where central_id = ${centralId} and delivery_id = any(${deliveries}::bigint[])
      union all
      select id from events where central_id = ${centralId} and scheduled_id = any(${scheduled}::bigint[]))`;
}
