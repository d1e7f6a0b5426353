import Type from 'typebox';
import { findStatus } from '../../deliveries/deliveryStore.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { statusCode } from '../wire/codes.ts';

/** Contract 4.16. */
export const getStatusRoute = route({
  method: 'GET',
  path: '/entregas/:id/status',
  operation: 'obterStatus',
  section: '4.16',
  tag: 'Entregas',
  summary: 'Consultar o status',
  who: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(Type.Object({ status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']) })),
  answerExample: { success: true, data: { status: 'E' } },
  async handle({ needs, caller, params }) {
    const status = await findStatus(needs.db, caller, params.id!);
    return { data: { status: statusCode[status] } };
  },
});
