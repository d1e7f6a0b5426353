import Type from 'typebox';
import { may } from '../../../centrals/permissions.ts';
import { quoteTrip } from '../../../money/pricing/estimateTrip.ts';
import { centsToDecimal } from '../../../platform/kernel/money.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import {
  checkStopCount,
  estimateAnswerFields,
  estimateExample,
  estimateFields,
  estimateProblems,
  formatEstimate,
  parseTrip,
} from '../../integration/endpoints/estimates.ts';
import { priceLineCode } from '../../json/codes.ts';
import { locatingRefusals } from '../../json/orderBody.ts';
import { dataAnswer, formatUtc } from '../../json/values.ts';
import { named } from '../wire/commonFields.ts';
import { given, instantShown, optionalId, optionalText } from '../wire/fields.ts';

/** The same estimate as contract 4.1, with its reasons. */
export const explainEstimateEndpoint = endpoint({
  method: 'POST',
  path: '/estimativas',
  readOnly: true,
  tag: 'Operação: estimativas',
  summary: 'Estimar uma entrega e explicar o valor',
  description:
    'O mesmo cálculo da estimativa da integração, para uma empresa ou sem nenhuma, com cupom e em outro instante ' +
    'se for o caso. A soma das linhas é o valor.',
  permission: 'internals',
  limit: 'operations',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'coupon-invalid',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'estimate-impossible',
  ],
  body: Type.Object(
    {
      ...estimateFields,
      empresa_id: optionalId,
      codigo_cupom: optionalText(50),
      instante: Type.Optional(formatted('instant', 'ausente: agora')),
    },
    { check: checkStopCount },
  ),
  furtherProblems: estimateProblems,
  bodyExample: {
    ...estimateExample,
    empresa_id: 1,
    codigo_cupom: 'DEMO10',
    instante: '2026-11-16T15:00:00Z',
  },
  answer: dataAnswer(
    Type.Object({
      ...estimateAnswerFields,
      instante: instantShown,
      area: named.schema,
      categoria: named.schema,
      tarifa: named.schema,
      valor_original: Type.String({ description: 'antes do cupom' }),
      linhas: Type.Array(
        Type.Object({ tipo: Type.Enum(Object.values(priceLineCode)), valor: Type.String() }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      estimativa_valor: 16.75,
      estimativa_minutos: 13,
      estimativa_km: 5.17,
      categoria_nome: 'Moto',
      tarifa_nome: 'Moto padrão',
      partida: { lat: -30.0305, lng: -51.2303 },
      desejado: { lat: -30.0489, lng: -51.2158 },
      instante: '2026-11-16T15:00:00Z',
      area: { id: '2', nome: 'Centro Histórico' },
      categoria: { id: '1', nome: 'Moto' },
      tarifa: { id: '1', nome: 'Moto padrão' },
      valor_original: '18.61',
      linhas: [
        { tipo: priceLineCode.base, valor: '5.00' },
        { tipo: priceLineCode.distance, valor: '9.56' },
        { tipo: priceLineCode.time, valor: '1.55' },
        { tipo: priceLineCode['extra-stops'], valor: '2.50' },
        { tipo: priceLineCode.coupon, valor: '-1.86' },
      ],
    },
  },
  async handle({ deps, caller, body }) {
    const at = body.instante === undefined ? deps.clock.now() : parseInstant(body.instante)!;
    const trip = await parseTrip({ deps, caller }, body);
    const quote = await quoteTrip(deps, caller, {
      ...trip,
      companyId: body.empresa_id ?? null,
      couponCode: given(body.codigo_cupom),
      countsWrongCodes: !may(caller, 'registers-read'),
      at,
    });
    const { category, estimate } = quote;
    return {
      data: {
        ...formatEstimate(quote, trip),
        instante: formatUtc(at),
        area: named.show(estimate.area, undefined),
        categoria: named.show(category, undefined),
        tarifa: named.show(estimate.tariff, undefined),
        valor_original: centsToDecimal(estimate.grossCents),
        linhas: estimate.lines.map(({ kind, cents }) => ({
          tipo: priceLineCode[kind],
          valor: centsToDecimal(cents),
        })),
      },
    };
  },
});
