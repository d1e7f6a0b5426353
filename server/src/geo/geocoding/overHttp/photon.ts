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

const SOURCE = 'photon';

const PRECISION_OF_TYPE: Record<string, Precision> = {
  house: 'street',
  street: 'street',
  locality: 'district',
  district: 'district',
};

/** A Photon server, which is made for suggestions while typing. */
export function photon(url: string, options: ServiceOptions): Geocoder {
  const base = withoutTrailingSlash(url);
  async function ask(path: string, query: Record<string, string | number | undefined>, asked: number | null) {
    const answer = await askService(`${base}/${path}`, query, options);
    if (answer === null) return [];
    return listIn(objectIn(answer, 'the answer').features, 'the features').map((item) =>
      toAnswer(item, asked),
    );
  }
  const find = (text: string, near: Position | undefined, limit: number): Promise<FoundAddress[]> =>
    ask(
      'api',
      { q: text, limit, lat: near && degrees(near.lat), lon: near && degrees(near.lng) },
      parseAddress(text).number,
    );
  return {
    name: SOURCE,
    search: find,
    geocode: async (parts) => (await find(lineOf(parts), parts.near, 1))[0] ?? null,
    reverse: async ({ lat, lng }) =>
      (await ask('reverse', { lat: degrees(lat), lon: degrees(lng), limit: 1 }, null))[0] ?? null,
  };
}

function toAnswer(item: unknown, asked: number | null): FoundAddress {
  const feature = objectIn(item, 'a feature');
  const [lng, lat] = listIn(objectIn(feature.geometry, 'the geometry').coordinates, 'the coordinates');
  const fields = objectIn(feature.properties, 'the properties');
  const type = textOf(fields, 'type');
  return toFound(
    {
      street: textOf(fields, 'street') || (type === 'street' ? textOf(fields, 'name') : ''),
      houseNumber: textOf(fields, 'housenumber'),
      district: textOf(fields, 'district', 'locality') || (type === 'district' ? textOf(fields, 'name') : ''),
      city: textOf(fields, 'city') || (type === 'city' ? textOf(fields, 'name') : ''),
      state: textOf(fields, 'state'),
      postcode: textOf(fields, 'postcode'),
      position: positionIn(lat, lng),
      precision: PRECISION_OF_TYPE[type] ?? 'municipality',
      source: SOURCE,
    },
    asked,
  );
}
