import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { setAvailability } from '../../drivers/setAvailability.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';

export const setAvailabilityRoute = route({
  method: 'POST',
  path: '/condutores/:id/disponibilidade',
  tag: 'Operação: condutores',
  summary: 'Informar se um condutor está disponível',
  description:
    'O que lhe foi oferecido e ele não respondeu segue para outro condutor, salvo o que um operador lhe atribuiu; o ' +
    'que já carrega segue com ele.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: ['driver-not-found', 'driver-inactive'],
  body: Type.Object({ disponivel: Type.Boolean() }),
  bodyExample: { disponivel: true },
  answer: dataAnswer(Type.Object({ condutor_id: Type.String(), disponivel: Type.Boolean() })),
  answerExample: { success: true, data: { condutor_id: '1', disponivel: true } },
  async handle({ needs, caller, params, body }) {
    await setAvailability(needs, caller, params.id!, body.disponivel);
    return { data: { condutor_id: String(params.id!), disponivel: body.disponivel } };
  },
});
