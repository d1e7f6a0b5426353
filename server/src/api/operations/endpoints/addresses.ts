import type { Static } from 'typebox';
import Type from 'typebox';
import { checkAddress } from '../../deliveries/checkAddress.ts';
import { correctStop } from '../../deliveries/correctStop.ts';
import { saveCorrection } from '../../geocoding/correctedGeocoder.ts';
import { type FoundAddress, type Geocoder, GeocodingUnavailable } from '../../geocoding/geocoder.ts';
import { endpoint, type RequestContext } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { precisionCode } from '../../wire/codes.ts';
import { dataAnswer, messageAnswer, nullable } from '../../wire/values.ts';
import { given, optionalText, recordId, requiredText } from '../wire/fields.ts';
import { positionFields } from '../wire/knownAddress.ts';

/** The centre of the visible map. Both coordinates are needed. */
const near = Type.Optional(Type.Object(positionFields, { description: 'entre iguais, vale o mais próximo' }));

const FoundSchema = Type.Object({
  rua: Type.String({ description: 'vazia para um bairro ou município' }),
  numero: nullable(Type.Integer()),
  bairro: Type.String(),
  cidade: Type.String(),
  estado: Type.String(),
  cep: nullable(Type.String({ description: '8 dígitos' })),
  lat: Type.Number(),
  lng: Type.Number(),
  precisao: Type.Enum(Object.values(precisionCode)),
  erro_metros: Type.Integer(),
  fonte: Type.String(),
});

const formatFound = (found: FoundAddress): Static<typeof FoundSchema> => ({
  rua: found.street,
  numero: found.number,
  bairro: found.district,
  cidade: found.city,
  estado: found.state,
  cep: found.postcode,
  lat: found.position.lat,
  lng: found.position.lng,
  precisao: precisionCode[found.precision],
  erro_metros: found.errorMetres,
  fonte: found.source,
});

const foundExample: Static<typeof FoundSchema> = {
  rua: 'Rua dos Andradas',
  numero: 1001,
  bairro: 'Centro Histórico',
  cidade: 'Porto Alegre',
  estado: 'RS',
  cep: '90020007',
  lat: -30.0305,
  lng: -51.2303,
  precisao: 'numero',
  erro_metros: 10,
  fonte: 'addresses',
};

/** Returns `none` if the central has no geocoder. */
async function ask<Answer>(
  { deps, caller }: RequestContext,
  none: Answer,
  question: (geocoder: Geocoder) => Promise<Answer>,
): Promise<Answer> {
  const geocoder = deps.geocoders.of(caller.central);
  if (!geocoder) return none;
  try {
    return await question(geocoder);
  } catch (error) {
    if (error instanceof GeocodingUnavailable) throw new Refusal('geocoding-unavailable');
    throw error;
  }
}

const TAG = 'Operação: endereços';
const SUGGESTED_MAX = 20;
const SUGGESTED_USUAL = 8;

export const searchAddressesEndpoint = endpoint({
  method: 'POST',
  path: '/enderecos/buscar',
  readOnly: true,
  tag: TAG,
  summary: 'Sugerir endereços enquanto se digita',
  description:
    'Rua com ou sem número, bairro, cidade ou CEP, em qualquer ordem usual e com erros de digitação. Uma lista vazia ' +
    'quando nada se parece; ativo diz se a central tem quem encontre endereços.',
  permission: 'watch',
  limit: 'operations',
  refusals: ['geocoding-unavailable'],
  body: Type.Object({
    texto: Type.String({ minLength: 1, maxLength: 200 }),
    perto_de: near,
    limite: Type.Optional(Type.Integer({ minimum: 1, maximum: SUGGESTED_MAX })),
  }),
  bodyExample: { texto: 'andradas 1001', perto_de: { lat: -30.03, lng: -51.23 } },
  answer: dataAnswer(Type.Object({ ativo: Type.Boolean(), enderecos: Type.Array(FoundSchema) })),
  answerExample: { success: true, data: { ativo: true, enderecos: [foundExample] } },
  async handle({ deps, caller, body }) {
    const found = await ask({ deps, caller }, [], (geocoder) =>
      geocoder.search(body.texto, body.perto_de, body.limite ?? SUGGESTED_USUAL),
    );
    return {
      data: {
        ativo: deps.geocoders.isOn(caller.central.settings),
        enderecos: found.map(formatFound),
      },
    };
  },
});

const addressFields = {
  endereco: requiredText(),
  bairro: optionalText(),
  cidade: optionalText(),
  estado: optionalText(20),
};

const addressExample = {
  endereco: 'Rua dos Andradas, 1001',
  bairro: 'Centro Histórico',
  cidade: 'Porto Alegre',
  estado: 'RS',
};

