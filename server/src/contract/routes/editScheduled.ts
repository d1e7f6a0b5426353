import Type from 'typebox';
import { route } from '../../http/route.ts';
import { editScheduled } from '../../scheduled/editScheduled.ts';
import { readers } from '../who.ts';
import { EditBody, editExample, parseReplacement } from '../wire/scheduledBody.ts';

/** Contract 4.3. */
export const editScheduledRoute = route({
  method: 'PUT',
  path: '/entregas/programadas/:id',
  operation: 'editarProgramada',
  section: '4.3',
  tag: 'Programadas',
  summary: 'Editar uma entrega programada (substituição total)',
  description:
    'Somente com o usuário de um gerente da empresa, antes do disparo. Substitui data, hora, pagamento, partida e ' +
    'todas as paradas, que recebem novos ids; categoria, retorno, observação e cupom são mantidos. Uma programada em X, ' +
    'cujo disparo falhou, volta a aguardar (A) com a nova data e hora.',
  who: readers,
  limit: 'scheduled',
  refusals: [
    'scheduled-not-found',
    'company-manager-only',
    'company-inactive',
    'grouped-automatically',
    'scheduled-cancelled',
    'scheduled-dispatched',
    'scheduled-grouped',
    'dispatch-in-the-past',
    'coupon-invalid',
    'outside-operating-areas',
    'no-tariff',
    'insufficient-balance',
    'estimate-impossible',
  ],
  body: EditBody,
  bodyExample: editExample,
  answer: Type.Object({ success: Type.Literal(true), id_mch: Type.Integer() }),
  answerExample: { success: true, id_mch: 318 },
  async handle({ needs, caller, params, body }) {
    await editScheduled(needs, caller, params.id!, parseReplacement(body, caller));
    return { id_mch: params.id! };
  },
});
