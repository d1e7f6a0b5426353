import { createCompany } from '../../src/money/wallet/createCompany.ts';
import type { Tx } from '../../src/platform/postgres/database.ts';
import { insertCompanyAddress } from '../../src/registers/companies/companyAddressStore.ts';
import { insertDriver, markAvailable } from '../../src/registers/drivers/driverStore.ts';
import { upsertPositions } from '../../src/registers/drivers/positionStore.ts';
import { doorOn } from './city/doors.ts';
import { demoPickups } from './demoCentrals.ts';
import { demoSenders, NO_PROOF_RULES, type Sender, SHOP, type VehicleCategory } from './demoFleet.ts';
import { findCategories, findCompaniesNamed, findDriversByPhone } from './fleetStore.ts';

/*
 * Who works on a Friday evening of the demonstration beside those of the full one: ten companies and 26 drivers, so
 * that there are 15 and 40. They are recognised by identifiers and phones.
 */

interface FridayCompany {
  identifier: string;
  name: string;
  document: string;
  category: VehicleCategory;
  pickup: readonly [street: string, metres: number];
}

const company = (
  identifier: string,
  name: string,
  document: string,
  category: VehicleCategory,
  street: string,
  metres: number,
): FridayCompany => ({ identifier, name, document, category, pickup: [street, metres] });

export const fridayCompanies: readonly FridayCompany[] = [
  company('pizzaria-bom-fim', 'Pizzaria Bom Fim', '55660077000180', 'Moto', 'Avenida Osvaldo Aranha', 900),
  company('sushi-mostardeiro', 'Sushi Mostardeiro', '55660177000106', 'Moto', 'Rua Mostardeiro', 420),
  company('lanches-da-azenha', 'Lanches da Azenha', '55660277000132', 'Moto', 'Avenida da Azenha', 360),
  company('galeteria-serrana', 'Galeteria Serrana', '55660377000169', 'Moto', 'Avenida Protásio Alves', 1100),
  company('hamburgueria-goethe', 'Hamburgueria Goethe', '55660477000195', 'Moto', 'Avenida Goethe', 300),
  company('adega-petropolis', 'Adega Petrópolis', '55660577000111', 'Carro', 'Avenida Carlos Gomes', 900),
  company(
    'mercado-menino-deus',
    'Mercado Menino Deus',
    '55660677000148',
    'Carro',
    'Avenida Getúlio Vargas',
    500,
  ),
  company('sorveteria-republica', 'Sorveteria República', '55660777000174', 'Bike', 'Rua da República', 420),
  company('creperia-riachuelo', 'Creperia Riachuelo', '55660877000109', 'Bike', 'Rua Riachuelo', 500),
  company(
    'churrascaria-bento',
    'Churrascaria Bento',
    '55660977000127',
    'Moto',
    'Avenida Bento Gonçalves',
    1300,
  ),
];

const FIRST_NAMES = [
  ...['Adriano', 'Bárbara', 'Cléber', 'Denise', 'Everton', 'Fabiana', 'Gérson', 'Helena', 'Ivan', 'Jéssica'],
  ...['Kauã', 'Lorena', 'Moacir', 'Nara', 'Odair', 'Priscila', 'Rafael', 'Sabrina', 'Tiago', 'Úrsula'],
  ...['Valdir', 'Wagner', 'Yasmin', 'Zilda', 'Arthur', 'Brenda'],
];
const LAST_NAMES = ['Antunes', 'Bitencourt', 'Camargo', 'Dornelles', 'Escobar', 'Ferraz', 'Guterres'];
const COLORS = ['preta', 'branca', 'vermelha', 'azul', 'prata'];
const VEHICLES: Readonly<Record<VehicleCategory, readonly string[]>> = {
  Moto: ['Honda CG 160', 'Yamaha Factor', 'Honda Biz', 'Honda Bros', 'Yamaha Fazer'],
  Carro: ['Fiat Fiorino', 'Renault Kangoo'],
  Bike: ['Bicicleta'],
};
const CATEGORIES: readonly VehicleCategory[] = [
  ...Array.from({ length: 17 }, () => 'Moto' as const),
  ...Array.from({ length: 4 }, () => 'Carro' as const),
  ...Array.from({ length: 5 }, () => 'Bike' as const),
];

