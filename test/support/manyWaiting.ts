import type { Database } from '../../server/src/postgres/database.ts';

/** Copies a delivery of central 1, without its stops, so many times; answers with the copies' ids. */
export async function copyDelivery(
  db: Database,
  id: number,
  count: number,
  changes: Record<string, unknown> = {},
): Promise<number[]> {
  const rows = await db<{ id: number }>`
    with ids as materialized (select next_id(1, 'delivery') as id from generate_series(1, ${count}::integer))
    insert into deliveries
    select copy.* from deliveries d cross join ids
    cross join lateral jsonb_populate_record(null::deliveries, to_jsonb(d) || ${changes}::jsonb
      || jsonb_build_object('id', ids.id)) copy
    where d.central_id = 1 and d.id = ${id} returning id`;
  return rows.map((row) => row.id);
}

/** Copies of a driver of central 1, at the same place and of the same categories. */
export async function copyDriver(db: Database, id: number, count: number): Promise<number[]> {
  const rows = await db<{ id: number }>`
    with ids as materialized (select next_id(1, 'driver') as id from generate_series(1, ${count}::integer))
    insert into drivers
    select copy.* from drivers d cross join ids
    cross join lateral jsonb_populate_record(null::drivers, to_jsonb(d)
      || jsonb_build_object('id', ids.id)) copy
    where d.central_id = 1 and d.id = ${id} returning id`;
  const ids = rows.map((row) => row.id);
  for (const table of ['driver_categories', 'driver_positions'])
    await db.run(
      `insert into ${table}
       select copy.* from ${table} t cross join unnest($2::bigint[]) to_id
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t)
         || jsonb_build_object('driver_id', to_id)) copy where t.central_id = 1 and t.driver_id = $1`,
      [id, ids],
    );
  return ids;
}

/** What is copied of each table, in the order of their references. */
const COPIED = {
  categories: 'true',
  operating_areas: 'true',
  tariffs: 'true',
  companies: 'true',
  customers: 'true',
  drivers: 't.available',
  driver_categories: 't.driver_id in (select id from drivers where central_id = 1 and available)',
  driver_positions: 't.driver_id in (select id from drivers where central_id = 1 and available)',
  deliveries: "t.status = 'distributing'",
};

/** Other centrals with the registers and free drivers of central 1, and with what it searches drivers for. */
export async function copyCentral(db: Database, centralIds: readonly number[]): Promise<void> {
  for (const [table, condition] of Object.entries(COPIED))
    await db.run(
      `insert into ${table}
       select copy.* from ${table} t cross join unnest($1::bigint[]) to_id
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t)
         || jsonb_build_object('central_id', to_id)) copy
       where t.central_id = 1 and ${condition}`,
      [centralIds],
    );
}
