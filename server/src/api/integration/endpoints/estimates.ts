import type { Static } from 'typebox';
import Type from 'typebox';
import { locateAddresses } from '../../../deliveries/orders/locateAddresses.ts';
import { type AskedTrip, type Quote, quoteTrip } from '../../../money/pricing/estimateTrip.ts';
import { STOPS_MAX } from '../../../money/pricing/stopOrder.ts';
import { centsToNumber } from '../../../platform/kernel/money.ts';
import type { Position } from '../../../platform/kernel/position.ts';
import { type Endpoint, endpoint, type RequestContext } from '../../http/endpoint.ts';
import { formatted, parseStopCoordinates } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { creationFields, locatingRefusals, missingCoordinates } from '../../json/orderBody.ts';
import { dataAnswer } from '../../json/values.ts';

const text = Type.String({ minLength: 1, maxLength: 255 });
const state = Type.String({ minLength: 1, maxLength: 2, description: 'sigla do estado' });
const latitude = Type.Number({ minimum: -90, maximum: 90 });
const longitude = Type.Number({ minimum: -180, maximum: 180 });

/** Contract 4.1. Without a geocoder the coordinates are required. */
export const estimateFields = {
  endereco_partida: text,
  bairro_partida: text,
  cidade_partida: text,
  estado_partida: state,
  endereco_desejado: text,
  bairro_desejado: text,
  cidade_desejado: text,
  estado_desejado: state,
  lat_partida: Type.Optional(latitude),
  lng_partida: Type.Optional(longitude),
  lat_desejado: Type.Optional(latitude),
  lng_desejado: Type.Optional(longitude),
  latlng_paradas: Type.Optional(
    formatted('stop-coordinates', 'paradas antes do destino, na ordem da visita: lat,lng|lat,lng'),
  ),
  categoria_id: creationFields.categoria_id,
  categoria_nome: creationFields.categoria_nome,
  com_retorno: creationFields.com_retorno,
  codigo_cupom: creationFields.codigo_cupom,
};

const EstimateBody = Type.Object(estimateFields);
type EstimateInput = Static<typeof EstimateBody>;

/** The destination is a stop like the others: together they must fit a request. */
export const checkStopCount: Check = ({ latlng_paradas: stops }): Problem[] => {
  const between = typeof stops === 'string' ? (parseStopCoordinates(stops)?.length ?? 0) : 0;
  if (between < STOPS_MAX) return [];
  return [
    {
      field: 'latlng_paradas',
      pt: `deve ter no máximo ${STOPS_MAX - 1} paradas além do destino, e tem ${between}`,
      en: `must have at most ${STOPS_MAX - 1} stops beside the destination, and has ${between}`,
    },
  ];
};

/** Coordinates may be missing where the central has a geocoder. */
export const estimateProblems: NonNullable<Endpoint['furtherProblems']> = (body, context) => [
  ...missingCoordinates(body, ['lat_partida', 'lng_partida'], '', context),
  ...missingCoordinates(body, ['lat_desejado', 'lng_desejado'], '', context),
];

type TripInput = Pick<AskedTrip, 'category' | 'pickup' | 'stops' | 'returning'>;

/** Pickup, then the stops in the order given, then the destination; addresses without coordinates are located. */
export async function parseTrip({ deps, caller }: RequestContext, body: EstimateInput): Promise<TripInput> {
  const between = parseStopCoordinates(body.latlng_paradas ?? '') ?? [];
  const { pickup, stops } = await locateAddresses(deps, caller.central, {
    pickup: {
      ...NOTHING_ELSE,
      address: body.endereco_partida,
      district: body.bairro_partida,
      city: body.cidade_partida,
      state: body.estado_partida,
      position: positionOf(body.lat_partida, body.lng_partida),
    },
    stops: [
      ...between.map((position) => ({
        ...NOTHING_ELSE,
        address: '',
        district: '',
        city: '',
        state: '',
        position,
      })),
      {
        ...NOTHING_ELSE,
        address: body.endereco_desejado,
        district: body.bairro_desejado,
        city: body.cidade_desejado,
        state: body.estado_desejado,
        position: positionOf(body.lat_desejado, body.lng_desejado),
      },
    ],
  });
  return {
    category: { id: body.categoria_id, name: body.categoria_nome },
    pickup: pickup.position,
    stops: stops.map(({ position }) => position),
    returning: body.com_retorno ?? false,
  };
}

const NOTHING_ELSE = { complement: null, reference: null };

const positionOf = (lat: number | undefined, lng: number | undefined): Position | null =>
  lat === undefined || lng === undefined ? null : { lat, lng };

