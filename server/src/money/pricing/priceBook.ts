import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { cachePerCentral, type RegisterCache } from '../../platform/postgres/registerCache.ts';
import { type AreaIndex, indexAreas } from '../../registers/areas/area.ts';
import { listAreas } from '../../registers/areas/areaStore.ts';
import type { OrderingCompany } from '../../registers/companies/company.ts';
import { findOrderingCompany } from '../../registers/companies/companyStore.ts';
import { type Category, listCategories, listTariffs, type PlacedTariff } from './tariffStore.ts';

/** A central's areas, categories and tariffs; cached until one of its registers changes. */
export interface PriceBook {
  areas: AreaIndex;
  categories: readonly Category[];
  tariffs: readonly PlacedTariff[];
  /** Companies are read when they order and then cached. A central may have too many to read beforehand. */
  company(id: number): Promise<OrderingCompany | undefined>;
}

export type PriceBooks = RegisterCache<PriceBook>;

export const priceBooks = (db: Db): PriceBooks =>
  cachePerCentral(async (centralId) => {
    const [areas, categories, tariffs] = await Promise.all([
      listAreas(db, centralId),
      listCategories(db, centralId),
      listTariffs(db, centralId),
    ]);
    return { areas: indexAreas(areas), categories, tariffs, company: rememberCompanies(db, centralId) };
  });

/** The maximum of cached companies. When it is exceeded, all are dropped. */
const COMPANIES_MAX = 5_000;

function rememberCompanies(db: Db, centralId: number): PriceBook['company'] {
  const known = new Map<number, Promise<OrderingCompany | undefined>>();
  return (id) => {
    const kept = known.get(id);
    if (kept) return kept;
    if (known.size === COMPANIES_MAX) known.clear();
    const company = findOrderingCompany(db, centralId, id);
    known.set(id, company);
    company.catch(() => known.delete(id));
    return company;
  };
}

/** The category of a request, which was fixed when it was ordered: it may be inactive by now. */
export function categoryOf({ categories }: PriceBook, { categoryId }: { categoryId: number }): Category {
  const category = categories.find(({ id }) => id === categoryId);
  if (!category) throw new Error(`category ${categoryId} is not in the price book`);
  return category;
}

/** By id, by name, or by both when they agree; the fallback when neither is given. */
export function chooseCategory(
  book: PriceBook,
  asked: { id?: number | undefined; name?: string | undefined },
  fallbackId: number | null,
): Category {
  const active = book.categories.filter((category) => category.active);
  const byId = (id: number) => active.find((category) => category.id === id);
  const byName = (name: string) => active.find((category) => sameName(category.name, name));
  if (asked.id === undefined && asked.name === undefined) {
    const fallback = fallbackId === null ? undefined : byId(fallbackId);
    if (!fallback) throw new Refusal('category-missing');
    return fallback;
  }
  const named = asked.name === undefined ? undefined : byName(asked.name);
  const numbered = asked.id === undefined ? undefined : byId(asked.id);
  if ((asked.id !== undefined && !numbered) || (asked.name !== undefined && !named))
    throw new Refusal('category-not-found');
  if (named && numbered && named.id !== numbered.id) throw new Refusal('category-mismatch');
  return (numbered ?? named)!;
}

/**
 * The category used when neither the order nor the company names one: the oldest active category. Ids are assigned
 * in order, so adding a category changes no price.
 */
export const defaultCategoryId = (book: PriceBook): number | null =>
  book.categories.find((category) => category.active)?.id ?? null;

const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

export function tariffFor(book: PriceBook, categoryId: number, areaId: number): PlacedTariff {
  const ofCategory = book.tariffs.filter((tariff) => tariff.categoryId === categoryId);
  const tariff =
    ofCategory.find((tariff) => tariff.areaId === areaId) ??
    ofCategory.find((tariff) => tariff.areaId === null);
  if (!tariff) throw new Refusal('no-tariff');
  return tariff;
}
