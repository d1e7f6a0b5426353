import assert from 'node:assert/strict';
import type { ClaimTarget } from '../../server/src/grouping/claim.ts';
import type { Answer, Client } from './client.ts';
import type { TestMalote } from './malote.ts';
import { order, scheduledOrder, stop } from './orders.ts';
import { assertOk, newDriver } from './steps.ts';

/** Stops at the given places of orders.ts, in this order. */
export const at = (...places: number[]) => ({ paradas: places.map(stop) });

export async function schedule(
  malote: TestMalote,
  changes: Record<string, unknown> = {},
  by: Client = malote.manager,
): Promise<number> {
  const answer = assertOk(await by.post('/entregas/programadas', scheduledOrder(changes)));
  return Number(answer.body.data.id_mch);
}

/** A delivery of company 1 on its way, with a driver of its own. */
export async function start(
  malote: TestMalote,
  changes: Record<string, unknown> = {},
  { driverAt, by = malote.manager }: { driverAt?: { lat: number; lng: number }; by?: Client } = {},
): Promise<number> {
  const answer = assertOk(await by.post('/entregas', order(changes)));
  const id = Number(answer.body.data.id_mch);
  const driverId = await newDriver(malote, driverAt);
  assertOk(await malote.operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await malote.operator.post(`/entregas/${id}/iniciar`));
  return id;
}

export const groupScheduled = (malote: TestMalote, id: number, others: number[]): Promise<Answer> =>
  malote.manager.post(`/entregas/programadas/${id}/agrupar`, { programadas_agrupadas: others });

export const groupDeliveries = (malote: TestMalote, id: number, others: number[]): Promise<Answer> =>
  malote.manager.post(`/entregas/${id}/agrupar`, { solicitacoes_agrupadas: others });

export const groupIntoDelivery = (
  malote: TestMalote,
  id: number,
  scheduled: number[],
  deliveries?: number[],
): Promise<Answer> =>
  malote.manager.post(`/entregas/${id}/agrupar/programadas`, {
    programadas_agrupadas: scheduled,
    ...(deliveries && { solicitacoes_agrupadas: deliveries }),
  });

export interface StopRow {
  id: number;
  position: number;
  lat: number;
  lng: number;
  orderedWith: number;
}

/** The stops that a request carries, in their order. */
export const stopsOf = (malote: TestMalote, { noun, id }: ClaimTarget): Promise<StopRow[]> =>
  malote.db.run<StopRow>(
    noun === 'delivery'
      ? `select id, position, lat, lng, ordered_with as "orderedWith" from stops
         where central_id = 1 and delivery_id = $1 order by position`
      : `select id, position, lat, lng, ordered_with as "orderedWith" from scheduled_stops
         where central_id = 1 and scheduled_id = $1 order by position`,
    [id],
  );

export const stopIdsOf = async (malote: TestMalote, target: ClaimTarget): Promise<number[]> =>
  (await stopsOf(malote, target)).map(({ id }) => id);

const TABLES = [
  'deliveries',
  'stops',
  'scheduled',
  'scheduled_stops',
  'wallets',
  'wallet_entries',
  'events',
  'claims',
  'idempotency_keys',
] as const;

/** Every row that a grouping could write, as text, for holding that it wrote none. */
export async function everything(malote: TestMalote): Promise<Record<string, string[]>> {
  const tables = TABLES.map(async (table) => {
    const [all] = await malote.db.run<{ text: string | null }>(
      `select string_agg(t::text, E'\n' order by t::text) as text from ${table} t`,
      [],
    );
    return [table, all!.text?.split('\n') ?? []] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

export async function assertNoClaims(malote: TestMalote): Promise<void> {
  assert.deepEqual(await malote.db`select noun, target_id from claims`, []);
}

/** What a wallet holds is what its ledger says, and what deliveries have reserved is what was entered for them. */
export async function assertWalletsBalanced(malote: TestMalote): Promise<void> {
  const unbalanced = await malote.db`
    select w.company_id from wallets w
    where balance_cents <> (select coalesce(sum(amount_cents), 0) from wallet_entries e
      where e.central_id = w.central_id and e.company_id = w.company_id)`;
  assert.deepEqual(unbalanced, []);
  const misheld = await malote.db`
    select d.id, d.reserved_cents from deliveries d
    where reserved_cents <> (select coalesce(-sum(amount_cents), 0) from wallet_entries e
      where e.central_id = d.central_id and e.delivery_id = d.id and e.kind in ('reserve', 'release'))`;
  assert.deepEqual(misheld, []);
}
