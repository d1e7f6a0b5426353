import type { Central, Settings } from '../../centrals/central.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { correctedGeocoder } from './correctedGeocoder.ts';
import { embeddedGeocoder } from './embedded/embeddedGeocoder.ts';
import { findCurrentSetId } from './embedded/lookupStore.ts';
import { type Geocoder, GeocodingUnavailable } from './geocoder.ts';
import { google } from './overHttp/google.ts';
import { type GuardedGeocoder, guardedGeocoder } from './overHttp/guardedGeocoder.ts';
import { nominatim } from './overHttp/nominatim.ts';
import { photon } from './overHttp/photon.ts';

/** The choices of a central, or of the configuration for all centrals. */
export const GEOCODERS = ['auto', 'off', 'addresses', 'nominatim', 'photon', 'google'] as const;
export type GeocoderChoice = (typeof GEOCODERS)[number];

export interface GeocodingConfig {
  /** For centrals set to `auto`: imported addresses if there are any, else none. */
  geocoder: GeocoderChoice;
  nominatimUrl: string | undefined;
  photonUrl: string | undefined;
  googleUrl: string | undefined;
  googleKey: string | undefined;
}

export const noServices: GeocodingConfig = {
  geocoder: 'auto',
  nominatimUrl: undefined,
  photonUrl: undefined,
  googleUrl: undefined,
  googleKey: undefined,
};

/** The geocoder of each central. */
export interface Geocoders {
  /** Whether addresses may come without coordinates. */
  isOn(settings: Settings): boolean;
  /** With the central's corrections. Undefined if `isOn` is false. */
  of(central: Pick<Central, 'id' | 'settings'>): Geocoder | undefined;
  /** To be called when addresses were imported. */
  refresh(): Promise<void>;
  /** For metrics. */
  figures(): { name: string; counters: ReturnType<GuardedGeocoder['counters']> }[];
}

const TIMEOUT_MS = 3000;

/**
 * One geocoder of each kind, shared by all centrals. URLs and keys come from the configuration only: a central
 * chooses among services but cannot set a URL, and without one nothing leaves the machine.
 */
export async function openGeocoders(db: Database, clock: Clock, config: GeocodingConfig): Promise<Geocoders> {
  const services = new Map<string, GuardedGeocoder>();
  const embedded = embeddedGeocoder(db);
  let hasAddresses = false;
  const refresh = async (): Promise<void> => {
    hasAddresses = (await findCurrentSetId(db)) !== null;
  };
  await refresh();

  const service = (name: string, open: () => Geocoder): Geocoder => {
    let opened = services.get(name);
    if (!opened) {
      opened = guardedGeocoder(open(), { timeoutMs: TIMEOUT_MS, clock });
      services.set(name, opened);
    }
    return opened;
  };
  const choiceOf = ({ geocoding }: Settings): Exclude<GeocoderChoice, 'auto'> => {
    const choice = geocoding === 'auto' ? config.geocoder : geocoding;
    if (choice === 'auto') return hasAddresses ? 'addresses' : 'off';
    return choice;
  };
  const options = { timeoutMs: TIMEOUT_MS };
  const plain = (choice: Exclude<GeocoderChoice, 'auto'>): Geocoder | undefined => {
    const { nominatimUrl, photonUrl, googleUrl, googleKey } = config;
    switch (choice) {
      case 'off':
        return undefined;
      case 'addresses':
        return embedded;
      case 'nominatim':
        return nominatimUrl
          ? service(choice, () => nominatim(nominatimUrl, options))
          : noAddress('NOMINATIM');
      case 'photon':
        return photonUrl ? service(choice, () => photon(photonUrl, options)) : noAddress('PHOTON');
      case 'google':
        return googleUrl && googleKey
          ? service(choice, () => google(googleUrl, googleKey, options))
          : noAddress('GOOGLE');
    }
  };
  return {
    isOn: (settings) => choiceOf(settings) !== 'off',
    of({ id, settings }) {
      const geocoder = plain(choiceOf(settings));
      return geocoder && correctedGeocoder(db, id, geocoder);
    },
    refresh,
    figures: () => [...services].map(([name, each]) => ({ name, counters: each.counters() })),
  };
}

/** A central may choose a service for which this process has no URL. */
function noAddress(service: 'NOMINATIM' | 'PHOTON' | 'GOOGLE'): Geocoder {
  const refuse = async () => {
    const setting = service === 'GOOGLE' ? 'MALOTE_GOOGLE_KEY' : `MALOTE_${service}_URL`;
    throw new GeocodingUnavailable(`the central's geocoding service is not configured: set ${setting}`);
  };
  return { name: 'none', search: refuse, geocode: refuse, reverse: refuse };
}
