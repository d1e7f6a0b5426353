import { JsonText } from '../../http/envelope.ts';
import { route } from '../../http/route.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { findDeliveryDocument } from '../deliveryJsonStore.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { deliveryExample } from '../wire/deliveryExample.ts';
import { DeliverySchema } from '../wire/deliveryJson.ts';

/** Completions: one delivery in the shape of contract 2.1. */
export const getDeliveryRoute = route({
  method: 'GET',
  path: '/entregas/:id',
  operation: 'obterEntrega',
  tag: 'Entregas',
  summary: 'Ler uma entrega',
  who: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(DeliverySchema),
  answerExample: { success: true, data: deliveryExample },
  async handle({ needs, caller, params }) {
    const document = await findDeliveryDocument(needs.db, caller, caller.central.timeZone, params.id!);
    if (!document) throw new Refusal('delivery-not-found');
    return new JsonText(`{"success":true,"data":${document}}`);
  },
});
