import Type from 'typebox';
import { refuseDelivery } from '../../deliveries/refuseDelivery.ts';
import { actingDriver } from '../../drivers/actingDriver.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { driverField, stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const refuseDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/recusar',
  tag: 'Operação: etapas da entrega',
  summary: 'Recusar uma entrega oferecida',
  description:
    'O condutor recusa por si; um operador recusa por condutor_id ou, sem ele, todas as ofertas abertas. Sem oferta aberta, a entrega volta para distribuição.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: [...stepRefusals, 'offer-not-open'],
  body: Type.Object({ condutor_id: Type.Optional(driverField) }),
  bodyExample: {},
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ needs, caller, params, body }) {
    const driverId = actingDriver(caller, body.condutor_id);
    return stepTaken(params.id!, await refuseDelivery(needs, caller, params.id!, driverId));
  },
});
