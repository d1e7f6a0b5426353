import { removeStop } from '../../deliveries/removeStop.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { formatRemoval, removalAnswer, removalExample } from '../wire/stopRemoval.ts';

/** Completions: contract 4.12, for a delivery. */
export const removeStopRoute = route({
  method: 'DELETE',
  path: '/entregas/:id/paradas/:parada_id',
  operation: 'removerParadaEntrega',
  tag: 'Entregas',
  summary: 'Excluir uma parada de uma entrega',
  description:
    'Enquanto a entrega não terminou; em andamento, somente uma parada ainda não concluída. Ao menos uma parada a ' +
    'visitar permanece. As demais mantêm ids e ordem; valor e reserva de créditos acompanham. A estimativa é das ' +
    'paradas que restam, e nula quando não pôde ser calculada: nesse caso o valor não muda. Códigos de erro: 33 ' +
    'última parada, 135 situação não permite, 136 parada não encontrada.',
  who: readers,
  limit: 'deliveries',
  refusals: [
    'delivery-not-found',
    'removed-stop-not-found',
    'removed-stop-grouped',
    'removed-stop-over',
    'removed-stop-concluded',
    'removed-stop-last',
  ],
  answer: removalAnswer,
  answerExample: removalExample,
  async handle({ needs, caller, params, language }) {
    const estimate = await removeStop(needs, caller, params.id!, params.parada_id!);
    return formatRemoval(estimate, language);
  },
});
