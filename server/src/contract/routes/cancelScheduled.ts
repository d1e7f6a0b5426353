import { route } from '../../http/route.ts';
import { cancelScheduled } from '../../scheduled/cancelScheduled.ts';
import { readers } from '../who.ts';
import {
  cancelScheduledRefusals,
  scheduledCancelled,
  scheduledCancelledAnswer,
  scheduledCancelledExample,
} from '../wire/scheduledCancelled.ts';

/** Contract 4.15. */
export const cancelScheduledRoute = route({
  method: 'POST',
  path: '/entregas/programadas/:id/cancelar',
  operation: 'cancelarProgramada',
  section: '4.15',
  tag: 'Programadas',
  summary: 'Cancelar uma entrega programada',
  description:
    'Sem corpo. Uma programada que ainda aguarda disparo é recusada, salvo quando a configuração da central o ' +
    'permite. Uma já disparada cancela também a sua entrega; uma agrupada retira as suas paradas da agrupadora, ' +
    'enquanto esta aguarda disparo.',
  who: readers,
  limit: 'scheduled',
  refusals: ['still-awaiting-dispatch', ...cancelScheduledRefusals],
  answer: scheduledCancelledAnswer,
  answerExample: scheduledCancelledExample,
  async handle({ needs, caller, params, language }) {
    const evenAwaiting = caller.central.settings.cancelAwaitingScheduled;
    await cancelScheduled(needs, caller, params.id!, { evenAwaiting });
    return scheduledCancelled(params.id!, language);
  },
});
