import type { Role } from '../../centrals/caller.ts';
import { statusCode } from '../../contract/wire/codes.ts';
import type { OfferState } from '../../deliveries/offerStore.ts';
import type { Status } from '../../deliveries/status.ts';
import type { PriceLineKind } from '../../estimates/price.ts';
import type { Profile } from '../../routing/router.ts';

export const profileCode = {
  motorcycle: 'moto',
  car: 'carro',
  bicycle: 'bicicleta',
} as const satisfies Record<Profile, string>;
export const profileByCode = turned(profileCode);

export const roleCode = {
  operator: 'operador',
  integrator: 'integrador',
  manager: 'gerente',
  driver: 'condutor',
} as const satisfies Record<Role, string>;
export const roleByCode = turned(roleCode);

export const priceLineCode = {
  base: 'bandeirada',
  distance: 'distancia',
  time: 'tempo',
  'extra-stops': 'paradas_extras',
  'way-back': 'retorno',
  window: 'horario',
  'minimum-fare': 'minimo',
  coupon: 'cupom',
} as const satisfies Record<PriceLineKind, string>;

/** As a central's people tell them apart: what awaits release is not pending, and what is on hold not accepted. */
export const fullStatusCode = { ...statusCode, awaiting_release: 'L' } as const satisfies Record<
  Status,
  string
>;

export const offerStateCode = {
  open: 'aberta',
  refused: 'recusada',
  expired: 'expirada',
  accepted: 'aceita',
  withdrawn: 'retirada',
} as const satisfies Record<OfferState, string>;

/** The same list, read the other way round. */
function turned<Word extends string, Code extends string>(codes: Readonly<Record<Word, Code>>) {
  return Object.fromEntries(Object.entries(codes).map(([word, code]) => [code, word])) as Record<Code, Word>;
}
