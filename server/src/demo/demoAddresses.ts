import type { AddressRow } from '../geocoding/embedded/addressRow.ts';
import { beginLoad } from '../geocoding/embedded/importAddresses.ts';
import { findCurrentSetId } from '../geocoding/embedded/lookupStore.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Position } from '../kernel/position.ts';
import type { Database } from '../postgres/database.ts';
import { demoDestinations, demoPickups } from './demoCentrals.ts';

/**
 * Addresses for typing on the first start, made for the demonstration: real names, places that are right to some
 * hundred metres, and house numbers every few metres along a straight line. `malote addresses import` replaces them.
 */
const STREETS: [address: string, district: string, lat: number, lng: number, heading: number][] = [
  ['Rua dos Andradas, 1001', 'Centro Histórico', -30.0305, -51.2303, 80],
  ['Rua Riachuelo, 1200', 'Centro Histórico', -30.0318, -51.2295, 80],
  ['Rua Duque de Caxias, 1000', 'Centro Histórico', -30.0335, -51.2305, 80],
  ['Rua Voluntários da Pátria, 500', 'Centro Histórico', -30.0262, -51.2265, 60],
  ['Rua General Lima e Silva, 700', 'Cidade Baixa', -30.0405, -51.2215, 190],
  ['Rua José do Patrocínio, 600', 'Cidade Baixa', -30.04, -51.2245, 190],
  ['Avenida Independência, 600', 'Independência', -30.0288, -51.216, 85],
  ['Avenida Venâncio Aires, 500', 'Farroupilha', -30.04, -51.2165, 100],
  ['Rua Felipe Camarão, 500', 'Bom Fim', -30.0325, -51.208, 170],
  ['Rua Vasco da Gama, 600', 'Bom Fim', -30.0313, -51.207, 95],
  ['Avenida Goethe, 200', 'Rio Branco', -30.0305, -51.2, 180],
  ['Rua 24 de Outubro, 800', 'Moinhos de Vento', -30.0245, -51.2035, 75],
  ['Avenida Cristóvão Colombo, 1500', 'Floresta', -30.0225, -51.211, 60],
  ['Avenida Farrapos, 1500', 'Floresta', -30.018, -51.211, 35],
  ['Rua Anita Garibaldi, 700', 'Mont’Serrat', -30.027, -51.1925, 90],
  ['Avenida Carlos Gomes, 500', 'Auxiliadora', -30.0245, -51.182, 200],
  ['Avenida Nilo Peçanha, 1000', 'Bela Vista', -30.0285, -51.183, 80],
  ['Rua Santana, 800', 'Santana', -30.045, -51.209, 185],
  ['Avenida José de Alencar, 700', 'Menino Deus', -30.055, -51.219, 130],
  ['Rua Barão do Gravataí, 400', 'Menino Deus', -30.0447, -51.225, 110],
  ['Avenida da Azenha, 800', 'Azenha', -30.0515, -51.2165, 165],
];

/** Where it is not known otherwise. */
const USUAL_HEADING = 90;
const PORTO_ALEGRE = 4314902;
/** Numbers to each side of the known one, and how far apart two of the same side are. */
const REACH = 400;
const STEP = 20;
const METRES_PER_DEGREE = 111_195;
/** Estimated, as CNEFE calls it. */
const QUALITY = 3;

/** Loads them unless addresses are there already. */
export async function loadDemoAddresses(db: Database, clock: Clock): Promise<void> {
  if ((await findCurrentSetId(db)) !== null) return;
  const load = await beginLoad(db, clock, [{ name: 'demonstração', kind: 'demonstration' }]);
  for (const row of demoRows()) load.add(row);
  await load.finish();
}

function* demoRows(): Generator<AddressRow> {
  // The addresses of the demonstration's deliveries first: of two places of one number the first is kept.
  for (const { address, district, position } of [...Object.values(demoPickups), ...demoDestinations]) {
    const isListed = STREETS.some(([listed]) => listed.split(',')[0] === address.split(',')[0]);
    yield* rowsAlong(address, district, position, USUAL_HEADING, isListed ? 0 : REACH);
  }
  for (const [address, district, lat, lng, heading] of STREETS)
    yield* rowsAlong(address, district, { lat, lng }, heading, REACH);
}

/** The known number at its place, and its neighbours before and behind it: a number is a metre. */
function* rowsAlong(
  address: string,
  district: string,
  at: Position,
  heading: number,
  reach: number,
): Generator<AddressRow> {
  const [street = '', text] = address.split(', ');
  const known = Number(text);
  const direction = (heading * Math.PI) / 180;
  for (let step = -reach; step <= reach; step += STEP / 2) {
    // The other side of the street has the odd numbers, or the even ones.
    const number = known + step + (Math.abs(step) % STEP === 0 ? 0 : 1);
    if (number < 1) continue;
    const aside = number % 2 === known % 2 ? 0 : 15;
    const north = Math.cos(direction) * step - Math.sin(direction) * aside;
    const east = Math.sin(direction) * step + Math.cos(direction) * aside;
    yield {
      municipality: PORTO_ALEGRE,
      postcode: 0,
      district,
      street,
      number,
      lat: at.lat + north / METRES_PER_DEGREE,
      lng: at.lng + east / (METRES_PER_DEGREE * Math.cos((at.lat * Math.PI) / 180)),
      quality: QUALITY,
    };
  }
}
