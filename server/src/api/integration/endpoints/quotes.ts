import type { Static } from 'typebox';
import Type from 'typebox';
import { promisedRange } from '../../../deliveries/deliveries/promise.ts';
import { locateAddresses } from '../../../deliveries/orders/locateAddresses.ts';
import { quoteOrder } from '../../../deliveries/orders/quoteOrder.ts';
import { assertInFuture } from '../../../deliveries/scheduled/scheduled.ts';
import { centsToDecimal } from '../../../platform/kernel/money.ts';
import { type Endpoint, endpoint, type RequestContext } from '../../http/endpoint.ts';
import type { Problem } from '../../http/invalidInput.ts';
import { priceLineCode } from '../../json/codes.ts';
import {
  creationFields,
  creationProblems,
  locatingRefusals,
  missingCoordinates,
  orderExample,
  parseCreation,
  ScheduleBody,
} from '../../json/orderBody.ts';
import { dataAnswer, formatUtc, parseLocal } from '../../json/values.ts';
import { estimateAnswerFields, formatEstimate } from './estimates.ts';

const moment = Type.String({ description: 'ISO 8601, UTC' });
const { data, hora } = ScheduleBody.properties;

/** A creation's fields. What decides neither price nor route may be missing. */
const quoteFields = {
  ...creationFields,
  forma_pagamento: Type.Optional(creationFields.forma_pagamento),
  paradas: Type.Optional(creationFields.paradas),
  destino: Type.Optional(creationFields.partida),
  data: Type.Optional(data),
  hora: Type.Optional(hora),
};
const QuoteBody = Type.Object(quoteFields);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Either `paradas` or a single `destino`, and a date only with a time. */
const quoteProblems: NonNullable<Endpoint['furtherProblems']> = (body, context) => {
  const problems: Problem[] = [...creationProblems(body, context)];
  if (isGiven(body.paradas) === isGiven(body.destino))
    problems.push({
      field: 'paradas',
      pt: 'envie paradas, ou um único destino',
      en: 'send paradas, or a single destino',
    });
  if (isGiven(body.data) !== isGiven(body.hora))
    problems.push({
      field: isGiven(body.data) ? 'hora' : 'data',
      pt: 'data e hora do disparo são enviadas juntas',
      en: 'date and time of the dispatch are sent together',
    });
  const { destino } = body;
  if (typeof destino === 'object' && destino !== null)
    problems.push(...missingCoordinates({ ...destino }, ['lat', 'lng'], 'destino.', context));
  return problems;
};

type QuoteInput = Static<typeof QuoteBody>;

/** The stops of an order with this destination alone. */
const stopsOf = ({ paradas, destino }: QuoteInput): NonNullable<QuoteInput['paradas']> => {
  if (paradas || !destino) return paradas ?? [];
  const { endereco, bairro, complemento, referencia, cidade, estado, lat, lng } = destino;
  return [
    {
      endereco_parada: endereco,
      bairro_parada: bairro,
      complemento_parada: complemento ?? null,
      referencia_parada: referencia ?? null,
      cidade_parada: cidade ?? null,
      estado_parada: estado ?? null,
      ...(lat !== undefined && { lat_parada: lat }),
      ...(lng !== undefined && { lng_parada: lng }),
    },
  ];
};

function dispatchOf({ data: day, hora: time }: QuoteInput, { deps, caller }: RequestContext) {
  if (!day || !time) return null;
  const now = deps.clock.now();
  const dispatchAt = parseLocal(day, time, caller.central.timeZone, now);
  assertInFuture(dispatchAt, now);
  return dispatchAt;
}

const quoteExample = { ...orderExample, com_retorno: false };

/** Contract 4.28. */
export const createQuoteEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/cotacoes',
  operation: 'criarCotacao',
  tag: 'Entregas',
  summary: 'Cotar um pedido por um preço que vale por alguns minutos',
  description:
    'O corpo de uma criação, ou só o que decide preço e rota: quem pede, categoria, cupom, partida, paradas (ou um ' +
    'único destino), retorno, e data e hora de uma programada. Um pedido que envia cotacao_id até valida_ate custa ' +
    'exatamente o valor cotado. Cada cotação vale para um pedido.',
  permission: 'order',
  limit: 'estimates',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'dispatch-in-the-past',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'estimate-impossible',
  ],
  body: QuoteBody,
  furtherProblems: quoteProblems,
  bodyExample: quoteExample,
  answer: dataAnswer(
    Type.Object({
      cotacao_id: Type.String(),
      valida_ate: moment,
      ...estimateAnswerFields,
      valor_original: Type.String({ description: 'antes do cupom' }),
      linhas: Type.Array(
        Type.Object({ tipo: Type.Enum(Object.values(priceLineCode)), valor: Type.String() }),
      ),
      chegada: Type.Object({ de: moment, ate: moment }, { description: 'ao último destino' }),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      cotacao_id: 'cot_Qx3v0m2kT5uYw8ZrB1nCdA',
      valida_ate: '2026-11-16T15:10:00Z',
      estimativa_valor: 14.35,
      estimativa_minutos: 9,
      estimativa_km: 3.71,
      categoria_nome: 'Moto',
      tarifa_nome: 'Moto padrão',
      partida: { lat: -30.0305, lng: -51.2303 },
      desejado: { lat: -30.0489, lng: -51.2158 },
      valor_original: '14.35',
      linhas: [
        { tipo: priceLineCode.base, valor: '5.00' },
        { tipo: priceLineCode.distance, valor: '8.16' },
        { tipo: priceLineCode.time, valor: '1.19' },
      ],
      chegada: { de: '2026-11-16T15:09:00Z', ate: '2026-11-16T15:29:00Z' },
    },
  },
  async handle({ deps, caller, body }) {
    const dispatchAt = dispatchOf(body, { deps, caller });
    const sent = parseCreation(
      { ...body, forma_pagamento: body.forma_pagamento ?? 'D', paradas: stopsOf(body) },
      caller,
    );
    const order = await locateAddresses(deps, caller.central, sent);
    const quote = await quoteOrder(deps, caller, order, dispatchAt);
    const { estimate, setsOffAt } = quote;
    const arrival = promisedRange(setsOffAt, estimate.seconds, order.stops);
    const stops = order.stops.map(({ position }) => position);
    return {
      data: {
        cotacao_id: quote.id,
        valida_ate: formatUtc(quote.expiresAt),
        ...formatEstimate(quote, { pickup: order.pickup.position, stops }),
        valor_original: centsToDecimal(estimate.grossCents),
        linhas: estimate.lines.map(({ kind, cents }) => ({
          tipo: priceLineCode[kind],
          valor: centsToDecimal(cents),
        })),
        chegada: { de: formatUtc(arrival.from), ate: formatUtc(arrival.until) },
      },
    };
  },
});
