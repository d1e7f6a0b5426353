import type { Central } from '../../centrals/central.ts';
import {
  type FoundAddress,
  type Geocoder,
  GeocodingUnavailable,
  isAsPrecise,
} from '../../geo/geocoding/geocoder.ts';
import type { Geocoders } from '../../geo/geocoding/geocoders.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Address, Order, OrderedStop } from './request.ts';

/** An address as callers send it, with or without coordinates. */
export type SentAddress<Each extends Address = Address> = Omit<Each, 'position' | 'located'> & {
  position: Position | null;
};

/** An order as it arrives: its addresses may lack coordinates, and it may name a key of its own. */
export type SentOrder = Omit<Order, 'pickup' | 'stops' | 'external'> & {
  pickup: SentAddress;
  stops: SentAddress<OrderedStop>[];
  externalId?: string;
};

/** The addresses of an order, an edit or an estimate. */
interface Sent<Pickup, Stop> {
  pickup: Pickup;
  stops: readonly Stop[];
}

export interface LocateDeps {
  geocoders: Geocoders;
}

/**
 * Finds the coordinates of addresses that have none. If an address is found less precisely than the central demands, it
 * is refused together with the best answer, unless the central accepts and marks such addresses. This may ask a
 * service, so it runs before any lock is taken.
 */
export async function locateAddresses<Stop extends Address, Rest extends object>(
  { geocoders }: LocateDeps,
  central: Central,
  sent: Rest & Sent<SentAddress, SentAddress<Stop>>,
): Promise<Omit<Rest, 'pickup' | 'stops'> & { pickup: Address; stops: Stop[] }> {
  const geocoder = geocoders.of(central);
  const pickup = await locate(geocoder, central, sent.pickup, undefined, undefined);
  const stops = await Promise.all(
    sent.stops.map((stop, index) => locate(geocoder, central, stop, pickup.position, index + 1)),
  );
  return { ...sent, pickup, stops: stops as unknown as Stop[] };
}

/** `stop` counts from 1; the pickup has none. */
async function locate<Each extends SentAddress>(
  geocoder: Geocoder | undefined,
  { settings }: Central,
  sent: Each,
  near: Position | undefined,
  stop: number | undefined,
): Promise<Omit<Each, 'position'> & Pick<Address, 'position' | 'located'>> {
  if (sent.position) return { ...sent, position: sent.position, located: null };
  const found = await find(geocoder, sent, near);
  if (!found)
    throw stop === undefined
      ? new Refusal('pickup-not-found')
      : new Refusal('stop-address-not-found', { stop });
  const isPrecise = isAsPrecise(found.precision, settings.addressPrecision);
  if (!isPrecise && !settings.acceptUnsureAddresses) {
    const details = { guess: describe(found), metres: found.errorMetres };
    throw stop === undefined
      ? new Refusal('pickup-unsure', details)
      : new Refusal('stop-address-unsure', { stop, ...details });
  }
  const { position, precision, source } = found;
  return { ...sent, position, located: { by: source, precision, toCheck: !isPrecise } };
}

async function find(
  geocoder: Geocoder | undefined,
  { address, district, city, state }: SentAddress,
  near: Position | undefined,
): Promise<FoundAddress | null> {
  // Validation refuses such orders without a geocoder, but it may have been turned off meanwhile.
  if (!geocoder) throw new Refusal('geocoding-unavailable');
  try {
    return await geocoder.geocode({ line: address, district, city, state, near });
  } catch (error) {
    if (error instanceof GeocodingUnavailable) throw new Refusal('geocoding-unavailable');
    throw error;
  }
}

const describe = ({ street, number, district, city, state }: FoundAddress): string =>
  [street, number, district, [city, state].filter((part) => part).join('/')]
    .filter((part) => part)
    .join(', ');
