import type { Position } from '../../../platform/kernel/position.ts';
import { parseAddress } from '../embedded/parseAddress.ts';
import {
  type FoundAddress,
  type Geocoder,
  GeocodingUnavailable,
  type Precision,
  QuestionRefused,
} from '../geocoder.ts';
import {
  askService,
  degrees,
  lineOf,
  listIn,
  nonsense,
  objectIn,
  positionIn,
  type ServiceOptions,
  textOf,
  toFound,
  withoutTrailingSlash,
} from './service.ts';

const SOURCE = 'google';
const BIAS_DEGREES = 0.5;

/** Google's Geocoding API, and commercial services that answer in its form: a key, components, a location type. */
export function google(url: string, key: string, options: ServiceOptions): Geocoder {
  const base = withoutTrailingSlash(url);
  async function ask(
    query: Record<string, string | undefined>,
    asked: number | null,
  ): Promise<FoundAddress[]> {
    const answer = await askService(base, { ...query, language: 'pt-BR', key }, options);
    if (answer === null) return [];
    const { status, results } = objectIn(answer, 'the answer');
    if (status === 'ZERO_RESULTS') return [];
    if (status === 'INVALID_REQUEST') throw new QuestionRefused('the geocoding service refused the question');
    // Texts of the answer are not quoted, because they may contain the key.
    if (status !== 'OK')
      throw new GeocodingUnavailable(`the geocoding service refused: ${String(status).slice(0, 40)}`);
    return listIn(results, 'the results').map((item) => toAnswer(item, asked));
  }
  const find = (text: string, near: Position | undefined): Promise<FoundAddress[]> =>
    ask(
      { address: text, components: 'country:BR', bounds: near && boundsAround(near) },
      parseAddress(text).number,
    );
  return {
    name: SOURCE,
    search: async (text, near, limit) => (await find(text, near)).slice(0, limit),
    geocode: async (parts) => (await find(lineOf(parts), parts.near))[0] ?? null,
    reverse: async ({ lat, lng }) =>
      (await ask({ latlng: `${degrees(lat)},${degrees(lng)}` }, null))[0] ?? null,
  };
}

function toAnswer(item: unknown, asked: number | null): FoundAddress {
  const result = objectIn(item, 'a result');
  const geometry = objectIn(result.geometry, 'the geometry');
  const location = objectIn(geometry.location, 'the location');
  const parts: Record<string, unknown> = {};
  for (const each of listIn(result.address_components, 'the components')) {
    const component = objectIn(each, 'a component');
    for (const type of listIn(component.types, 'the types'))
      if (typeof type === 'string')
        parts[type] ??= type === 'administrative_area_level_1' ? component.short_name : component.long_name;
  }
  const types = listIn(result.types ?? [], 'the types');
  const street = textOf(parts, 'route');
  return toFound(
    {
      street,
      houseNumber: textOf(parts, 'street_number'),
      district: textOf(parts, 'sublocality_level_1', 'sublocality', 'neighborhood'),
      city: textOf(parts, 'administrative_area_level_2', 'locality'),
      state: textOf(parts, 'administrative_area_level_1'),
      postcode: textOf(parts, 'postal_code'),
      position: positionIn(location.lat, location.lng),
      precision: precisionOf(types, street),
      isEstimated: isEstimated(geometry.location_type),
      source: SOURCE,
    },
    asked,
  );
}

function isEstimated(type: unknown): boolean {
  if (typeof type !== 'string') throw nonsense('the location type is no text');
  return type !== 'ROOFTOP';
}

function precisionOf(types: readonly unknown[], street: string): Precision {
  if (street !== '') return 'street';
  if (types.includes('postal_code')) return 'postcode';
  return types.includes('sublocality') || types.includes('neighborhood') ? 'district' : 'municipality';
}

const boundsAround = ({ lat, lng }: Position): string =>
  [
    `${degrees(lat - BIAS_DEGREES)},${degrees(lng - BIAS_DEGREES)}`,
    `${degrees(lat + BIAS_DEGREES)},${degrees(lng + BIAS_DEGREES)}`,
  ].join('|');
