import {
  cancelScheduledRefusals,
  scheduledCancelled,
  scheduledCancelledAnswer,
  scheduledCancelledExample,
} from '../../contract/wire/scheduledCancelled.ts';
import { route } from '../../http/route.ts';
import { cancelScheduled } from '../../scheduled/cancelScheduled.ts';
import { operators } from '../who.ts';

export const cancelScheduledRoute = route({
  method: 'POST',
  path: '/programadas/:id/cancelar',
  tag: 'Operação: programadas',
  summary: 'Cancelar uma entrega programada, também quando ainda aguarda disparo',
  description:
    'Uma já disparada cancela também a sua entrega; uma agrupada retira as suas paradas da agrupadora, enquanto ' +
    'esta aguarda disparo; uma agrupadora cancela também as agrupadas nela.',
  who: operators,
  limit: 'operations',
  refusals: cancelScheduledRefusals,
  answer: scheduledCancelledAnswer,
  answerExample: scheduledCancelledExample,
  async handle({ needs, caller, params, language }) {
    await cancelScheduled(needs, caller, params.id!, { evenAwaiting: true });
    return scheduledCancelled(params.id!, language);
  },
});
