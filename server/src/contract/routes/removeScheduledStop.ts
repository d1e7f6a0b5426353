import Type from 'typebox';
import type { Estimate } from '../../estimates/estimateTrip.ts';
import { route } from '../../http/route.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { removeScheduledStop } from '../../scheduled/removeScheduledStop.ts';
import { readers } from '../who.ts';
import { nullable } from '../wire/answers.ts';

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
  answer: Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      status: Type.Literal('OK'),
      estimativa: nullable(
        Type.Object({
          estimativa_km: Type.Number(),
          estimativa_tempo_minutos: Type.Integer(),
          estimativa_valor: Type.String(),
        }),
      ),
    }),
    message: Type.String(),
  }),
  answerExample: {
    success: true,
    data: {
      status: 'OK',
      estimativa: { estimativa_km: 4.21, estimativa_tempo_minutos: 11, estimativa_valor: '14.35' },
    },
    message: 'parada excluída',
  },
  async handle({ needs, caller, params, language }) {
    const estimate = await removeScheduledStop(needs, caller, params.id!, params.parada_id!);
    return {
      data: { status: 'OK' as const, estimativa: estimate && formatRemaining(estimate) },
      message: language === 'en' ? 'stop removed' : 'parada excluída',
    };
  },
});

/** The value is text here, though a number in 4.1. */
const formatRemaining = (estimate: Estimate) => ({
  estimativa_km: Math.round(estimate.metres / 10) / 100,
  estimativa_tempo_minutos: Math.ceil(estimate.seconds / 60),
  estimativa_valor: centsToDecimal(estimate.netCents),
});
