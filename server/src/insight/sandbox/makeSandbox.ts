import { randomInt } from 'node:crypto';
import type { Central, Settings } from '../../centrals/central.ts';
import { insertSandbox } from '../../centrals/sandboxStore.ts';
import { insertMissingWallets } from '../../money/wallet/walletStore.ts';
import { copyRows } from '../../platform/postgres/copyRows.ts';
import type { Db, Tx } from '../../platform/postgres/database.ts';
import { violatedConstraint } from '../../platform/postgres/databaseErrors.ts';
import { insertDriver, markAvailable } from '../../registers/drivers/driverStore.ts';

/**
 * What a sandbox has of its central, with the same ids, in an order in which each table refers to earlier ones only. It
 * has no people: drivers are simulated, and favourite addresses and customers are personal data.
 */
const TAKEN_OVER: readonly { table: string; condition?: string }[] = [
  { table: 'cancellation_reasons' },
  { table: 'categories' },
  { table: 'category_capacities' },
  { table: 'operating_areas' },
  { table: 'tariffs' },
  { table: 'companies' },
  { table: 'customers', condition: 'company_id is not null' },
  { table: 'company_addresses', condition: `kind = 'pickup'` },
  { table: 'coupons' },
  { table: 'coupon_companies' },
];

/** Fast enough that a delivery takes one or two minutes from pickup to end. */
const SIMULATION_SPEED = 10;
const DRIVERS = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa'];

/** The settings of the central, except those that lead to real money. */
const settingsOf = ({ settings }: Central): Settings => ({
  ...settings,
  simulatedCouriers: true,
  simulationSpeed: SIMULATION_SPEED,
  pixKey: '',
});

/** Makes the sandbox of a central. The caller holds the lock of the central, so that it gets one only. */
export async function makeSandbox(tx: Tx, central: Central): Promise<number> {
  // Names of centrals are unique; recipients read this one on the tracking page.
  const name = `${central.name} (sandbox ${randomInt(36 ** 6).toString(36)})`;
  const sandboxId = await insertSandbox(tx, central, name, settingsOf(central));
  for (const { table, condition } of TAKEN_OVER)
    await copyRows(tx, table, { from: central.id, to: sandboxId, ...(condition && { condition }) });
  await insertMissingWallets(tx, sandboxId);
  const categories = await tx.rows<{ id: number }>`
    select id from categories where central_id = ${sandboxId} order by id`;
  for (const [index, driver] of DRIVERS.entries()) {
    const driverId = await insertDriver(tx, sandboxId, {
      name: `${driver} (sandbox)`,
      phone: `5190000000${index}`,
      vehicle: 'Honda CG 160',
      plate: `TST0A0${index}`,
      color: null,
      active: true,
      categoryIds: categories.map(({ id }) => id),
      companyIds: [],
      simulated: true,
    });
    await markAvailable(tx, sandboxId, driverId, true);
  }
  return sandboxId;
}

/** Copies the company of a login that was registered after the sandbox was made. False: there is none to copy. */
export async function takeOverCompany(db: Db, sandbox: Central, userId: number): Promise<boolean> {
  try {
    return await db.begin((tx) => copyCompany(tx, sandbox, userId));
  } catch (error) {
    // What it refers to was not copied, because something made in the sandbox has the same name.
    if (violatedConstraint(error) === undefined) throw error;
    return false;
  }
}

async function copyCompany(tx: Tx, sandbox: Central, userId: number): Promise<boolean> {
  const centralId = sandbox.sandboxOf!;
  const row = await tx.row<{ companyId: number }>`
    select company_id from users where central_id = ${centralId} and id = ${userId} and company_id is not null`;
  if (!row) return false;
  const to = sandbox.id;
  // The category that the company orders by default may be as new as the company.
  for (const table of ['categories', 'category_capacities', 'operating_areas', 'tariffs'])
    await copyRows(tx, table, { from: centralId, to });
  const companyId = Number(row.companyId);
  await copyRows(tx, 'companies', { from: centralId, to, condition: `id = ${companyId}` });
  await copyRows(tx, 'customers', { from: centralId, to, condition: `company_id = ${companyId}` });
  await insertMissingWallets(tx, to);
  return true;
}
