import { releaseDelivery } from '../../deliveries/releaseDelivery.ts';
import { route } from '../../http/route.ts';
import { operators } from '../who.ts';
import { stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const releaseDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/liberar',
  tag: 'Operação: etapas da entrega',
  summary: 'Liberar uma entrega para distribuição',
  who: operators,
  limit: 'operations',
  refusals: stepRefusals,
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ needs, caller, params }) {
    await releaseDelivery(needs, caller, params.id!);
    return stepTaken(params.id!, 'distributing');
  },
});
