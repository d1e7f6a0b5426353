import { arriveAtPickup } from '../../deliveries/arriveAtPickup.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const arriveAtPickupRoute = route({
  method: 'POST',
  path: '/entregas/:id/chegar',
  tag: 'Operação: etapas da entrega',
  summary: 'Registrar a chegada do condutor na coleta',
  description: 'A chegada é um horário, não um status: a entrega segue aceita. Só é registrada uma vez.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: stepRefusals,
  answer: stepAnswer,
  answerExample: stepAnswerExample('A'),
  async handle({ needs, caller, params }) {
    await arriveAtPickup(needs, caller, params.id!);
    return stepTaken(params.id!, 'accepted');
  },
});
