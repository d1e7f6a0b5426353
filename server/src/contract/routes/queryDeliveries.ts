import Type from 'typebox';
import { JsonText } from '../../http/envelope.ts';
import { route } from '../../http/route.ts';
import { findDeliveryPage } from '../deliveryJsonStore.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import {
  type PaymentCode,
  paymentByCode,
  paymentCode,
  type StatusFilter,
  statusFilter,
} from '../wire/codes.ts';
import { deliveryExample } from '../wire/deliveryExample.ts';
import { DeliverySchema } from '../wire/deliveryJson.ts';
import { pageFields, parsePage } from '../wire/page.ts';

/** Contract 4.4. */
export const queryDeliveriesRoute = route({
  method: 'POST',
  path: '/entregas/consultar',
  readOnly: true,
  operation: 'consultarEntregas',
  section: '4.4',
  tag: 'Entregas',
  summary: 'Consultar entregas',
  description: 'Da mais nova para a mais antiga. Um corpo vazio é a primeira página sem filtros.',
  who: readers,
  limit: 'deliveries',
  body: Type.Object({
    ...pageFields,
    status_solicitacao: Type.Optional(Type.Enum(Object.keys(statusFilter) as StatusFilter[])),
    tipo_pagamento: Type.Optional(Type.Enum(Object.values(paymentCode) as PaymentCode[])),
    condutor_id: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  bodyExample: { status_solicitacao: 'F', pagina: 1, limite: 20 },
  answer: dataAnswer(Type.Array(DeliverySchema)),
  answerExample: { success: true, data: [deliveryExample] },
  async handle({ needs, caller, body }) {
    const documents = await findDeliveryPage(
      needs.db,
      caller,
      caller.central.timeZone,
      {
        statuses: body.status_solicitacao && statusFilter[body.status_solicitacao],
        payment: body.tipo_pagamento && paymentByCode[body.tipo_pagamento],
        driverId: body.condutor_id,
      },
      parsePage(body),
    );
    return new JsonText(`{"success":true,"data":${documents}}`);
  },
});
