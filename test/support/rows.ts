import assert from 'node:assert/strict';
import type { ClaimTarget } from '../../server/src/dispatch/grouping/claimStore.ts';
import type { Database } from '../../server/src/platform/postgres/database.ts';
import { raw } from '../../server/src/platform/postgres/sql.ts';
import type { Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { assertOk } from './steps.ts';
import { waitUntil } from './waitUntil.ts';
import { marksOf } from './written.ts';

// Stored values that no interface shows, or only rounded. Contract tests read them here and contain no SQL.

/** A delivery of central 1, with all its columns. */
export async function deliveryRow({ db }: TestMalote, id: number): Promise<Json> {
  const [row] = await db<Json>`select * from deliveries where central_id = 1 and id = ${id}`;
  return row;
}

/** A scheduled delivery, with all its columns. */
export async function scheduledRow({ db }: TestMalote, id: number, centralId = 1): Promise<Json> {
  const [row] = await db<Json>`select * from scheduled where central_id = ${centralId} and id = ${id}`;
  return row;
}

/** The stops of a request of central 1, in order, with the columns that people read or count. */
export const stopRows = ({ db }: TestMalote, { noun, id }: ClaimTarget): Promise<Json[]> =>
  db<Json>`
    select id, address, complement, reference, district, city, state, lat, lng, order_number, external_id,
      recipient_name, recipient_phone, note, collect_cents
    from ${raw(noun === 'delivery' ? 'stops' : 'scheduled_stops')}
    where central_id = 1 and ${raw(noun === 'delivery' ? 'delivery_id' : 'scheduled_id')} = ${id} order by position`;

/** The states of all offers of a delivery, or only of the given driver's. */
export async function offerStates(
  { db }: TestMalote,
  deliveryId: number,
  driverId: number | null = null,
): Promise<string[]> {
  const rows = await db<{ state: string }>`
    select state from offers where central_id = 1 and delivery_id = ${deliveryId}
      and (${driverId}::bigint is null or driver_id = ${driverId})`;
  return rows.map(({ state }) => state);
}

/** The deliveries that the dispatch of a scheduled delivery created. */
export async function madeBy({ db }: TestMalote, scheduledId: number): Promise<number[]> {
  const rows = await db<{ id: number }>`
    select id from deliveries where central_id = 1 and scheduled_id = ${scheduledId} order by id`;
  return rows.map(({ id }) => id);
}

/** The newest event of central 1. */
export async function newestEvent({ db }: TestMalote): Promise<Json> {
  const [row] = await db<Json>`
    select type, company_id, sequence, payload from events where central_id = 1 order by id desc limit 1`;
  return row;
}

/** The number of answers stored under an Idempotency-Key. */
export async function countKeys({ db }: TestMalote, key: string): Promise<number> {
  const rows = await db`select key from idempotency_keys where key = ${key}`;
  return rows.length;
}

/**
 * The marks of all tables but four. Id counters are advanced in blocks outside the transaction, also for a request that
 * is then refused. A central's key of links to proofs is created at its first use. Refused requests are recorded some
 * seconds later.
 */
async function marksOfAll(db: Database): Promise<Record<string, string>> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('id_counters', 'proof_link_keys', 'api_requests', 'api_request_days')
    order by table_name`;
  return marksOf(
    db,
    tables.map(({ name }) => name),
  );
}

export async function assertNothingWritten(db: Database, work: () => Promise<unknown>): Promise<void> {
  // A plan that an earlier request began writes its progress.
  await waitUntil('no plan is computed', async () => {
    const rows = await db`select id from plans where state = 'running' limit 1`;
    return rows.length === 0;
  });
  const before = await marksOfAll(db);
  await work();
  assert.deepEqual(await marksOfAll(db), before);
}

const cents = (amount: string | number): number => Math.round(Number(amount) * 100);

const statement = async ({ operator }: TestMalote, companyId: number): Promise<Json> =>
  assertOk(await operator.get(`/empresas/${companyId}/extrato?limite=100`)).body.data;

/** The balance of the wallet of a company of central 1, in cents. */
export const balanceCents = async (malote: TestMalote, companyId = 1): Promise<number> =>
  cents((await statement(malote, companyId)).saldo);

const identifiers: Record<number, string> = { 1: 'padaria-moinhos', 2: 'farmacia-guaiba' };

/** Sets the balance of a company of the demonstration by a top-up or a withdrawal. */
export async function setBalance(malote: TestMalote, balance: number, companyId = 1): Promise<void> {
  const difference = balance - (await balanceCents(malote, companyId));
  if (difference === 0) return;
  const way = difference > 0 ? 'recargas' : 'saques';
  assertOk(
    await malote.central.post(`/entregas/empresas/creditos/${way}`, {
      valor: Math.abs(difference) / 100,
      empresa: { tipo_identificacao: 'I', identificacao: identifiers[companyId] },
    }),
  );
}

/** The kind and the amount in cents of each ledger entry of a delivery, oldest first. */
export async function entriesOf(
  { db }: TestMalote,
  deliveryId: number,
): Promise<[kind: string, cents: number][]> {
  // The statement endpoint does not distinguish reserves from settlements as the ledger does.
  const rows = await db<{ kind: string; amount_cents: number }>`
    select kind, amount_cents from wallet_entries where central_id = 1 and delivery_id = ${deliveryId} order by id`;
  return rows.map(({ kind, amount_cents }) => [kind, amount_cents]);
}
