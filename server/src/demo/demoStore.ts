import type { Tx } from '../postgres/database.ts';

/** Stays true until the transaction ends: nobody else adds a central meanwhile. */
export async function isEmptyDatabase(tx: Tx): Promise<boolean> {
  await tx`lock table centrals in share row exclusive mode`;
  const rows = await tx`select 1 from centrals limit 1`;
  return rows.length === 0;
}

/** Fast enough that a delivery is seen from its pickup to its end in a minute or two. */
const SIMULATION_SPEED = 10;

/** Lets the demonstration's drivers move by themselves. */
export async function switchOnCouriers(tx: Tx, centralId: number): Promise<void> {
  await tx`
    update centrals
    set settings = settings || ${{ simulatedCouriers: true, simulationSpeed: SIMULATION_SPEED }}::jsonb
    where id = ${centralId}`;
}
