import { JsonText } from '../../http/envelope.ts';
import { route } from '../../http/route.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { findScheduledDocument } from '../scheduledJsonStore.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { scheduledExample } from '../wire/scheduledBody.ts';
import { ScheduledSchema } from '../wire/scheduledJson.ts';

/** Completions: one scheduled delivery in the shape of contract 2.2. */
export const getScheduledRoute = route({
  method: 'GET',
  path: '/entregas/programadas/:id',
  operation: 'obterProgramada',
  tag: 'Programadas',
  summary: 'Ler uma entrega programada',
  who: readers,
  limit: 'scheduled',
  refusals: ['scheduled-not-found'],
  answer: dataAnswer(ScheduledSchema),
  answerExample: { success: true, data: scheduledExample },
  async handle({ needs, caller, params }) {
    const document = await findScheduledDocument(needs.db, caller, caller.central.timeZone, params.id!);
    if (!document) throw new Refusal('scheduled-not-found');
    return new JsonText(`{"success":true,"data":${document}}`);
  },
});
