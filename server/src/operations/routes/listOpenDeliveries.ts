import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { listOpen } from '../../deliveries/openDeliveriesStore.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { formatOpenDelivery, OpenDeliverySchema, openDeliveryExample } from '../wire/openDelivery.ts';

/** More than one person can look after; the numbers of the day count all. */
const LISTED_MAX = 500;

export const listOpenDeliveriesRoute = route({
  method: 'GET',
  path: '/entregas/abertas',
  tag: 'Operação: ao vivo',
  summary: 'Listar as entregas em curso',
  description: `As entregas que ainda não terminaram, da mais antiga para a mais nova, até ${LISTED_MAX}. As agrupadas em outra aparecem nela. Um gerente vê a própria empresa.`,
  who: watchers,
  limit: 'operations',
  answer: dataAnswer(Type.Array(OpenDeliverySchema)),
  answerExample: { success: true, data: [openDeliveryExample] },
  async handle({ needs: { db, clock }, caller }) {
    const open = await listOpen(db, caller, LISTED_MAX);
    const now = clock.now();
    return { data: open.map((delivery) => formatOpenDelivery(delivery, now)) };
  },
});
