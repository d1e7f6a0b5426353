import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import { countOpen } from '../../deliveries/openDeliveriesStore.ts';
import { countTroubledWebhooks } from '../../events/webhookStore.ts';
import { route } from '../../http/route.ts';
import { countAwaiting, countFailed } from '../../scheduled/scheduledStore.ts';
import { watchers } from '../who.ts';
import { fullStatusCode } from '../wire/codes.ts';
import { instantShown } from '../wire/fields.ts';

const OPEN_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E'] as const;
const count = Type.Integer({ minimum: 0 });

export const getSummaryRoute = route({
  method: 'GET',
  path: '/resumo',
  tag: 'Operação: ao vivo',
  summary: 'Ver o dia em números',
  description:
    'Quantas entregas estão em cada status vivo, quantas passaram da previsão da etapa em que estão, quantas programadas aguardam, o disparo de quantas falhou sem que fossem canceladas e quantos webhooks não recebem. O histórico não é contado. Um gerente vê a própria empresa.',
  who: watchers,
  limit: 'operations',
  answer: dataAnswer(
    Type.Object({
      agora: instantShown,
      entregas: Type.Object(Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, count]))),
      atrasadas: count,
      programadas_aguardando: count,
      programadas_com_falha: count,
      webhooks_com_problema: count,
    }),
  ),
  answerExample: {
    success: true,
    data: {
      agora: '2026-11-16T15:00:00Z',
      entregas: { L: 0, D: 2, G: 1, P: 0, A: 3, S: 1, E: 5 },
      atrasadas: 1,
      programadas_aguardando: 8,
      programadas_com_falha: 0,
      webhooks_com_problema: 0,
    },
  },
  async handle({ needs: { db, clock }, caller }) {
    const now = clock.now();
    const [open, awaiting, failed, troubled] = await Promise.all([
      countOpen(db, caller, now),
      countAwaiting(db, caller),
      countFailed(db, caller),
      countTroubledWebhooks(db, caller),
    ]);
    const counts = Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, 0]));
    for (const one of open) counts[fullStatusCode[one.status]] = one.count;
    return {
      data: {
        agora: formatUtc(now),
        entregas: counts,
        atrasadas: open.reduce((sum, { late }) => sum + late, 0),
        programadas_aguardando: awaiting,
        programadas_com_falha: failed,
        webhooks_com_problema: troubled,
      },
    };
  },
});
