import type { Position } from '../../../platform/kernel/position.ts';
import type { PostalAddress } from '../../../platform/kernel/postalAddress.ts';
import type { Language } from '../../http/envelope.ts';
import { fullStatusCode, statusCode } from '../../json/codes.ts';
import { describeDispatchFailure } from '../../json/scheduledJson.ts';
import { cents, code, id, km, minutes, number, text, textIfAny, view } from '../../json/view.ts';

export const status = code(
  fullStatusCode,
  'as letras do contrato; L aguarda liberação e S em espera são distinguidos de P e A',
);

/** The status of a delivery, with the letters of contract 4.16. */
export const stepStatus = code(statusCode);

/** The status of a delivery that a driver carries. */
export const carriedStatus = code({ accepted: 'A', on_hold: 'S', in_progress: 'E' });

/** An item of a list of ids. */
/** The key that whoever ordered it gave it. */
export const ownKey = textIfAny(
  (order: { externalId: string | null }) => order.externalId,
  'PED-1042',
  'a chave dada por quem pediu; ausente sem ela',
);

export const oneId = id((record: number) => record, '1042');

/** A record, of which only the id and the name are shown. */
export const namedLike = (example: { id: string; nome: string }) =>
  view<{ id: number; name: string }>()({
    id: id((record) => record.id, example.id),
    nome: text((record) => record.name, example.nome),
  });
export const named = namedLike({ id: '1', nome: 'Moto' });
export const namedCompany = namedLike({ id: '1', nome: 'Padaria Moinhos' });
export const namedDriver = namedLike({ id: '1', nome: 'João Silva' });

/** Makes the record that a `namedLike` view shows from two nullable columns. Null where there is no id. */
export const namedBy = (id: number | null, name: string | null) =>
  id === null ? null : { id, name: name ?? '' };

interface ShortPlace {
  address: string;
  district: string;
}

export const shortPlaceFields = ({ endereco, bairro }: { endereco: string; bairro: string }) => ({
  endereco: text((at: ShortPlace) => at.address, endereco),
  bairro: text((at: ShortPlace) => at.district, bairro),
});

/** A place in a list: street and district only. */
export const shortPlace = view<ShortPlace>()(
  shortPlaceFields({ endereco: 'Rua dos Andradas, 1001', bairro: 'Centro Histórico' }),
);

/** Why the dispatch of a scheduled delivery failed. */
export const dispatchFailure = text.orNull(
  ({ failure }: { failure: string | null }, { language }: { language: Language }) =>
    failure && describeDispatchFailure(failure, language),
  null,
  'por que o disparo falhou, em palavras',
);

/** Example values for the documentation of the fields of an address. */
interface AddressExample {
  endereco: string;
  complemento?: string;
  bairro: string;
}

export const addressFields = ({ endereco, complemento, bairro }: AddressExample) => ({
  endereco: text((at: PostalAddress) => at.address, endereco),
  complemento: text.orNull((at: PostalAddress) => at.complement, complemento ?? null),
  referencia: text.orNull((at: PostalAddress) => at.reference, null),
  bairro: text((at: PostalAddress) => at.district, bairro),
  cidade: text((at: PostalAddress) => at.city, 'Porto Alegre'),
});

export const stateOf = text((at: PostalAddress) => at.state, 'RS');

export const positionFields = ({ lat, lng }: Position) => ({
  lat: number((at: Position) => at.lat, lat),
  lng: number((at: Position) => at.lng, lng),
});

export const position = view<Position>()(positionFields({ lat: -30.0305, lng: -51.2303 }));

export type PlaceExample = AddressExample & Position;

export const placeFields = (example: PlaceExample) => ({
  ...addressFields(example),
  estado: stateOf,
  ...positionFields(example),
});

export interface Trip {
  plannedSeconds: number;
  plannedMetres: number;
  netCents: number;
}

/** Duration, distance and price of a trip. */
export const tripFields = (example: { minutos: number; km: number; valor: string }) => ({
  minutos: minutes((trip: Trip) => trip.plannedSeconds, example.minutos),
  km: km((trip: Trip) => trip.plannedMetres, example.km),
  valor: cents((trip: Trip) => trip.netCents, example.valor),
});
