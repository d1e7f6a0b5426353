import type { AddressRow } from '../../src/geo/geocoding/embedded/addressRow.ts';
import { beginLoad } from '../../src/geo/geocoding/embedded/importAddresses.ts';
import { findCurrentSetId } from '../../src/geo/geocoding/embedded/lookupStore.ts';
import type { Clock } from '../../src/platform/kernel/clock.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { cityDoors, type Door } from './city/doors.ts';

const PORTO_ALEGRE = 4314902;
/** The level "estimated" of CNEFE. */
const QUALITY = 3;

/** Loads the doors of the demonstration’s city unless there are addresses already; `malote addresses import` replaces them. */
export async function loadDemoAddresses(db: Database, clock: Clock): Promise<void> {
  if ((await findCurrentSetId(db)) !== null) return;
  const load = await beginLoad(db, clock, [{ name: 'demonstração', kind: 'demonstration' }]);
  for (const door of cityDoors()) load.add(rowOf(door));
  await load.finish();
}

const rowOf = ({ street, number, district, position: { lat, lng } }: Door): AddressRow => ({
  municipality: PORTO_ALEGRE,
  postcode: 0,
  district,
  street,
  number,
  lat,
  lng,
  quality: QUALITY,
});
