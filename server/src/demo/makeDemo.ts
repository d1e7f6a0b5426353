import type { Role } from '../centrals/caller.ts';
import { createApiKey, createCentral, createUser } from '../centrals/createCentral.ts';
import type { Needs } from '../postgres/needs.ts';
import { withinTransaction } from '../postgres/withinTransaction.ts';
import { DEMO_PASSWORD, type DemoCentral, demoCentrals } from './demoCentrals.ts';
import { isEmptyDatabase, switchOnCouriers } from './demoStore.ts';
import { makeDemoDay } from './makeDemoDay.ts';
import { makeDemoRegisters } from './makeDemoRegisters.ts';

/**
 * The demonstration: two centrals with fixed identities, so that every guide and test can rely on them.
 * It is only ever made on an empty database, and never on one that DATABASE_URL names unless asked for. It
 * appears whole or not at all, also when the process dies meanwhile. False: the database was not empty.
 */
export async function makeDemo({ db, clock }: Needs, content: 'full' | 'empty' = 'empty'): Promise<boolean> {
  return db.begin(async (tx) => {
    if (!(await isEmptyDatabase(tx))) return false;
    const needs = { db: withinTransaction(tx), clock };
    for (const demo of demoCentrals) await makeDemoCentral(needs, demo);
    if (content === 'full') await makeDemoDay(needs);
    return true;
  });
}

export async function makeDemoCentral(needs: Needs, demo: DemoCentral): Promise<void> {
  const centralId = await createCentral(needs, demo);
  await createApiKey(needs, centralId, 'demonstração', demo.apiKey);
  await needs.db.begin(async (tx) => {
    const { companyIds, driverIds } = await makeDemoRegisters(tx, centralId, demo, needs.clock.now());
    await switchOnCouriers(tx, centralId);
    const login = (username: string, role: Role, ids: { companyId?: number; driverId?: number } = {}) =>
      createUser(tx, centralId, { username, password: DEMO_PASSWORD, role, ...ids });
    await login(demo.operator, 'operator');
    for (const [index, companyId] of companyIds.entries())
      if (demo.managers[index]) await login(demo.managers[index], 'manager', { companyId });
    for (const [index, driverId] of driverIds.entries())
      if (demo.driverLogin) await login(`${demo.driverLogin}${index + 1}`, 'driver', { driverId });
  });
}
