import { eventTypeSql, insertEventsSql } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';

export interface Balance {
  centralId: number;
  companyId: number;
  balanceCents: number;
}

/**
 * The balances of companies of any central, locked until the end of the transaction: what is reserved of them
 * within it cannot be spent by anybody else. In the order of their keys, so that two of these never wait for
 * each other in a circle.
 */
export async function lockBalances(
  tx: Tx,
  companies: readonly { centralId: number; companyId: number }[],
): Promise<Balance[]> {
  return tx<Balance>`
    select central_id as "centralId", company_id as "companyId", balance_cents as "balanceCents" from wallets
    where (central_id, company_id) in (
      select * from unnest(${companies.map((one) => one.centralId)}::bigint[],
        ${companies.map((one) => one.companyId)}::bigint[]))
    order by central_id, company_id for update`;
}

export interface Reservation {
  centralId: number;
  companyId: number;
  deliveryId: number;
  cents: number;
}

/** Enters what is held for new deliveries, and tells the companies, in one statement. */
export async function insertReserves(
  tx: Tx,
  reservations: readonly Reservation[],
  now: Temporal.Instant,
): Promise<void> {
  if (reservations.length === 0) return;
  await tx.run(INSERT_RESERVES, [JSON.stringify(reservations), now]);
}

const INSERT_RESERVES = `
  with given as (
    select (r ->> 'centralId')::bigint as central_id, (r ->> 'companyId')::bigint as company_id,
      (r ->> 'deliveryId')::bigint as delivery_id, (r ->> 'cents')::bigint as cents
    from jsonb_array_elements($1::jsonb) with ordinality as t (r, ordinality)
    order by ordinality),
  entries as (
    insert into wallet_entries (central_id, id, company_id, kind, amount_cents, delivery_id, created_at)
    select central_id, next_id(central_id, 'entry'), company_id, 'reserve', -cents, delivery_id, $2::timestamptz
    from given
    returning *)
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'payload', 'occurred_at'],
    `select central_id, ${eventTypeSql('wallet.entry')}, company_id,
      jsonb_build_object('entryId', id, 'kind', kind, 'amountCents', amount_cents, 'deliveryId', delivery_id,
        'balanceCents', balance_after_cents), $2::timestamptz
    from entries`,
  )}`;
