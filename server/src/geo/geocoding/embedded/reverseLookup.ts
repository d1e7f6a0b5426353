import { haversineMetres, METRES_PER_DEGREE, type Position } from '../../../platform/kernel/position.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { FoundAddress } from '../geocoder.ts';
import { findNumbers, findStreetsWithin, type Street, type Window } from './lookupStore.ts';
import { municipalityByCode } from './municipalities.ts';
import { NumberTable } from './numberTable.ts';

/** Metres around the position, tried one after the other. */
const REACHES = [60, 250, 1500];
const STREETS_MAX = 120;
/** Nearer than this, the door is meant; farther, the stretch of street. */
const DOOR_METRES = 40;
const STRETCH_METRES = 150;

/** The address nearest to a position. */
export async function reverseLookup(db: Tx, setId: number, position: Position): Promise<FoundAddress | null> {
  for (const reach of REACHES) {
    const streets = await findStreetsWithin(db, setId, around(position, reach), STREETS_MAX);
    if (streets.length === 0) continue;
    const packed = await findNumbers(
      db,
      setId,
      streets.map(({ id }) => id),
    );
    const nearest = nearestOf(
      streets.map((street) => ({ street, table: new NumberTable(packed.get(street.id) ?? Buffer.alloc(0)) })),
      position,
    );
    if (nearest && nearest.metres <= reach) return answerOf(nearest);
  }
  return null;
}

interface Nearest {
  street: Street;
  position: Position;
  metres: number;
  number: number | null;
  postcode: number | undefined;
}

function nearestOf(
  streets: readonly { street: Street; table: NumberTable }[],
  position: Position,
): Nearest | null {
  let best: Nearest | null = null;
  for (const { street, table } of streets) {
    const middle = haversineMetres(street.position, position);
    if (middle < (best?.metres ?? Number.POSITIVE_INFINITY) && table.length === 0)
      best = {
        street,
        position: street.position,
        metres: middle,
        number: null,
        postcode: street.postcodes[0],
      };
    for (let index = 0; index < table.length; index++) {
      const metres = haversineMetres(table.positionAt(index), position);
      if (metres >= (best?.metres ?? Number.POSITIVE_INFINITY)) continue;
      const postcode = street.postcodes[table.postcodeAt(index)];
      best = { street, position: table.positionAt(index), metres, number: table.numberAt(index), postcode };
    }
  }
  return best;
}

function answerOf({ street, position, metres, number, postcode }: Nearest): FoundAddress {
  const { name: city = '', state = '' } = municipalityByCode(street.municipality) ?? {};
  const precision =
    number === null || metres > STRETCH_METRES ? 'street' : metres <= DOOR_METRES ? 'number' : 'approximate';
  return {
    street: street.name,
    number: precision === 'street' ? null : number,
    district: street.district,
    city,
    state,
    postcode: postcode === undefined ? null : String(postcode).padStart(8, '0'),
    position,
    precision,
    errorMetres: Math.max(10, Math.round(metres)),
    source: 'addresses',
  };
}

function around({ lat, lng }: Position, metres: number): Window {
  const up = metres / METRES_PER_DEGREE;
  const across = up / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  return { south: lat - up, north: lat + up, west: lng - across, east: lng + across };
}
