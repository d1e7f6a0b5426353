import Type from 'typebox';
import { openDelivery } from '../../deliveries/openDelivery.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { creationFields, parseCreation, personProblems } from '../wire/orderBody.ts';
import { orderExample } from '../wire/orderExample.ts';

/** Completions: creation of an immediate delivery. */
export const createDeliveryRoute = route({
  method: 'POST',
  path: '/entregas',
  operation: 'criarEntrega',
  tag: 'Entregas',
  summary: 'Abrir uma entrega imediata',
  who: readers,
  limit: 'deliveries',
  refusals: [
    'company-not-found',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    'no-tariff',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'insufficient-balance',
    'wallet-needs-company',
    'estimate-impossible',
  ],
  body: Type.Object(creationFields),
  furtherProblems: personProblems,
  bodyExample: orderExample,
  answer: dataAnswer(Type.Object({ id_mch: Type.String() })),
  answerExample: { success: true, data: { id_mch: '1042' } },
  async handle({ needs, caller, body }) {
    const id = await openDelivery(needs, caller, parseCreation(body, caller));
    return { data: { id_mch: String(id) } };
  },
});
