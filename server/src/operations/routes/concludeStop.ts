import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { concludeStop } from '../../deliveries/concludeStop.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { stepRefusals } from '../wire/stepAnswer.ts';

export const concludeStopRoute = route({
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/concluir',
  tag: 'Operação: etapas da entrega',
  summary: 'Concluir uma parada',
  description:
    'Quando a central exige código de confirmação, ele é obrigatório. Após cinco códigos incorretos a parada fica bloqueada e só um operador a conclui, sem código.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: [
    ...stepRefusals,
    'stop-not-found',
    'confirmation-code-required',
    'wrong-confirmation-code',
    'confirmation-code-locked',
  ],
  body: Type.Object({
    codigo_confirmacao: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: 'código informado pelo destinatário' }),
    ),
  }),
  bodyExample: { codigo_confirmacao: 4821 },
  answer: dataAnswer(
    Type.Object({
      id_mch: Type.String(),
      parada_id: Type.String(),
      paradas_restantes: Type.Integer({ description: 'paradas que ainda faltam concluir' }),
    }),
  ),
  answerExample: { success: true, data: { id_mch: '1042', parada_id: '2077', paradas_restantes: 1 } },
  async handle({ needs, caller, params, body }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const left = await concludeStop(needs, caller, id, stopId, body.codigo_confirmacao ?? null);
    return { data: { id_mch: String(id), parada_id: String(stopId), paradas_restantes: left } };
  },
});