export const locateAddressEndpoint = endpoint({
  method: 'POST',
  path: '/enderecos/localizar',
  readOnly: true,
  tag: TAG,
  summary: 'Localizar um endereço',
  description: 'Como um pedido sem coordenadas o localizaria; nulo quando não é encontrado. Nada é gravado.',
  permission: 'watch',
  limit: 'operations',
  refusals: ['geocoding-unavailable'],
  body: Type.Object({ ...addressFields, cep: optionalText(10), perto_de: near }),
  bodyExample: addressExample,
  answer: dataAnswer(nullable(FoundSchema)),
  answerExample: { success: true, data: foundExample },
  async handle({ deps, caller, body }) {
    const found = await ask({ deps, caller }, null, (geocoder) =>
      geocoder.geocode({
        line: body.endereco,
        district: given(body.bairro),
        city: given(body.cidade),
        state: given(body.estado),
        postcode: given(body.cep),
        near: body.perto_de,
      }),
    );
    return { data: found && formatFound(found) };
  },
});

export const reverseAddressEndpoint = endpoint({
  method: 'POST',
  path: '/enderecos/reverso',
  readOnly: true,
  tag: TAG,
  summary: 'Encontrar o endereço de um ponto',
  description: 'O endereço conhecido mais próximo; nulo quando não há nenhum perto.',
  permission: 'watch',
  limit: 'operations',
  refusals: ['geocoding-unavailable'],
  body: Type.Object(positionFields),
  bodyExample: { lat: -30.0305, lng: -51.2303 },
  answer: dataAnswer(nullable(FoundSchema)),
  answerExample: { success: true, data: foundExample },
  async handle({ deps, caller, body }) {
    const found = await ask({ deps, caller }, null, (geocoder) => geocoder.reverse(body));
    return { data: found && formatFound(found) };
  },
});

const correctionExample = { ...foundExample, cep: null, fonte: 'correction' };

export const correctAddressEndpoint = endpoint({
  method: 'POST',
  path: '/enderecos/correcoes',
  tag: TAG,
  summary: 'Corrigir a posição de um endereço',
  description: 'A central passa a encontrar o endereço neste ponto, antes de qualquer outra fonte.',
  permission: 'desk',
  limit: 'operations',
  refusals: ['address-without-street'],
  body: Type.Object({ ...addressFields, ...positionFields }),
  bodyExample: { ...addressExample, lat: -30.0306, lng: -51.2301 },
  answer: dataAnswer(FoundSchema),
  answerExample: { success: true, data: correctionExample },
  async handle({ deps, caller, body }) {
    const parts = {
      line: body.endereco,
      district: given(body.bairro),
      city: given(body.cidade),
      state: given(body.estado),
    };
    const place = { lat: body.lat, lng: body.lng };
    const found = await deps.db.begin((tx) =>
      saveCorrection(tx, caller.centralId, parts, place, 'operator', deps.clock.now()),
    );
    return { data: formatFound(found) };
  },
});

export const correctStopEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/corrigir-posicao',
  tag: TAG,
  summary: 'Corrigir a posição do endereço de uma parada',
  description:
    'Pelo entregador que leva a entrega, à porta, ou pela central. Os próximos pedidos para o endereço são localizados ' +
    'neste ponto; a rota e o valor desta entrega não mudam.',
  permission: 'drive',
  limit: 'operations',
  refusals: [
    'delivery-not-found',
    'delivery-handed-over',
    'delivery-grouped',
    'stop-not-found',
    'address-without-street',
  ],
  body: Type.Object(positionFields),
  bodyExample: { lat: -30.0306, lng: -51.2301 },
  answer: dataAnswer(FoundSchema),
  answerExample: { success: true, data: correctionExample },
  async handle({ deps, caller, params, body }) {
    return { data: formatFound(await correctStop(deps, caller, params.id!, params.parada_id!, body)) };
  },
});

export const checkAddressEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/conferir-endereco',
  tag: TAG,
  summary: 'Conferir um endereço de uma entrega em curso',
  description:
    'Sem posicao, o ponto encontrado está certo. Com ela, a parada (ou a partida, quando parada_id é nulo) passa a ' +
    'este ponto, o entregador o vê, e os próximos pedidos para o endereço são localizados nele; o valor combinado não muda.',
  permission: 'dispatch',
  limit: 'operations',
  refusals: ['delivery-not-found', 'stop-not-found', 'delivery-over', 'delivery-grouped'],
  body: Type.Object({
    parada_id: nullable(recordId),
    posicao: Type.Optional(nullable(Type.Object(positionFields))),
  }),
  bodyExample: { parada_id: null, posicao: { lat: -30.0306, lng: -51.2301 } },
  answer: messageAnswer,
  answerExample: { success: true, message: 'endereço conferido' },
  async handle({ deps, caller, params, body, language }) {
    await checkAddress(deps, caller, params.id!, {
      stopId: body.parada_id,
      position: body.posicao ?? null,
    });
    return { message: language === 'en' ? 'address checked' : 'endereço conferido' };
  },
});
