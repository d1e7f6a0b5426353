import Type from 'typebox';
import { JsonText } from '../../http/envelope.ts';
import { route } from '../../http/route.ts';
import { findScheduledPage } from '../scheduledJsonStore.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { pageFields, parsePage } from '../wire/page.ts';
import { scheduledExample } from '../wire/scheduledBody.ts';
import { ScheduledSchema } from '../wire/scheduledJson.ts';

/** Contract 4.9. */
export const listScheduledRoute = route({
  method: 'GET',
  path: '/entregas/programadas',
  operation: 'listarProgramadas',
  section: '4.9',
  tag: 'Programadas',
  summary: 'Listar entregas programadas',
  description: 'Da criada por último para a mais antiga; editar uma programada não muda a ordem.',
  who: readers,
  limit: 'scheduled',
  query: Type.Object(pageFields),
  answer: dataAnswer(Type.Array(ScheduledSchema)),
  answerExample: { success: true, data: [scheduledExample] },
  async handle({ needs, caller, query }) {
    const documents = await findScheduledPage(needs.db, caller, caller.central.timeZone, parsePage(query));
    return new JsonText(`{"success":true,"data":${documents}}`);
  },
});
