import type { Static } from 'typebox';
import Type from 'typebox';
import type { KnownAddress } from '../../companies/companyAddress.ts';
import { nullable } from '../../wire/values.ts';
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

/** The same in answers. */
export const KnownAddressSchema = {
  endereco: Type.String(),
  complemento: nullable(Type.String()),
  referencia: nullable(Type.String()),
  bairro: Type.String(),
  cidade: Type.String(),
  estado: Type.String(),
  lat: Type.Number(),
  lng: Type.Number(),
  nome_destinatario: nullable(Type.String()),
  telefone_destinatario: nullable(Type.String()),
};

const bodySchema = Type.Object(KnownAddressBody);
const shownSchema = Type.Object(KnownAddressSchema);

export const knownAddressExample: Static<typeof shownSchema> = {
  endereco: 'Rua Padre Chagas, 185',
  complemento: null,
  referencia: null,
  bairro: 'Moinhos de Vento',
  cidade: 'Porto Alegre',
  estado: 'RS',
  lat: -30.0263,
  lng: -51.2022,
  nome_destinatario: 'Maria Oliveira',
  telefone_destinatario: '51991110001',
};

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

export const formatKnown = (known: KnownAddress): Static<typeof shownSchema> => ({
  endereco: known.address,
  complemento: known.complement,
  referencia: known.reference,
  bairro: known.district,
  cidade: known.city,
  estado: known.state,
  lat: known.position.lat,
  lng: known.position.lng,
  nome_destinatario: known.recipientName,
  telefone_destinatario: known.recipientPhone,
});
