import Type from 'typebox';
import { quoteTrip } from '../../estimates/quoteTrip.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import {
  checkStopCount,
  estimateAnswerFields,
  estimateExample,
  estimateFields,
  formatEstimate,
  parseTrip,
} from '../wire/estimateBody.ts';

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
export const estimateDeliveryRoute = route({
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
  who: readers,
  limit: 'estimates',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    'no-tariff',
    'estimate-impossible',
  ],
  body: Type.Object(estimateFields, { check: checkStopCount }),
  bodyExample: estimateExample,
  answer: dataAnswer(Type.Object(estimateAnswerFields)),
  answerExample,
  async handle({ needs, caller, params, body }) {
    const quote = await quoteTrip(needs, caller, {
      ...parseTrip(body),
      companyId: params.id!,
      couponCode: null,
      at: needs.clock.now(),
    });
    return { data: formatEstimate(quote, body) };
  },
});

/** Completions: contract 4.1 without a company. */
export const estimateWithoutCompanyRoute = route({
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
  who: readers,
  limit: 'estimates',
  refusals: [
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    'no-tariff',
    'estimate-impossible',
  ],
  body: Type.Object(estimateFields, { check: checkStopCount }),
  bodyExample: estimateExample,
  answer: dataAnswer(Type.Object(estimateAnswerFields)),
  answerExample,
  async handle({ needs, caller, body }) {
    const quote = await quoteTrip(needs, caller, {
      ...parseTrip(body),
      companyId: caller.companyId,
      couponCode: null,
      at: needs.clock.now(),
    });
    return { data: formatEstimate(quote, body) };
  },
});
