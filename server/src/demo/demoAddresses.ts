import type { AddressRow } from '../geocoding/embedded/addressRow.ts';
import { beginLoad } from '../geocoding/embedded/importAddresses.ts';
import { findCurrentSetId } from '../geocoding/embedded/lookupStore.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Position } from '../kernel/position.ts';
import type { Database } from '../postgres/database.ts';
import { demoDestinations, demoPickups } from './demoCentrals.ts';
import { alongStreet, demoStreets, firstMetre } from './demoStreets.ts';

/** The distance between two doors of the same side, and the distance to the other side. */
const STEP = 20;
const ACROSS_METRES = 15;
const PORTO_ALEGRE = 4314902;
/** The level "estimated" of CNEFE. */
const QUALITY = 3;

/** Loads the addresses of the demonstration unless there are addresses already. */
export async function loadDemoAddresses(db: Database, clock: Clock): Promise<void> {
  if ((await findCurrentSetId(db)) !== null) return;
  const load = await beginLoad(db, clock, [{ name: 'demonstração', kind: 'demonstration' }]);
  for (const row of demoRows()) load.add(row);
  await load.finish();
}

/** House numbers for address suggestions on the first start; `malote addresses import` replaces them. */
function* demoRows(): Generator<AddressRow> {
  // The addresses of the demonstration's deliveries come first, because the first place of a number is kept.
  for (const { address, district, position } of [...Object.values(demoPickups), ...demoDestinations]) {
    const [street = '', number] = address.split(', ');
    yield rowOf(street, district, Number(number), position);
  }
  for (const street of demoStreets)
    for (let metre = firstMetre(street); metre <= street.reachMetres; metre += STEP / 2) {
      // The other side of the street has the odd numbers, or the even ones.
      const isAcross = Math.abs(metre - firstMetre(street)) % STEP !== 0;
      const number = street.number + metre + (isAcross ? 1 : 0);
      yield rowOf(
        street.name,
        street.district,
        number,
        alongStreet(street, metre, isAcross ? ACROSS_METRES : 0),
      );
    }
}

const rowOf = (street: string, district: string, number: number, { lat, lng }: Position): AddressRow => ({
  municipality: PORTO_ALEGRE,
  postcode: 0,
  district,
  street,
  number,
  lat,
  lng,
  quality: QUALITY,
});
