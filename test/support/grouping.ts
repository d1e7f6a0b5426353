import assert from 'node:assert/strict';
import { settingsDefaults } from '../../server/src/centrals/central.ts';
import type { ClaimTarget } from '../../server/src/dispatch/grouping/claimStore.ts';
import { estimatorFor } from '../../server/src/geo/routing/routers.ts';
import type { Position } from '../../server/src/platform/kernel/position.ts';
import { raw } from '../../server/src/platform/postgres/sql.ts';
import type { Answer, Client } from './client.ts';
import type { TestMalote } from './malote.ts';
import { order, pickup, stop } from './orders.ts';
import { runText } from './runText.ts';
import { assertOk, newDriver } from './steps.ts';
import { marksOf } from './written.ts';

/** Stops at these places of orders.ts, in this order. */
export const at = (...places: number[]) => ({ paradas: places.map(stop) });

/** Starts a delivery of company 1 with a new driver. */
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

/** The stops of a request, in their order. */
export const stopsOf = (malote: TestMalote, { noun, id }: ClaimTarget): Promise<StopRow[]> =>
  runText<StopRow>(
    malote.db,
    noun === 'delivery'
      ? `select id, position, lat, lng, ordered_with as "orderedWith" from stops
         where central_id = 1 and delivery_id = $1 order by position`
      : `select id, position, lat, lng, ordered_with as "orderedWith" from scheduled_stops
         where central_id = 1 and scheduled_id = $1 order by position`,
    [id],
  );

export const stopIdsOf = async (malote: TestMalote, target: ClaimTarget): Promise<number[]> =>
  (await stopsOf(malote, target)).map(({ id }) => id);

export const pickupAt: Position = { lat: Number(pickup.lat), lng: Number(pickup.lng) };

/** The distance and time by motorcycle to visit these points in this order. */
export const along = async (points: readonly Position[]): Promise<{ metres: number; seconds: number }> =>
  estimatorFor(settingsDefaults).route(points, 'motorcycle');

/** The shortest time over all orders of the stops, found by trying each order. */
export async function fewestSeconds(
  from: Position,
  stops: readonly Position[],
  end: readonly Position[] = [],
): Promise<number> {
  const orders = permutations(stops).map((order) => along([from, ...order, ...end]));
  return Math.min(...(await Promise.all(orders)).map(({ seconds }) => seconds));
}

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first, index) =>
        permutations(items.toSpliced(index, 1)).map((rest) => [first, ...rest]),
      );

/** The price by the demonstration's motorcycle tariff in whole cents; a half is rounded up. */
export function motorcycleCents(
  { metres, seconds }: { metres: number; seconds: number },
  stops: number,
): number {
  const exact = 500 + (185 * metres) / 1000 + (12.5 * seconds) / 60 + 250 * (stops - 1);
  return Math.max(900, Math.round(exact));
}

export interface FiguresRow {
  planned_metres: number;
  planned_seconds: number;
  gross_cents: number;
  net_cents: number;
}

export async function figuresOf(malote: TestMalote, { noun, id }: ClaimTarget): Promise<FiguresRow> {
  const [row] = await malote.db<FiguresRow>`
    select planned_metres, planned_seconds, gross_cents, net_cents
    from ${raw(noun === 'delivery' ? 'deliveries' : 'scheduled')} where central_id = 1 and id = ${id}`;
  return row!;
}

const TABLES = [
  'deliveries',
  'stops',
  'scheduled',
  'scheduled_stops',
  'wallets',
  'wallet_entries',
  'events',
  'idempotency_keys',
] as const;

/**
 * The claims, and marks of all tables that a grouping could write. Tests compare them to show that nothing was written.
 */
export async function everything({ db }: TestMalote): Promise<{ claims: unknown[]; marks: unknown }> {
  const [claims, marks] = await Promise.all([
    db`select * from claims order by central_id, noun, target_id`,
    marksOf(db, TABLES),
  ]);
  return { claims, marks };
}

export async function assertNoClaims(malote: TestMalote): Promise<void> {
  assert.deepEqual(await malote.db`select noun, target_id from claims`, []);
}

/**
 * Asserts that each wallet's balance is the sum of its ledger, and that each delivery's reserve is the sum of its
 * entries.
 */
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
