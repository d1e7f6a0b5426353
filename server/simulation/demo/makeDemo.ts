import type { Role } from '../../src/centrals/caller.ts';
import { lockCentral, updateCentral } from '../../src/centrals/centralStore.ts';
import {
  createApiKey,
  createCentral,
  createSandboxKey,
  createUser,
} from '../../src/centrals/createCentral.ts';
import type { User } from '../../src/centrals/userStore.ts';
import { serviceActor } from '../../src/events/record/event.ts';
import { insertCoupon } from '../../src/money/pricing/couponStore.ts';
import { insertCategory, insertTariff } from '../../src/money/pricing/tariffStore.ts';
import { createCompany } from '../../src/money/wallet/createCompany.ts';
import { insertEntries } from '../../src/money/wallet/walletStore.ts';
import type { Deps } from '../../src/platform/postgres/deps.ts';
import { type Tx, withinTransaction } from '../../src/platform/postgres/queries.ts';
import { addArea } from '../../src/registers/areas/changeArea.ts';
import { insertDriver, markAvailable } from '../../src/registers/drivers/driverStore.ts';
import { upsertPositions } from '../../src/registers/drivers/positionStore.ts';
import { DEMO_PASSWORD, type DemoCentral, demoCentrals } from './demoCentrals.ts';
import { HISTORY_DAYS } from './history.ts';
import { makeDemoDay } from './makeDemoDay.ts';

/** Locks the table until the end of the transaction, so that no other transaction adds a central meanwhile. */
async function isEmptyDatabase(tx: Tx): Promise<boolean> {
  await tx.rows`lock table centrals in share row exclusive mode`;
  const rows = await tx.rows`select 1 from centrals limit 1`;
  return rows.length === 0;
}

/** Fast enough that a delivery takes one or two minutes from pickup to end. */
const SIMULATION_SPEED = 10;

/** Enables the simulated drivers of the demonstration. */
async function switchOnCouriers(tx: Tx, centralId: number): Promise<void> {
  const central = await lockCentral(tx, centralId);
  const settings = {
    ...central.settings,
    simulatedCouriers: true,
    simulationSpeed: SIMULATION_SPEED,
    shareKind: 'percent' as const,
  };
  await updateCentral(tx, { ...central, settings });
}

/** A Friday is the full demonstration, whose central has a busy evening. */
export type DemoContent = 'full' | 'friday' | 'empty';

export interface DemoKey {
  centralId: number;
  id: number;
  active: boolean;
}

/** Like every look-up by api-key, this runs before the central is known. */
export async function findDemoKeys(tx: Tx, digests: readonly Buffer[]): Promise<DemoKey[]> {
  const found: DemoKey[] = [];
  for (const digest of digests)
    found.push(
      ...(await tx.rows<DemoKey>`
        select central_id, id, revoked_at is null as active from api_keys where sha256 = ${digest}`),
    );
  return found;
}

/** The demonstration creates its logins first, and far fewer than this. */
const FIRST_USERS = 50;

export interface FirstUser extends User {
  passwordHash: string;
}

/** Active logins, oldest first. Bounded, because checking a password is deliberately slow. */
export async function findFirstUsers(tx: Tx, centralId: number): Promise<FirstUser[]> {
  return tx.rows<FirstUser>`
    select id, username, role, company_id, driver_id, active,
      password_hash
    from users where central_id = ${centralId} and active order by id limit ${FIRST_USERS}`;
}

/**
 * Creates the demonstration: two centrals with fixed identities, on which guides and tests rely. Only on an empty
 * database, and on the database of DATABASE_URL only if requested. It is created completely or not at all. False
 * when the database was not empty.
 */
export async function makeDemo({ db, clock }: Deps, content: DemoContent = 'empty'): Promise<boolean> {
  return db.begin(async (tx) => {
    if (!(await isEmptyDatabase(tx))) return false;
    const deps = { db: withinTransaction(tx), clock };
    for (const demo of demoCentrals) {
      const centralId = await makeDemoCentral(deps, demo, content === 'empty' ? NOW : LONG_AGO);
      if (content === 'empty') continue;
      for (const { username, role } of demo.staff ?? [])
        await createUser(tx, centralId, { username, password: DEMO_PASSWORD, role });
    }
    if (content !== 'empty') await makeDemoDay(deps, content === 'friday');
    return true;
  });
}

