import type { Scope } from '../../server/src/centrals/caller.ts';
import type { WantedType } from '../../server/src/events/event.ts';
import { secretBox } from '../../server/src/kernel/secretBox.ts';
import type { Tx } from '../../server/src/postgres/database.ts';
import { newWebhookSecret } from '../../server/src/webhooks/webhookSecrets.ts';
import { insertWebhook } from '../../server/src/webhooks/webhookStore.ts';
import { eventTypeByName } from '../../server/src/wire/eventTypes.ts';

/** Registers an endpoint as registerWebhook does, without anybody having to ask. */
export const addWebhook = (
  tx: Tx,
  scope: Scope,
  url: string,
  now: Temporal.Instant,
  types: readonly WantedType[] = Object.values(eventTypeByName),
): Promise<number> =>
  insertWebhook(tx, secretBox([]), scope, { url, types, secret: newWebhookSecret() }, now);

/** Records events of some deliveries, the next ones of each, in one statement and so in one transaction. */
export async function addEvents(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  now: Temporal.Instant,
  type: WantedType = 'delivery.status',
): Promise<void> {
  await tx`
    insert into events (central_id, id, type, delivery_id, sequence, payload, occurred_at)
    select ${centralId}, next_id(${centralId}, 'event'), ${type}, given.id,
      case when ${type} <> 'delivery.position' then given.nth + (
        select count(*) from events e where e.central_id = ${centralId} and e.delivery_id = given.id) end,
      '{}', ${now}
    from (
      select id, row_number() over (partition by id order by ordinality) as nth
      from unnest(${deliveryIds}::bigint[]) with ordinality as t (id, ordinality)
      order by ordinality) given`;
}
