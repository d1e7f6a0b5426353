import { createUser } from '../../src/centrals/createCentral.ts';
import type { Address } from '../../src/deliveries/orders/request.ts';
import { createCompany } from '../../src/money/wallet/createCompany.ts';
import type { Tx } from '../../src/platform/postgres/database.ts';
import { insertCompanyAddress } from '../../src/registers/companies/companyAddressStore.ts';
import {
  findDriver,
  insertDriver,
  markAvailable,
  updateDriver,
} from '../../src/registers/drivers/driverStore.ts';
import { upsertPositions } from '../../src/registers/drivers/positionStore.ts';
import { doorOn } from './city/doors.ts';
import { DEMO_PASSWORD, demoCentrals, demoPickups } from './demoCentrals.ts';
import { findCategories } from './fleetStore.ts';

/*
 * What the full demonstration has beyond the registers that guides and tests rely on (demoCentrals.ts): three more
 * companies, eight more drivers, and drivers that carry only what fits their vehicle.
 */

export type VehicleCategory = 'Moto' | 'Carro' | 'Bike';

/** By driver, as demoCentrals.ts lists them. */
const FIRST_DRIVERS: readonly VehicleCategory[] = ['Moto', 'Moto', 'Moto', 'Carro', 'Moto', 'Bike'];

/** The history of the last weeks is theirs; their ids follow those of the first drivers. */
export const moreDrivers: readonly {
  id: number;
  category: VehicleCategory;
  name: string;
  vehicle: string;
  plate: string;
  color: string;
}[] = [
  { id: 7, category: 'Moto', name: 'Fábio Nunes', vehicle: 'Honda CG 160', plate: 'IXF6G78', color: 'preta' },
  {
    id: 8,
    category: 'Moto',
    name: 'Gisele Martins',
    vehicle: 'Yamaha Fazer',
    plate: 'IXG7H89',
    color: 'azul',
  },
  {
    id: 9,
    category: 'Moto',
    name: 'Henrique Dutra',
    vehicle: 'Honda Bros',
    plate: 'IXH8I90',
    color: 'vermelha',
  },
  {
    id: 10,
    category: 'Moto',
    name: 'Ivone Pacheco',
    vehicle: 'Honda Biz',
    plate: 'IXI9J01',
    color: 'branca',
  },
  {
    id: 11,
    category: 'Moto',
    name: 'Jair Fagundes',
    vehicle: 'Yamaha Factor',
    plate: 'IXJ0K12',
    color: 'cinza',
  },
  {
    id: 12,
    category: 'Carro',
    name: 'Kátia Brum',
    vehicle: 'Renault Kangoo',
    plate: 'IXK1L23',
    color: 'prata',
  },
  { id: 13, category: 'Bike', name: 'Luan Freitas', vehicle: 'Bicicleta', plate: '', color: 'laranja' },
  { id: 14, category: 'Bike', name: 'Mirela Costa', vehicle: 'Bicicleta', plate: '', color: 'preta' },
];

interface MoreCompany {
  id: number;
  name: string;
  document: string;
  phone: string;
  identifier: string;
  category: VehicleCategory;
  pickup: readonly [street: string, metres: number];
}

const moreCompanies: readonly MoreCompany[] = [
  {
    id: 3,
    name: 'Restaurante Figueira',
    document: '22333444000181',
    phone: '5133332001',
    identifier: 'restaurante-figueira',
    category: 'Moto',
    pickup: ['Rua General Lima e Silva', 640],
  },
  {
    id: 4,
    name: 'Floricultura Jacarandá',
    document: '33444555000181',
    phone: '5133332002',
    identifier: 'floricultura-jacaranda',
    category: 'Bike',
    pickup: ['Avenida Cristóvão Colombo', 900],
  },
  {
    id: 5,
    name: 'Eletro Farrapos',
    document: '44555666000181',
    phone: '5133332003',
    identifier: 'eletro-farrapos',
    category: 'Carro',
    pickup: ['Avenida Farrapos', 1200],
  },
];

export interface Sender {
  companyId: number;
  pickup: Address;
  /** What it orders, one as often as the other. */
  categories: readonly VehicleCategory[];
}

let senders: readonly Sender[] | undefined;

/** The companies that order in the demonstration. */
export function demoSenders(): readonly Sender[] {
  senders ??= [
    { companyId: 1, pickup: demoPickups.bakery, categories: ['Moto', 'Moto', 'Bike'] },
    { companyId: 2, pickup: demoPickups.pharmacy, categories: ['Moto', 'Moto', 'Moto', 'Bike'] },
    ...moreCompanies.map((company) => ({
      companyId: company.id,
      pickup: pickupOf(company),
      categories: [company.category, company.category, 'Moto'] as const,
    })),
  ];
  return senders;
}

function pickupOf({ pickup: [street, metres] }: MoreCompany): Address {
  const { number, district, position } = doorOn(street, metres);
  return { ...demoPickups.bakery, address: `${street}, ${number}`, district, position };
}

export const NO_PROOF_RULES = {
  proofPhoto: null,
  proofSignature: null,
  proofName: null,
  proofAmount: null,
} as const;

/** The companies and drivers of the full demonstration. The new drivers begin to work after the history is written. */
export async function addFleet(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const categories = await findCategories(tx, centralId);
  for (const [index, category] of FIRST_DRIVERS.entries()) {
    const driver = await findDriver(tx, centralId, index + 1);
    if (driver)
      await updateDriver(tx, centralId, driver.id, { ...driver, categoryIds: [categories.get(category)!] });
  }
  for (const { id, category, ...driver } of moreDrivers) {
    const driverId = await insertDriver(tx, centralId, {
      ...driver,
      phone: `519999900${String(id).padStart(2, '0')}`,
      active: true,
      categoryIds: [categories.get(category)!],
      companyIds: [],
      simulated: true,
    });
    const username = `${demoCentrals[0]!.driverLogin}${id}`;
    await createUser(tx, centralId, { username, password: DEMO_PASSWORD, role: 'driver', driverId });
  }
  for (const company of moreCompanies) {
    const { id, category, pickup: _pickup, ...values } = company;
    const companyId = await createCompany(tx, centralId, {
      ...values,
      // Other numbers than that of the example in the API's document, so that the example can be sent as it is.
      contractNumber: `C-110${id}`,
      defaultCategoryId: categories.get(category)!,
      needsRelease: false,
      failureRules: null,
      supportText: null,
      ...NO_PROOF_RULES,
      active: true,
    });
    await insertCompanyAddress(tx, centralId, companyId, { ...pickupOf(company), ...SHOP }, now);
  }
}

/** The default pickup of a company. */
export const SHOP = {
  kind: 'pickup',
  name: 'Loja',
  recipientName: null,
  recipientPhone: null,
  isDefault: true,
} as const;

/** The new drivers go on duty, each at the door of a company. */
export async function beginShifts(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const places = demoSenders().map(({ pickup }) => pickup.position);
  for (const { id } of moreDrivers) {
    await markAvailable(tx, centralId, id, true);
    const position = places[id % places.length]!;
    await upsertPositions(tx, [{ centralId, driverId: id, position, at: now }]);
  }
}
