import Type from 'typebox';
import { assignDelivery } from '../../deliveries/assignDelivery.ts';
import { route } from '../../http/route.ts';
import { operators } from '../who.ts';
import { driverField, stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const assignDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/atribuir',
  tag: 'Operação: etapas da entrega',
  summary: 'Oferecer a entrega a um condutor',
  description: 'A entrega passa a aguardar o aceite deste condutor; ofertas abertas a outros são retiradas.',
  who: operators,
  limit: 'operations',
  refusals: [...stepRefusals, 'driver-not-found', 'driver-inactive', 'driver-of-other-companies'],
  body: Type.Object({ condutor_id: driverField }),
  bodyExample: { condutor_id: 1 },
  answer: stepAnswer,
  answerExample: stepAnswerExample('G'),
  async handle({ needs, caller, params, body }) {
    await assignDelivery(needs, caller, params.id!, body.condutor_id);
    return stepTaken(params.id!, 'offered');
  },
});
