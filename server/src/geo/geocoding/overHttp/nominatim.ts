import type { Position } from '../../../platform/kernel/position.ts';
import { parseAddress } from '../embedded/parseAddress.ts';
import type { FoundAddress, Geocoder, Precision } from '../geocoder.ts';
import {
  askService,
  degrees,
  lineOf,
  listIn,
  objectIn,
  positionIn,
  type ServiceOptions,
  textOf,
  toFound,
  withoutTrailingSlash,
} from './service.ts';

const SOURCE = 'nominatim';
const COMMON = { format: 'jsonv2', addressdetails: 1 };
/** About 50 km to each side: places inside come first. */
const BIAS_DEGREES = 0.5;

/** A Nominatim server. Its search is made for whole addresses, so suggestions for a few letters are poor. */
export function nominatim(url: string, options: ServiceOptions): Geocoder {
  const base = withoutTrailingSlash(url);
  async function find(text: string, near: Position | undefined, limit: number): Promise<FoundAddress[]> {
    const answer = await askService(
      `${base}/search`,
      { ...COMMON, q: text, limit, countrycodes: 'br', viewbox: near && boxAround(near) },
      options,
    );
    const { number } = parseAddress(text);
    return listIn(answer ?? [], 'the answer').map((item) => toAnswer(item, number));
  }
  return {
    name: SOURCE,
    search: find,
    geocode: async (parts) => (await find(lineOf(parts), parts.near, 1))[0] ?? null,
    async reverse({ lat, lng }) {
      const query = { ...COMMON, lat: degrees(lat), lon: degrees(lng), zoom: 18 };
      const answer = await askService(`${base}/reverse`, query, options);
      // Nominatim answers so if it finds nothing.
      if (answer === null || 'error' in objectIn(answer, 'the answer')) return null;
      return toAnswer(answer, null);
    },
  };
}

function toAnswer(item: unknown, asked: number | null): FoundAddress {
  const place = objectIn(item, 'a place');
  const address = objectIn(place.address ?? {}, 'an address');
  const street = textOf(address, 'road', 'pedestrian', 'footway', 'square');
  return toFound(
    {
      street,
      houseNumber: textOf(address, 'house_number'),
      district: textOf(address, 'suburb', 'neighbourhood', 'quarter', 'city_district'),
      city: textOf(address, 'city', 'town', 'village', 'municipality'),
      state: textOf(address, 'ISO3166-2-lvl4').replace(/^BR-/, '') || textOf(address, 'state'),
      postcode: textOf(address, 'postcode'),
      position: positionIn(place.lat, place.lon),
      precision: precisionOf(textOf(place, 'addresstype', 'type'), street),
      source: SOURCE,
    },
    asked,
  );
}

function precisionOf(type: string, street: string): Precision {
  if (type === 'postcode') return 'postcode';
  if (/^(suburb|neighbourhood|quarter|city_district|borough|hamlet)$/.test(type)) return 'district';
  if (/^(city|town|village|municipality|county|state|country)$/.test(type)) return 'municipality';
  return street === '' ? 'municipality' : 'street';
}

const boxAround = ({ lat, lng }: Position): string =>
  [lng - BIAS_DEGREES, lat - BIAS_DEGREES, lng + BIAS_DEGREES, lat + BIAS_DEGREES].map(degrees).join(',');
