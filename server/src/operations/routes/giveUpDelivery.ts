import { giveUpDelivery } from '../../deliveries/giveUpDelivery.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const giveUpDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/desistir',
  tag: 'Operação: etapas da entrega',
  summary: 'Desistir da entrega antes do início',
  description: 'A entrega volta para distribuição, sem condutor.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: stepRefusals,
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ needs, caller, params }) {
    await giveUpDelivery(needs, caller, params.id!);
    return stepTaken(params.id!, 'distributing');
  },
});