/** Before the history, so that every wallet is written in the order of time. */
const LONG_AGO = { hours: 24 * (HISTORY_DAYS + 1) };
const NOW = { hours: 0 };

/** Returns the id of the central. Its companies paid in some time ago. */
export async function makeDemoCentral(
  deps: Deps,
  demo: DemoCentral,
  paidInAgo: Temporal.DurationLike = NOW,
): Promise<number> {
  const centralId = await createCentral(deps, demo);
  await createApiKey(deps, centralId, 'demonstração', demo.apiKey);
  if (demo.testKey) await createSandboxKey(deps, centralId, 'demonstração', demo.testKey);
  await deps.db.begin(async (tx) => {
    const { companyIds, driverIds } = await makeDemoRegisters(tx, centralId, demo, {
      now: deps.clock.now(),
      paidInAt: deps.clock.now().subtract(paidInAgo),
    });
    await switchOnCouriers(tx, centralId);
    const login = (username: string, role: Role, ids: { companyId?: number; driverId?: number } = {}) =>
      createUser(tx, centralId, { username, password: DEMO_PASSWORD, role, ...ids });
    await login(demo.operator, 'operator');
    for (const [index, companyId] of companyIds.entries())
      if (demo.managers[index]) await login(demo.managers[index], 'manager', { companyId });
    for (const [index, driverId] of driverIds.entries())
      if (demo.driverLogin) await login(`${demo.driverLogin}${index + 1}`, 'driver', { driverId });
  });
  return centralId;
}

async function makeDemoRegisters(
  tx: Tx,
  centralId: number,
  demo: DemoCentral,
  { now, paidInAt }: Record<'now' | 'paidInAt', Temporal.Instant>,
): Promise<{ companyIds: number[]; driverIds: number[] }> {
  for (const { name, isDefault, box } of demo.areas) {
    const shape = { type: 'Polygon' as const, coordinates: [cornersOf(box)] };
    await addArea(tx, centralId, { name, isDefault, shape });
  }

  const categoryIds: number[] = [];
  for (const { name, description, profile, tariff } of demo.categories) {
    const categoryId = await insertCategory(tx, centralId, { name, description, profile, active: true });
    await insertTariff(tx, centralId, { ...tariff, categoryId, areaId: null, share: null });
    categoryIds.push(categoryId);
  }

  const companyIds: number[] = [];
  for (const { creditCents, ...company } of demo.companies) {
    const defaultCategoryId = categoryIds[0]!;
    const companyId = await createCompany(tx, centralId, {
      ...company,
      defaultCategoryId,
      needsRelease: false,
      failureRules: null,
      supportText: null,
      proofPhoto: null,
      proofSignature: null,
      proofName: null,
      proofAmount: null,
      active: true,
    });
    await insertEntries(
      tx,
      centralId,
      [{ companyId, kind: 'top_up', amountCents: creditCents }],
      serviceActor(paidInAt),
    );
    companyIds.push(companyId);
  }

  const driverIds: number[] = [];
  for (const { at, ...driver } of demo.drivers) {
    const driverId = await insertDriver(tx, centralId, {
      ...driver,
      active: true,
      categoryIds,
      companyIds: [],
      simulated: true,
    });
    await markAvailable(tx, centralId, driverId, true);
    await upsertPositions(tx, [{ centralId, driverId, position: { lat: at[0], lng: at[1] }, at: now }]);
    driverIds.push(driverId);
  }

  for (const coupon of demo.coupons)
    await insertCoupon(tx, centralId, {
      ...coupon,
      validUntil: null,
      usesMax: null,
      usesPerCompanyMax: null,
      companyIds: [],
      active: true,
    });
  return { companyIds, driverIds };
}

const cornersOf = ([west, south, east, north]: [number, number, number, number]): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
