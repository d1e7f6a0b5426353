import type { Tx } from '../postgres/database.ts';

/**
 * Takes or keeps the lease on every central that simulates its couriers, and answers with those now held.
 * What another process holds is passed over until it expires. One statement, which commits by itself.
 */
export async function holdLeases(
  tx: Tx,
  holder: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    insert into courier_leases as lease (central_id, holder, expires_at)
    select id, ${holder}::uuid, ${until}::timestamptz from centrals
    where active and settings @> '{"simulatedCouriers": true}' order by id
    on conflict (central_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where lease.holder = excluded.holder or lease.expires_at <= ${now}
    returning central_id`;
  return rows.map((row) => row.central_id);
}

export async function releaseLeases(tx: Tx, holder: string): Promise<void> {
  await tx`delete from courier_leases where holder = ${holder}::uuid`;
}
