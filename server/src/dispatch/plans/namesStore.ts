import type { Tx } from '../../platform/postgres/database.ts';
import type { StoredPlan } from './plan.ts';

export interface NamedPlace {
  address: string;
  district: string;
  lat: number;
  lng: number;
}

/** What a plan's ids stand for: plans themselves hold no personal data. */
export interface PlanNames {
  drivers: ReadonlyMap<number, string>;
  /** By delivery. */
  pickups: ReadonlyMap<number, NamedPlace>;
  stops: ReadonlyMap<number, NamedPlace>;
}

export async function findDriverNames(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await tx.rows<{ id: number; name: string }>`
    select id, name from drivers where central_id = ${centralId} and id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findPlanNames(tx: Tx, centralId: number, { routes }: StoredPlan): Promise<PlanNames> {
  const stops = routes.flatMap((route) => route.stops);
  const deliveryIds = [...new Set(stops.map(({ deliveryId }) => deliveryId))];
  const stopIds = stops.flatMap(({ stopId }) => stopId ?? []);
  const [drivers, pickups, places] = await Promise.all([
    findDriverNames(
      tx,
      centralId,
      routes.map(({ driverId }) => driverId),
    ),
    tx.rows<NamedPlace & { id: number }>`
      select id, pickup_address as address, pickup_district as district, pickup_lat as lat, pickup_lng as lng
      from deliveries where central_id = ${centralId} and id = any(${deliveryIds}::bigint[])`,
    tx.rows<NamedPlace & { id: number }>`
      select id, address, district, lat, lng
      from stops where central_id = ${centralId} and id = any(${stopIds}::bigint[])`,
  ]);
  const byId = (rows: readonly (NamedPlace & { id: number })[]) => new Map(rows.map((row) => [row.id, row]));
  return { drivers, pickups: byId(pickups), stops: byId(places) };
}
