import type { Static } from 'typebox';
import Type from 'typebox';
import type { KnownAddress } from '../../../registers/companies/companyAddress.ts';
import { number, text, view } from '../../json/view.ts';
import { addressFields, stateOf } from './commonFields.ts';
import { given, optionalText, requiredText } from './fields.ts';

/** A position in this interface. */
export const positionFields = {
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
};

/** A known address of a company in requests. */
export const KnownAddressBody = {
  endereco: requiredText(),
  complemento: optionalText(),
  referencia: optionalText(),
  bairro: requiredText(),
  cidade: optionalText(),
  estado: optionalText(2),
  ...positionFields,
  nome_destinatario: optionalText(),
  telefone_destinatario: optionalText(30),
};

/** The fields of a known address in answers. */
export const knownAddressFields = {
  ...addressFields({ endereco: 'Rua Padre Chagas, 185', bairro: 'Moinhos de Vento' }),
  estado: stateOf,
  lat: number(({ position }: KnownAddress) => position.lat, -30.0263),
  lng: number(({ position }: KnownAddress) => position.lng, -51.2022),
  nome_destinatario: text.orNull((known: KnownAddress) => known.recipientName, 'Maria Oliveira'),
  telefone_destinatario: text.orNull((known: KnownAddress) => known.recipientPhone, '51991110001'),
};
export const knownAddress = view<KnownAddress>()(knownAddressFields);

const bodySchema = Type.Object(KnownAddressBody);

export const parseKnown = (body: Static<typeof bodySchema>): KnownAddress => ({
  address: body.endereco,
  complement: given(body.complemento),
  reference: given(body.referencia),
  district: body.bairro,
  city: given(body.cidade) ?? '',
  state: given(body.estado) ?? '',
  position: { lat: body.lat, lng: body.lng },
  recipientName: given(body.nome_destinatario),
  recipientPhone: given(body.telefone_destinatario),
});
