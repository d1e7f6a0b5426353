import type { Tx } from '../postgres/database.ts';
import type { Profile } from '../routing/router.ts';
import type { Category } from './category.ts';
import type { Tariff, TariffWindow } from './tariff.ts';

/** A tariff and where it holds; no area means wherever the category has none made for the area. */
export interface PlacedTariff extends Tariff {
  categoryId: number;
  areaId: number | null;
}

export async function listCategories(tx: Tx, centralId: number): Promise<Category[]> {
  return tx<{ id: number; name: string; description: string; profile: Profile; active: boolean }>`
    select id, name, description, profile, active from categories where central_id = ${centralId} order by id`;
}

interface TariffRow {
  id: number;
  category_id: number;
  area_id: number | null;
  name: string;
  base_cents: number;
  per_km_cents: string;
  per_minute_cents: string;
  per_extra_stop_cents: number;
  return_factor: string;
  minimum_cents: number;
  windows: TariffWindow[];
}

export async function listTariffs(tx: Tx, centralId: number): Promise<PlacedTariff[]> {
  const rows = await tx<TariffRow>`
    select id, category_id, area_id, name, base_cents, per_km_cents, per_minute_cents, per_extra_stop_cents,
      return_factor, minimum_cents, windows
    from tariffs where central_id = ${centralId} order by id`;
  return rows.map((row) => ({
    id: row.id,
    categoryId: row.category_id,
    areaId: row.area_id,
    name: row.name,
    baseCents: row.base_cents,
    perKmCents: row.per_km_cents,
    perMinuteCents: row.per_minute_cents,
    perExtraStopCents: row.per_extra_stop_cents,
    returnFactor: row.return_factor,
    minimumCents: row.minimum_cents,
    windows: row.windows,
  }));
}
