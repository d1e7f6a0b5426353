import type { Tx } from '../postgres/database.ts';
import { insertEntry } from '../wallet/walletStore.ts';
import type { DemoCentral } from './demoCentrals.ts';

/** Stays true until the transaction ends: nobody else adds a central meanwhile. */
export async function isEmptyDatabase(tx: Tx): Promise<boolean> {
  await tx`lock table centrals in share row exclusive mode`;
  const rows = await tx`select 1 from centrals limit 1`;
  return rows.length === 0;
}

export async function insertDemoRegisters(
  tx: Tx,
  centralId: number,
  demo: DemoCentral,
  now: Temporal.Instant,
): Promise<{ companyIds: number[]; driverIds: number[] }> {
  for (const { name, isDefault, box } of demo.areas) {
    const [west, south, east, north] = box;
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    await tx`
      insert into operating_areas (central_id, id, name, is_default, shape)
      values (${centralId}, next_id(${centralId}, 'area'), ${name}, ${isDefault},
        ${{ type: 'Polygon', coordinates: [ring] }})`;
  }
  const categoryIds: number[] = [];
  for (const { name, description, profile, tariff } of demo.categories) {
    const [category] = await tx<{ id: number }>`
      insert into categories (central_id, id, name, description, profile)
      values (${centralId}, next_id(${centralId}, 'category'), ${name}, ${description}, ${profile}) returning id`;
    categoryIds.push(category!.id);
    await tx`
      insert into tariffs (central_id, id, category_id, name, base_cents, per_km_cents, per_minute_cents,
        per_extra_stop_cents, return_factor, minimum_cents, windows)
      values (${centralId}, next_id(${centralId}, 'tariff'), ${category!.id}, ${tariff.name}, ${tariff.baseCents},
        ${tariff.perKmCents}, ${tariff.perMinuteCents}, ${tariff.perExtraStopCents}, ${tariff.returnFactor},
        ${tariff.minimumCents}, ${JSON.stringify(tariff.windows)}::jsonb)`;
  }
  const companyIds: number[] = [];
  for (const company of demo.companies) {
    const [row] = await tx<{ id: number }>`
      insert into companies (central_id, id, name, document, phone, contract_number, identifier, default_category_id)
      values (${centralId}, next_id(${centralId}, 'company'), ${company.name}, ${company.document}, ${company.phone},
        ${company.contractNumber}, ${company.identifier}, ${categoryIds[0]})
      returning id`;
    const companyId = row!.id;
    companyIds.push(companyId);
    await tx`
      insert into customers (central_id, id, company_id, name)
      values (${centralId}, next_id(${centralId}, 'customer'), ${companyId}, ${company.name})`;
    await tx`insert into wallets (central_id, company_id) values (${centralId}, ${companyId})`;
    await insertEntry(tx, centralId, { companyId, kind: 'top_up', amountCents: company.creditCents }, now);
  }
  const driverIds: number[] = [];
  for (const driver of demo.drivers) {
    const [row] = await tx<{ id: number }>`
      insert into drivers (central_id, id, name, phone, vehicle, plate, color, available)
      values (${centralId}, next_id(${centralId}, 'driver'), ${driver.name}, ${driver.phone}, ${driver.vehicle},
        ${driver.plate}, ${driver.color}, true)
      returning id`;
    driverIds.push(row!.id);
    await tx`
      insert into driver_categories (central_id, driver_id, category_id)
      select ${centralId}, ${row!.id}, unnest(${categoryIds}::bigint[])`;
    await tx`
      insert into driver_positions (central_id, driver_id, lat, lng, at)
      values (${centralId}, ${row!.id}, ${driver.at[0]}, ${driver.at[1]}, ${now})`;
  }
  for (const { code, percent, generatorId } of demo.coupons)
    await tx`
      insert into coupons (central_id, id, code, percent, generator_id)
      values (${centralId}, next_id(${centralId}, 'coupon'), ${code}, ${percent}, ${generatorId})`;
  return { companyIds, driverIds };
}