const position = Type.Object({ lat: Type.Number(), lng: Type.Number() });

export const estimateAnswerFields = {
  estimativa_valor: Type.Number(),
  estimativa_minutos: Type.Integer(),
  estimativa_km: Type.Number(),
  categoria_nome: Type.String(),
  tarifa_nome: Type.String(),
  partida: position,
  desejado: position,
};

/** Started minutes count as whole ones; km have two decimals. */
export const formatEstimate = (
  { category, estimate }: Quote,
  { pickup, stops }: Pick<TripInput, 'pickup' | 'stops'>,
) => ({
  estimativa_valor: centsToNumber(estimate.netCents),
  estimativa_minutos: Math.ceil(estimate.seconds / 60),
  estimativa_km: Math.round(estimate.metres / 10) / 100,
  categoria_nome: category.name,
  tarifa_nome: estimate.tariff.name,
  partida: { lat: pickup.lat, lng: pickup.lng },
  desejado: { lat: stops.at(-1)!.lat, lng: stops.at(-1)!.lng },
});

/** Works unchanged on the demonstration central. */
export const estimateExample = {
  endereco_partida: 'Rua dos Andradas, 1001',
  bairro_partida: 'Centro Histórico',
  cidade_partida: 'Porto Alegre',
  estado_partida: 'RS',
  lat_partida: -30.0305,
  lng_partida: -51.2303,
  endereco_desejado: 'Avenida Ipiranga, 1200',
  bairro_desejado: 'Azenha',
  cidade_desejado: 'Porto Alegre',
  estado_desejado: 'RS',
  lat_desejado: -30.0489,
  lng_desejado: -51.2158,
  latlng_paradas: '-30.0277,-51.2287|',
  categoria_nome: 'Moto',
  com_retorno: false,
};

const answerExample = {
  success: true,
  data: {
    estimativa_valor: 18.61,
    estimativa_minutos: 13,
    estimativa_km: 5.17,
    categoria_nome: 'Moto',
    tarifa_nome: 'Moto padrão',
    partida: { lat: -30.0305, lng: -51.2303 },
    desejado: { lat: -30.0489, lng: -51.2158 },
  },
};

/** Contract 4.1. */
export const estimateDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/empresas/:id/estimativas',
  readOnly: true,
  operation: 'estimarEntrega',
  section: '4.1',
  tag: 'Empresas',
  summary: 'Estimar uma entrega para uma empresa',
  description:
    'Valor, tempo e distância da partida, pelas paradas na ordem enviada, até o destino. Sem categoria, vale a ' +
    'categoria padrão da empresa. Uma entrega aberta em seguida com os mesmos pontos custa o valor estimado.',
  permission: 'watch',
  limit: 'estimates',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'estimate-impossible',
  ],
  body: Type.Object(estimateFields, { check: checkStopCount }),
  furtherProblems: estimateProblems,
  bodyExample: estimateExample,
  answer: dataAnswer(Type.Object(estimateAnswerFields)),
  answerExample,
  async handle({ deps, caller, params, body }) {
    const trip = await parseTrip({ deps, caller }, body);
    const quote = await quoteTrip(deps, caller, {
      ...trip,
      companyId: params.id!,
      couponCode: body.codigo_cupom || null,
      countsWrongCodes: true,
      at: deps.clock.now(),
    });
    return { data: formatEstimate(quote, trip) };
  },
});

/** Contract 4.19. */
export const estimateWithoutCompanyEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/estimativas',
  readOnly: true,
  operation: 'estimarEntregaSemEmpresa',
  tag: 'Entregas',
  summary: 'Estimar uma entrega sem informar a empresa',
  description:
    'Como a estimativa para uma empresa. Um usuário da central estima uma entrega não corporativa; para um gerente ' +
    'vale a própria empresa, como na criação. Sem categoria, vale a categoria ativa mais antiga da central ou, para ' +
    'um gerente, a categoria padrão da empresa.',
  permission: 'watch',
  limit: 'estimates',
  refusals: [
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'estimate-impossible',
  ],
  body: Type.Object(estimateFields, { check: checkStopCount }),
  furtherProblems: estimateProblems,
  bodyExample: estimateExample,
  answer: dataAnswer(Type.Object(estimateAnswerFields)),
  answerExample,
  async handle({ deps, caller, body }) {
    const trip = await parseTrip({ deps, caller }, body);
    const quote = await quoteTrip(deps, caller, {
      ...trip,
      companyId: caller.companyId,
      couponCode: body.codigo_cupom || null,
      countsWrongCodes: true,
      at: deps.clock.now(),
    });
    return { data: formatEstimate(quote, trip) };
  },
});