export const fridayDrivers = CATEGORIES.map((category, at) => {
  const of = <Item>(items: readonly Item[]): Item => items[at % items.length]!;
  const two = String(at + 10);
  return {
    category,
    name: `${FIRST_NAMES[at]!} ${of(LAST_NAMES)}`,
    phone: `519999801${two}`,
    vehicle: of(VEHICLES[category]),
    plate: category === 'Bike' ? '' : `SEX${two[0]}A${two}`,
    color: of(COLORS),
  };
});

const IDENTIFIERS = fridayCompanies.map(({ identifier }) => identifier);
const PHONES = fridayDrivers.map(({ phone }) => phone);

/** Who orders on a Friday, as far as the central has them. */
export async function fridaySenders(tx: Tx, centralId: number): Promise<Sender[]> {
  const rows = await findCompaniesNamed(tx, centralId, IDENTIFIERS);
  const more = rows.flatMap(({ id, identifier, active }): Sender[] => {
    const found = fridayCompanies.find((each) => each.identifier === identifier);
    if (!found || !active) return [];
    const { category } = found;
    return [{ companyId: id, pickup: pickupOf(found), categories: [category, category, category, 'Moto'] }];
  });
  const ids = new Set(more.map(({ companyId }) => companyId));
  return [...demoSenders().filter(({ companyId }) => !ids.has(companyId)), ...more];
}

function pickupOf({ pickup: [street, metres] }: FridayCompany): Sender['pickup'] {
  const { number, district, position } = doorOn(street, metres);
  return { ...demoPickups.bakery, address: `${street}, ${number}`, district, position };
}

/**
 * The drivers of the Friday begin to work, all together; those who do not exist are registered first, with their
 * companies. Nothing happens while one of them works.
 */
export async function beginFriday(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  let drivers = await findDriversByPhone(tx, centralId, PHONES);
  if (drivers.some(({ available }) => available)) return;
  if (drivers.length === 0) {
    await register(tx, centralId, now);
    drivers = await findDriversByPhone(tx, centralId, PHONES);
  }
  const places = (await fridaySenders(tx, centralId)).map(({ pickup }) => pickup.position);
  for (const [at, { id: driverId }] of drivers.entries()) {
    await markAvailable(tx, centralId, driverId, true);
    const position = places[at % places.length]!;
    await upsertPositions(tx, [{ centralId, driverId, position, at: now }]);
  }
}

/** They go home; who carries something brings it to its end. */
export async function endFriday(tx: Tx, centralId: number): Promise<void> {
  for (const { id, available } of await findDriversByPhone(tx, centralId, PHONES))
    if (available) await markAvailable(tx, centralId, id, false);
}

async function register(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const categories = await findCategories(tx, centralId);
  const known = new Set(
    (await findCompaniesNamed(tx, centralId, IDENTIFIERS)).map((each) => each.identifier),
  );
  for (const [at, each] of fridayCompanies.entries()) {
    const { identifier, name, document, category } = each;
    if (known.has(identifier)) continue;
    const companyId = await createCompany(tx, centralId, {
      ...{ identifier, name, document, ...NO_PROOF_RULES },
      phone: `51333390${10 + at}`,
      contractNumber: `C-12${10 + at}`,
      defaultCategoryId: categories.get(category) ?? null,
      needsRelease: false,
      failureRules: null,
      supportText: null,
      active: true,
    });
    await insertCompanyAddress(tx, centralId, companyId, { ...pickupOf(each), ...SHOP }, now);
  }
  for (const { category, ...driver } of fridayDrivers)
    await insertDriver(tx, centralId, {
      ...driver,
      active: true,
      categoryIds: categories.has(category) ? [categories.get(category)!] : [],
      companyIds: [],
      simulated: true,
    });
}
