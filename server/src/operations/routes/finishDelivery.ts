import { finishDelivery } from '../../deliveries/finishDelivery.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const finishDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/finalizar',
  tag: 'Operação: etapas da entrega',
  summary: 'Finalizar a entrega',
  description:
    'O condutor de uma entrega com retorno voltou à partida; todas as paradas devem estar concluídas. O que foi pago com a carteira de créditos é lançado agora. Uma entrega sem retorno termina com a última parada: finalizar depois responde 200 e não muda nada.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: [...stepRefusals, 'stops-not-concluded'],
  answer: stepAnswer,
  answerExample: stepAnswerExample('F'),
  async handle({ needs, caller, params }) {
    await finishDelivery(needs, caller, params.id!);
    return stepTaken(params.id!, 'finished');
  },
});
