import { addArea } from '../areas/changeArea.ts';
import { insertCompany } from '../companies/companyStore.ts';
import { insertDriver, markAvailable } from '../drivers/driverStore.ts';
import { upsertPositions } from '../drivers/positionStore.ts';
import { insertCoupon } from '../estimates/couponStore.ts';
import { insertCategory, insertTariff } from '../estimates/tariffStore.ts';
import type { Tx } from '../postgres/database.ts';
import { insertEntry } from '../wallet/walletStore.ts';
import type { DemoCentral } from './demoCentrals.ts';

export async function makeDemoRegisters(
  tx: Tx,
  centralId: number,
  demo: DemoCentral,
  now: Temporal.Instant,
): Promise<{ companyIds: number[]; driverIds: number[] }> {
  for (const { name, isDefault, box } of demo.areas) {
    const shape = { type: 'Polygon' as const, coordinates: [cornersOf(box)] };
    await addArea(tx, centralId, { name, isDefault, shape });
  }

  const categoryIds: number[] = [];
  for (const { name, description, profile, tariff } of demo.categories) {
    const categoryId = await insertCategory(tx, centralId, { name, description, profile, active: true });
    await insertTariff(tx, centralId, { ...tariff, categoryId, areaId: null });
    categoryIds.push(categoryId);
  }

  const companyIds: number[] = [];
  for (const { creditCents, ...company } of demo.companies) {
    const defaultCategoryId = categoryIds[0]!;
    const companyId = await insertCompany(tx, centralId, {
      ...company,
      defaultCategoryId,
      needsRelease: false,
      active: true,
    });
    await insertEntry(tx, centralId, { companyId, kind: 'top_up', amountCents: creditCents }, now);
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
