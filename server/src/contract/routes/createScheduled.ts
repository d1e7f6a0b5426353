import Type from 'typebox';
import { route } from '../../http/route.ts';
import { scheduleDelivery } from '../../scheduled/scheduleDelivery.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { parseLocal } from '../wire/dates.ts';
import { parseCreation, personProblems } from '../wire/orderBody.ts';
import { ScheduleBody, scheduleExample } from '../wire/scheduledBody.ts';

/** Completions: creation of a scheduled delivery. */
export const createScheduledRoute = route({
  method: 'POST',
  path: '/entregas/programadas',
  operation: 'criarProgramada',
  tag: 'Programadas',
  summary: 'Programar uma entrega',
  description:
    'Os campos da entrega imediata, mais data e hora do disparo no fuso da central. id_mch é o id da programada. ' +
    'Com pagamento R os créditos são reservados no disparo.',
  who: readers,
  limit: 'scheduled',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'insufficient-balance',
    'dispatch-in-the-past',
    'outside-operating-areas',
    'no-tariff',
    'wallet-needs-company',
    'estimate-impossible',
  ],
  body: ScheduleBody,
  furtherProblems: personProblems,
  bodyExample: scheduleExample,
  answer: dataAnswer(Type.Object({ id_mch: Type.String() })),
  answerExample: { success: true, data: { id_mch: '318' } },
  async handle({ needs, caller, body }) {
    const dispatchAt = parseLocal(body.data, body.hora, caller.central.timeZone);
    const id = await scheduleDelivery(needs, caller, parseCreation(body, caller), dispatchAt);
    return { data: { id_mch: String(id) } };
  },
});
