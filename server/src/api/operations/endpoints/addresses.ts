import Type from 'typebox';
import { checkAddress } from '../../../deliveries/deliveries/checkAddress.ts';
import { type FoundAddress, type Geocoder, GeocodingUnavailable } from '../../../geo/geocoding/geocoder.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { endpoint, type RequestContext } from '../../http/endpoint.ts';
import { precisionCode } from '../../json/codes.ts';
import { dataAnswer, messageAnswer, nullable } from '../../json/values.ts';
import { code, integer, number, text, view } from '../../json/view.ts';
import { given, optionalText, requiredText, sentIdOrNull } from '../wire/fields.ts';
import { positionFields } from '../wire/knownAddress.ts';

/** The centre of the visible map. Both coordinates are needed. */
const near = Type.Optional(Type.Object(positionFields, { description: 'entre iguais, vale o mais próximo' }));

export const foundAddress = view<FoundAddress>()({
  rua: text((found) => found.street, 'Rua dos Andradas', 'vazia para um bairro ou município'),
  numero: integer.orNull((found) => found.number, 1001),
  bairro: text((found) => found.district, 'Centro Histórico'),
  cidade: text((found) => found.city, 'Porto Alegre'),
  estado: text((found) => found.state, 'RS'),
  cep: text.orNull((found) => found.postcode, '90020007', '8 dígitos'),
  lat: number((found) => found.position.lat, -30.0305),
  lng: number((found) => found.position.lng, -51.2303),
  precisao: code(precisionCode)((found) => found.precision, 'numero'),
  erro_metros: integer((found) => found.errorMetres, 10),
  fonte: text((found) => found.source, 'addresses'),
});

/** An address that may not be found. */
const foundOrNull = {
  answer: dataAnswer(nullable(foundAddress.schema)),
  answerExample: { success: true, data: foundAddress.example },
} as const;

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

export const TAG = 'Operação: endereços';
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
  answer: dataAnswer(Type.Object({ ativo: Type.Boolean(), enderecos: Type.Array(foundAddress.schema) })),
  answerExample: { success: true, data: { ativo: true, enderecos: [foundAddress.example] } },
  async handle({ deps, caller, body }) {
    const found = await ask({ deps, caller }, [], (geocoder) =>
      geocoder.search(body.texto, body.perto_de, body.limite ?? SUGGESTED_USUAL),
    );
    return {
      data: {
        ativo: deps.geocoders.isOn(caller.central.settings),
        enderecos: found.map((each) => foundAddress.show(each, undefined)),
      },
    };
  },
});

export const addressFields = {
  endereco: requiredText(),
  bairro: optionalText(),
  cidade: optionalText(),
  estado: optionalText(20),
};

export const addressExample = {
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
  ...foundOrNull,
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
    return { data: found && foundAddress.show(found, undefined) };
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
  ...foundOrNull,
  async handle({ deps, caller, body }) {
    const found = await ask({ deps, caller }, null, (geocoder) => geocoder.reverse(body));
    return { data: found && foundAddress.show(found, undefined) };
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
    parada_id: sentIdOrNull(),
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
