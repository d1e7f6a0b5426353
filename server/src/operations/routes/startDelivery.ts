import { startDelivery } from '../../deliveries/startDelivery.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const startDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/iniciar',
  tag: 'Operação: etapas da entrega',
  summary: 'Iniciar a entrega',
  description:
    'O condutor saiu da coleta. Uma entrega em espera só pode ser iniciada depois que a anterior do mesmo condutor termina.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: stepRefusals,
  answer: stepAnswer,
  answerExample: stepAnswerExample('E'),
  async handle({ needs, caller, params }) {
    await startDelivery(needs, caller, params.id!);
    return stepTaken(params.id!, 'in_progress');
  },
});
