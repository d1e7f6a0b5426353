import { route } from '../../http/route.ts';
import { removeScheduledStop } from '../../scheduled/removeScheduledStop.ts';
import { readers } from '../who.ts';
import { formatRemoval, removalAnswer, removalExample } from '../wire/stopRemoval.ts';

/** Contract 4.12. */
export const removeScheduledStopRoute = route({
  method: 'DELETE',
  path: '/entregas/programadas/:id/paradas/:parada_id',
  operation: 'removerParadaProgramada',
  section: '4.12',
  tag: 'Programadas',
  summary: 'Excluir uma parada de uma entrega programada',
  description:
    'A estimativa é das paradas que restam, e nula quando o serviço de rotas está indisponível: nesse caso ela é ' +
    'recalculada até o disparo.',
  who: readers,
  limit: 'scheduled',
  refusals: [
    'scheduled-not-found',
    'stop-not-found',
    'grouped-automatically',
    'scheduled-cancelled',
    'scheduled-dispatched',
    'scheduled-grouped',
    'scheduled-failed',
    'last-stop',
  ],
  answer: removalAnswer,
  answerExample: removalExample,
  async handle({ needs, caller, params, language }) {
    const estimate = await removeScheduledStop(needs, caller, params.id!, params.parada_id!);
    return formatRemoval(estimate, language);
  },
});
